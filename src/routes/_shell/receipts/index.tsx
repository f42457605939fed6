import { createFileRoute } from '@tanstack/react-router'
import { storePlace, vendorPlace } from '#src/features/receiving/store-invoices/places.ts'
import { ReceiptsScreen } from '#src/features/receiving/store-invoices/receipts-screen.tsx'

export const Route = createFileRoute('/_shell/receipts/')({
  validateSearch: ({ tab }): { tab?: 'stores' } => (tab === 'stores' ? { tab } : {}),
  component: Receipts,
})

function Receipts() {
  const { tab = 'vendors' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ReceiptsScreen
      tab={tab}
      onTab={(next) => void navigate({ search: next === 'stores' ? { tab: next } : {} })}
      onOpenVendor={(place) => void navigate(vendorPlace(place))}
      onOpenStore={(invoiceId) => void navigate(storePlace(invoiceId))}
    />
  )
}
