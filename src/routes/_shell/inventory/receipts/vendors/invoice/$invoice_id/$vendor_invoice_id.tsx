import { createFileRoute } from '@tanstack/react-router'
import { VendorInvoiceScreen } from '#src/features/receipts/vendor-invoice-screen.tsx'

export const Route = createFileRoute('/_shell/inventory/receipts/vendors/invoice/$invoice_id/$vendor_invoice_id')({ component: OneInvoice })

function OneInvoice() {
  const { vendor_invoice_id } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <VendorInvoiceScreen key={vendor_invoice_id} idVendorInvoice={vendor_invoice_id} onGone={() => void navigate({ to: '/receipts' })} />
  )
}
