import { createFileRoute } from '@tanstack/react-router'
import { VendorReturnScreen } from '#src/features/receiving/vendor-returns/vendor-return-screen.tsx'

export const Route = createFileRoute('/_shell/returns/$id')({ component: OneReturn })

function OneReturn() {
  const { id } = Route.useParams()
  const navigate = Route.useNavigate()
  return <VendorReturnScreen key={id} id={id} onGone={() => void navigate({ to: '/returns', search: { tab: 'open' } })} />
}
