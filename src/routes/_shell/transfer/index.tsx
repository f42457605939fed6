import { createFileRoute } from '@tanstack/react-router'
import { TransfersScreen } from '#src/features/stock/transfers/transfers-screen.tsx'

export const Route = createFileRoute('/_shell/transfer/')({
  // The page checks the tab's name: this line is loaded with every page.
  validateSearch: ({ tab }): { tab?: string } => (typeof tab === 'string' ? { tab } : {}),
  component: Transfers,
})

function Transfers() {
  const { tab } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <TransfersScreen
      tab={tab}
      onTab={(next) => void navigate({ search: { tab: next } })}
      onOpen={(id_transfer) => void navigate({ to: '/transfer/$id_transfer', params: { id_transfer } })}
    />
  )
}
