/** Patient returns: states, the place of each piece, and amounts. Whole cents everywhere. */

/** `pending` until somebody decides; both decisions are final. */
export const patientReturnStatuses = ['pending', 'confirmed', 'denied'] as const
export type PatientReturnStatus = (typeof patientReturnStatuses)[number]

export const patientReturnReasons = [
  'non-adapt',
  'wrong Rx',
  'defect frame',
  'defect lens',
  'changed mind',
  'doctor’s change',
  'remake',
] as const
export type PatientReturnReason = (typeof patientReturnReasons)[number]

/** The warranty that covers it. */
export const warranties = ['none', 'manufacturer', 'store'] as const
export type Warranty = (typeof warranties)[number]

/** Where a returned frame goes; `none` when the patient keeps it, and for items that are no frame. */
export const restockPlaces = ['to_stock', 'defective', 'vendor', 'none'] as const
export type RestockPlace = (typeof restockPlaces)[number]

/** `store credit` leaves the patient's credit on the invoice, to be used later. */
export const refundMethods = ['original tender', 'store credit', 'gift card'] as const
export type RefundMethod = (typeof refundMethods)[number]

/** Returns the usual place of a frame by the reason of its return. */
export function usualPlace(reason: PatientReturnReason): Exclude<RestockPlace, 'none'> {
  return reason === 'defect frame' ? 'defective' : 'to_stock'
}

/**
 * Returns the patient’s share of some pieces of a line, to the cent. Pieces returned one by one may add up to a cent or
 * two less than the whole.
 */
export function shareOfPieces(patientCents: number, qty: number, returned: number): number {
  return returned === qty ? patientCents : Math.round((patientCents * returned) / qty)
}

export type ReturnAmounts = {
  /** The amount that leaves the invoice. */
  credit_cents: number
  /** The part of it that the patient has paid, and gets back. */
  refund_cents: number
}

/**
 * Returns the amounts of a confirmed return: the shares of the returned items less the fee. The refund is never more
 * than the payments.
 *
 * @param shares the patient's shares of the returned items
 * @param fee for the return; at most the sum of the shares
 * @param balance the patient's balance on the invoice before the return; below 0 is credit
 */
export function returnAmounts(shares: readonly number[], fee: number, balance: number): ReturnAmounts {
  const credit = Math.max(0, shares.reduce((sum, share) => sum + share, 0) - fee)
  // The credit first covers the unpaid balance; the rest goes back to the patient.
  return { credit_cents: credit, refund_cents: Math.max(0, Math.min(credit, credit - balance)) }
}
