import { createFileRoute, Navigate } from '@tanstack/react-router'
import { storeIn, vendorPlace } from '#src/features/receiving/store-invoices/places.ts'
import { StoreInvoiceScreen } from '#src/features/receiving/store-invoices/store-invoice-screen.tsx'

/** store/invoice/:invoice_id; everything else below the receipts is their list. */
export const Route = createFileRoute('/_shell/receipts/$')({ component: BelowReceipts })

function BelowReceipts() {
  const invoiceId = storeIn(Route.useParams()._splat)
  const navigate = Route.useNavigate()
  if (invoiceId === undefined) return <Navigate to="/receipts" replace />
  return (
    <StoreInvoiceScreen
      key={invoiceId}
      invoiceId={invoiceId}
      onOpen={(place) => void navigate(vendorPlace(place))}
      onGone={() => void navigate({ to: '/receipts', search: { tab: 'stores' } })}
    />
  )
}
