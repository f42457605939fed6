import { createFileRoute } from '@tanstack/react-router'
import { VendorReturnsScreen } from '#src/features/vendor-returns/vendor-returns-screen.tsx'

export const Route = createFileRoute('/_shell/returns/')({
  // What the tabs are is known when the page is there: this line is part of every page.
  validateSearch: ({ tab }): { tab?: string } => (typeof tab === 'string' ? { tab } : {}),
  component: Returns,
})

function Returns() {
  const { tab } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <VendorReturnsScreen
      tab={tab}
      onTab={(next) => void navigate({ search: { tab: next } })}
      onOpen={(id) => void navigate({ to: '/returns/$id', params: { id } })}
    />
  )
}
