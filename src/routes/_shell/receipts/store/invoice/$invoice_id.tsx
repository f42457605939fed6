import { createFileRoute } from '@tanstack/react-router'
import { StoreInvoiceScreen } from '#src/features/receipts/store-invoice-screen.tsx'

export const Route = createFileRoute('/_shell/receipts/store/invoice/$invoice_id')({ component: OneReceipt })

function OneReceipt() {
  const { invoice_id } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <StoreInvoiceScreen
      key={invoice_id}
      invoiceId={invoice_id}
      onOpen={(place) =>
        void navigate({
          to: '/inventory/receipts/vendors/invoice/$invoice_id/$vendor_invoice_id',
          params: { invoice_id, vendor_invoice_id: place.id_vendor_invoice },
        })
      }
      onGone={() => void navigate({ to: '/receipts', search: { tab: 'stores' } })}
    />
  )
}
