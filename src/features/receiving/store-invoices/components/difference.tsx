import type { ReactNode } from 'react'
import type { VendorInvoiceCard } from '#contract/receiving/store-invoices.ts'
import { differencesOf, isOpen } from '#contract/receiving/vendor-invoice-rules.ts'
import { Badge } from '#src/ui/badge.tsx'

/** Returns the differences between the received pieces and the vendor's invoice, or null when they match. */
export function differenceOf(invoice: VendorInvoiceCard): ReactNode {
  if (invoice.pieces === 0 || !isOpen(invoice.status)) return null
  const differences = differencesOf(invoice).toReversed()
  return differences.length === 0 ? null : <Badge tone="warn">{differences.join(' · ')}</Badge>
}
