import type { ReactNode } from 'react'
import type { VendorInvoiceCard } from '#contract/receiving/store-invoices.ts'
import { differencesOf, isOpen } from '#contract/receiving/vendor-invoice-rules.ts'
import { Badge } from '#src/ui/badge.tsx'

/** The first way in which pieces and paper of an invoice disagree, and how many more there are; null when they agree. */
export function differenceOf(invoice: VendorInvoiceCard): ReactNode {
  if (invoice.pieces === 0 || !isOpen(invoice.status)) return null
  const [first, ...more] = differencesOf(invoice).toReversed()
  if (first === undefined) return null
  return <Badge tone="warn">{more.length === 0 ? first : `${first}, +${more.length}`}</Badge>
}
