import { createFileRoute, Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { VendorFileScreen } from '#src/features/import/import-screen.tsx'
import { VendorInvoiceScreen } from '#src/features/receipts/vendor-invoice-screen.tsx'

export const Route = createFileRoute('/_shell/inventory/receipts/vendors/invoice/$invoice_id/$vendor_invoice_id')({
  validateSearch: ({ file }): { file?: true } => (file === true ? { file } : {}),
  component: OneInvoice,
})

function OneInvoice() {
  const { vendor_invoice_id } = Route.useParams()
  const { file } = Route.useSearch()
  const navigate = Route.useNavigate()
  if (file) {
    const back = (
      <Link
        from={Route.fullPath}
        search={{}}
        aria-label="The invoice"
        className="-ml-2 inline-flex size-12 shrink-0 items-center justify-center rounded-md hover:bg-hover"
      >
        <ArrowLeft size={20} aria-hidden />
      </Link>
    )
    return <VendorFileScreen key={vendor_invoice_id} idVendorInvoice={vendor_invoice_id} back={back} />
  }
  return (
    <VendorInvoiceScreen
      key={vendor_invoice_id}
      idVendorInvoice={vendor_invoice_id}
      onFile={() => void navigate({ search: { file: true } })}
      onGone={() => void navigate({ to: '/receipts' })}
    />
  )
}
