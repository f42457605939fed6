/** Totals, states and steps of a vendor invoice. Whole cents everywhere. */

/**
 * `draft` until the first piece is received. `receiving` until a user says that everything is here; then `received`, or
 * `discrepancy` where pieces and paper disagree. `posted` is checked and closed, and `paid` is the end. A `void`
 * invoice never counted.
 */
export const vendorInvoiceStatuses = ['draft', 'receiving', 'received', 'discrepancy', 'posted', 'paid', 'void'] as const
export type VendorInvoiceStatus = (typeof vendorInvoiceStatuses)[number]

/** The most pieces of one model in one receipt. */
export const mostReceived = 100

/** The steps of a user on an invoice, apart from its pieces. */
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

/** Returns the status after a step that `mayStep` allows. */
export function afterStep(step: VendorInvoiceStep, agrees: boolean): VendorInvoiceStatus {
  if (step === 'finish') return agrees ? 'received' : 'discrepancy'
  if (step === 'reopen') return 'receiving'
  if (step === 'post') return 'posted'
  return step === 'pay' ? 'paid' : 'void'
}

/** Returns true when a user can still change the invoice's content. */
export function isOpen(status: VendorInvoiceStatus): boolean {
  return status === 'draft' || status === 'receiving' || status === 'received' || status === 'discrepancy'
}

export function takesPieces(status: VendorInvoiceStatus): boolean {
  return status === 'draft' || status === 'receiving'
}

/** Returns the status of an open invoice after a change of its pieces, lines or amounts. */
export function statusNow(status: VendorInvoiceStatus, pieces: number, agrees: boolean): VendorInvoiceStatus {
  if (!isOpen(status)) return status
  if (pieces === 0) return 'draft'
  if (status === 'draft' || status === 'receiving') return 'receiving'
  return agrees ? 'received' : 'discrepancy'
}

/** The amounts on the paper beside its lines; `total_cents` is null while the paper is not here. */
export type InvoiceAmounts = { shipping_cents: number; tax_cents: number; discount_cents: number; total_cents: number | null }

export type TotalsCheck = {
  /** The known costs of the received pieces. */
  subtotal_cents: number
  /** With shipping and tax, without the discount. */
  computed_cents: number
  /** How far this is above the paper's total; null while there is no total to compare. */
  out_by_cents: number | null
}

/**
 * Compares pieces + shipping + tax − discount with the paper's total. A piece with an unknown cost counts as nothing.
 */
export function totalsCheck(amounts: InvoiceAmounts, subtotal_cents: number): TotalsCheck {
  const computed_cents = subtotal_cents + amounts.shipping_cents + amounts.tax_cents - amounts.discount_cents
  return { subtotal_cents, computed_cents, out_by_cents: amounts.total_cents === null ? null : computed_cents - amounts.total_cents }
}

/** Returns `off by $3.00`; null when the sums agree or there is nothing to compare. */
export function outBy({ out_by_cents }: Pick<TotalsCheck, 'out_by_cents'>): string | null {
  if (out_by_cents === null || out_by_cents === 0) return null
  const [whole = '', rest] = (Math.abs(out_by_cents) / 100).toFixed(2).split('.')
  return `off by $${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${rest}`
}

/** How far an invoice is from its paper; `totals` is null for users who may not see costs. */
export type Standing = {
  pieces: number
  /** Lines with more or fewer pieces here than on the paper. */
  lines_off: number
  totals: { missing_costs: number; total_cents: number | null; out_by_cents: number | null } | null
}

/** Returns how pieces and paper disagree, in words; nothing when they agree. */
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

/** Returns why a received piece cannot leave its invoice again, in words; null when it can. */
export function whyPieceStays(
  piece: { sku: string; status: string; store_id: number; is_listed: boolean },
  invoice: { store_id: number },
): string | null {
  if (piece.store_id !== invoice.store_id) return `${piece.sku} has moved to another store`
  if (piece.status !== 'Ready for Sale') return `${piece.sku} is ${piece.status}`
  return piece.is_listed ? `${piece.sku} is on a transfer` : null
}

/** The received pieces of one model beside the paper's. */
export type Arriving = {
  /** Null when nobody has entered the paper's line; 0 when the paper does not have the model. */
  qty_invoiced: number | null
  /** Its pieces received before, also those that wait on this tablet. */
  here: number
  quantity: number
}

/**
 * Returns what the user must confirm before receiving pieces, in words; nothing when they match the paper. The server
 * and the tablet both ask this. `foreignTo` is the vendor of the invoice when the brand is another vendor's, else null.
 */
export function whatToConfirm({ qty_invoiced, here, quantity }: Arriving, foreignTo: string | null): string[] {
  const told: string[] = []
  if (qty_invoiced === 0) told.push('Not on the invoice')
  else if (qty_invoiced !== null && here + quantity > qty_invoiced) {
    const more = here + quantity - Math.max(qty_invoiced, here)
    told.push(`${more === 1 ? 'One' : more} more than the invoice: ${here + quantity} of ${qty_invoiced}`)
  }
  // A model on the invoice is expected from this vendor, even when the brand is another vendor's.
  if (foreignTo !== null && !(qty_invoiced !== null && qty_invoiced > 0)) told.push(`${foreignTo} doesn’t carry this brand`)
  return told
}

/** Returns how many of the pieces are on the paper: `5` of `5 of 8 received · 2 extra`. */
export function expectedHere({ pieces, extra }: { pieces: number; extra: number }): number {
  return pieces - extra
}
