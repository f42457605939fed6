import { createFileRoute } from '@tanstack/react-router'
import { ReceiptsScreen } from '#src/features/receipts/receipts-screen.tsx'

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
      onOpenVendor={({ invoice_id, id_vendor_invoice }) =>
        void navigate({
          to: '/inventory/receipts/vendors/invoice/$invoice_id/$vendor_invoice_id',
          params: { invoice_id, vendor_invoice_id: id_vendor_invoice },
        })
      }
      onOpenStore={(invoice_id) => void navigate({ to: '/receipts/store/invoice/$invoice_id', params: { invoice_id } })}
    />
  )
}
