/** What a vendor's invoice comes to, where it stands and what may become of it. Whole cents everywhere. */

/**
 * `draft` until the first piece is received, `receiving` until somebody says that all is here; then `received`, or `discrepancy` where pieces
 * and paper disagree. `posted` is checked and closed, `paid` the end. `void` never was one.
 */
export const vendorInvoiceStatuses = ['draft', 'receiving', 'received', 'discrepancy', 'posted', 'paid', 'void'] as const
export type VendorInvoiceStatus = (typeof vendorInvoiceStatuses)[number]

/** Pieces of one model that are received at once. */
export const mostReceived = 100

/** What a person does to an invoice, but its pieces. */
export const vendorInvoiceSteps = ['finish', 'reopen', 'post', 'pay', 'void'] as const
export type VendorInvoiceStep = (typeof vendorInvoiceSteps)[number]

const from: Record<VendorInvoiceStep, readonly VendorInvoiceStatus[]> = {
  finish: ['receiving'],
  reopen: ['received', 'discrepancy'],
  post: ['received', 'discrepancy'],
  pay: ['posted'],
  void: ['draft'],
}

export function mayStep(status: VendorInvoiceStatus, step: VendorInvoiceStep): boolean {
  return from[step].includes(status)
}

/** What an invoice becomes by a step that `mayStep`. */
export function afterStep(step: VendorInvoiceStep, agrees: boolean): VendorInvoiceStatus {
  if (step === 'finish') return agrees ? 'received' : 'discrepancy'
  if (step === 'reopen') return 'receiving'
  if (step === 'post') return 'posted'
  return step === 'pay' ? 'paid' : 'void'
}

/** Whether what stands on it can still be changed. */
export function isOpen(status: VendorInvoiceStatus): boolean {
  return status === 'draft' || status === 'receiving' || status === 'received' || status === 'discrepancy'
}

export function takesPieces(status: VendorInvoiceStatus): boolean {
  return status === 'draft' || status === 'receiving'
}

/** What an open invoice is after its pieces, lines or amounts have become others. */
export function statusNow(status: VendorInvoiceStatus, pieces: number, agrees: boolean): VendorInvoiceStatus {
  if (!isOpen(status)) return status
  if (pieces === 0) return 'draft'
  if (status === 'draft' || status === 'receiving') return 'receiving'
  return agrees ? 'received' : 'discrepancy'
}

/** What stands on the paper beside its lines; `total_cents` is null while the paper is not here. */
export type InvoiceAmounts = { shipping_cents: number; tax_cents: number; discount_cents: number; total_cents: number | null }

export type TotalsCheck = {
  /** What the received pieces cost, as far as that is known. */
  subtotal_cents: number
  /** With shipping and tax, without the discount. */
  computed_cents: number
  /** How much that is more than the paper says; null while there is no total to compare with. */
  out_by_cents: number | null
}

/** Pieces + shipping + tax − discount against what the paper says. A piece whose cost is not known counts nothing. */
export function totalsCheck(amounts: InvoiceAmounts, subtotal_cents: number): TotalsCheck {
  const computed_cents = subtotal_cents + amounts.shipping_cents + amounts.tax_cents - amounts.discount_cents
  return { subtotal_cents, computed_cents, out_by_cents: amounts.total_cents === null ? null : computed_cents - amounts.total_cents }
}

/** `off by $3.00`; null when the sums agree or there is nothing to compare. */
export function outBy({ out_by_cents }: Pick<TotalsCheck, 'out_by_cents'>): string | null {
  if (out_by_cents === null || out_by_cents === 0) return null
  const [whole = '', rest] = (Math.abs(out_by_cents) / 100).toFixed(2).split('.')
  return `off by $${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${rest}`
}

/** How far an invoice is from its paper; `totals` is null for those who may not see costs. */
export type Standing = {
  pieces: number
  /** Lines of which more or fewer pieces are here than the paper has. */
  lines_off: number
  totals: { missing_costs: number; total_cents: number | null; out_by_cents: number | null } | null
}

/** In which ways pieces and paper disagree, in words; none when they agree. */
export function differencesOf({ lines_off, totals }: Standing): string[] {
  const told: string[] = []
  if (lines_off > 0) told.push(lines_off === 1 ? '1 line off' : `${lines_off} lines off`)
  if (!totals) return told
  const { missing_costs, total_cents } = totals
  if (missing_costs > 0) told.push(missing_costs === 1 ? '1 frame has no cost' : `${missing_costs} frames have no cost`)
  if (total_cents === null) told.push('No invoice total')
  const off = outBy(totals)
  if (off !== null) told.push(off)
  return told
}

/** Why a received piece cannot be taken off its invoice again, in words; null when it can. */
export function whyPieceStays(
  piece: { sku: string; status: string; store_id: number; is_listed: boolean },
  invoice: { store_id: number },
): string | null {
  if (piece.store_id !== invoice.store_id) return `${piece.sku} has moved to another store`
  if (piece.status !== 'Ready for Sale') return `${piece.sku} is ${piece.status}`
  return piece.is_listed ? `${piece.sku} is on a transfer` : null
}

/** What came of one model, beside what the paper has of it. */
export type Arriving = {
  /** Null where nobody has entered what the paper has; 0 where the paper does not have the model. */
  qty_invoiced: number | null
  /** Pieces of it that were received before, those that wait on this tablet too. */
  here: number
  quantity: number
}

/**
 * What a person must confirm before pieces are received, in words; nothing where they are what the paper says. The server and the tablet
 * both ask this. `foreignTo` is the vendor of the invoice where the brand is another vendor's, else null.
 */
export function whatToConfirm({ qty_invoiced, here, quantity }: Arriving, foreignTo: string | null): string[] {
  const told: string[] = []
  if (qty_invoiced === 0) told.push('Not on the invoice')
  else if (qty_invoiced !== null && here + quantity > qty_invoiced) {
    const more = here + quantity - Math.max(qty_invoiced, here)
    told.push(`${more === 1 ? 'One' : more} more than the invoice: ${here + quantity} of ${qty_invoiced}`)
  }
  // A model on the invoice is expected from this vendor, also when the brand is another vendor's.
  if (foreignTo !== null && !(qty_invoiced !== null && qty_invoiced > 0)) told.push(`${foreignTo} doesn’t carry this brand`)
  return told
}

/** How many of the pieces are what the paper has: `5` of `5 of 8 received · 2 extra`. */
export function expectedHere({ pieces, extra }: { pieces: number; extra: number }): number {
  return pieces - extra
}
