import { createFileRoute, Navigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { VendorFileScreen } from '#src/features/patients/import/import-screen.tsx'
import { vendorIn } from '#src/features/receiving/store-invoices/places.ts'
import { VendorInvoiceScreen } from '#src/features/receiving/store-invoices/vendor-invoice-screen.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Labels } from '../-look-up.tsx'

/** vendors/invoice/:invoice_id/:vendor_invoice_id; everything else is the list of receipts. */
export const Route = createFileRoute('/_shell/inventory/receipts/$')({ component: BelowInventory })

function BelowInventory() {
  const id = vendorIn(Route.useParams()._splat)
  const navigate = Route.useNavigate()
  /** The invoice whose lines are imported from a file. */
  const [filed, setFiled] = useState<string>()
  if (id === undefined) return <Navigate to="/receipts" replace />
  if (filed === id) {
    const back = <IconButton label="Back to the invoice" icon={<ArrowLeft size={20} aria-hidden />} onClick={() => setFiled(undefined)} />
    return <VendorFileScreen key={id} idVendorInvoice={id} back={back} />
  }
  return (
    <VendorInvoiceScreen
      key={id}
      idVendorInvoice={id}
      onFile={() => setFiled(id)}
      onGone={() => void navigate({ to: '/receipts' })}
      Labels={Labels}
    />
  )
}
