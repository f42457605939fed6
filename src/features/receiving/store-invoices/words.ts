import type { VendorInvoiceStatus } from '#contract/receiving/vendor-invoice-rules.ts'
import type { Tone } from '#src/ui/tone.ts'

export const statusWords: Record<VendorInvoiceStatus, { label: string; tone: Tone }> = {
  draft: { label: 'Draft', tone: 'neutral' },
  receiving: { label: 'Receiving', tone: 'info' },
  received: { label: 'Received', tone: 'good' },
  discrepancy: { label: 'Discrepancy', tone: 'warn' },
  posted: { label: 'Posted', tone: 'good' },
  paid: { label: 'Paid', tone: 'neutral' },
  void: { label: 'Void', tone: 'neutral' },
}

/** The words for the fields in the invoice's history. */
const fieldWords: Record<string, string> = {
  vendor_id: 'vendor',
  id_vendor_contact: 'contact',
  vendor_invoice_no: 'number',
  invoice_date: 'invoice date',
  received_date: 'day received',
  po_no: 'purchase order',
  due_date: 'due date',
  shipping_cents: 'shipping',
  tax_cents: 'tax',
  discount_cents: 'discount',
  total_cents: 'total',
}

/** Returns `number, shipping` for `vendor_invoice_no, shipping_cents`. */
export function detailWords(detail: string): string {
  return detail
    .split(', ')
    .map((word) => fieldWords[word] ?? word)
    .join(', ')
}

export const keptAtServer = 'Receipts are available online.'
