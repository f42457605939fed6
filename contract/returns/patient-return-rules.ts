/** What patients bring back: where it stands, where each piece goes, and what it is worth. Whole cents everywhere. */

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

/** Whose warranty it falls under. */
export const warranties = ['none', 'manufacturer', 'store'] as const
export type Warranty = (typeof warranties)[number]

/** Where a frame goes that came back; `none` where the patient keeps it, and for what is no frame. */
export const restockPlaces = ['to_stock', 'defective', 'vendor', 'none'] as const
export type RestockPlace = (typeof restockPlaces)[number]

/** `store credit` leaves what is due to the patient on the invoice, to be used later. */
export const refundMethods = ['original tender', 'store credit', 'gift card'] as const
export type RefundMethod = (typeof refundMethods)[number]

/** Where a frame goes most often, by why it came back. */
export function usualPlace(reason: PatientReturnReason): Exclude<RestockPlace, 'none'> {
  return reason === 'defect frame' ? 'defective' : 'to_stock'
}

/** The patient’s share of some of the pieces of a line, to the cent: brought back one by one they may come to a cent or two less than the whole. */
export function shareOfPieces(patientCents: number, qty: number, returned: number): number {
  return returned === qty ? patientCents : Math.round((patientCents * returned) / qty)
}

export type ReturnAmounts = {
  /** What is taken off the invoice. */
  credit_cents: number
  /** Of it what the patient has paid, and gets back. */
  refund_cents: number
}

/**
 * What a confirmed return comes to: the shares of what came back without the fee, and never more back than was paid.
 *
 * @param shares of the patient in what came back
 * @param fee for taking it back; above the shares it takes no more than they are
 * @param balance what the patient owes on the invoice before it; below 0 is credit
 */
export function returnAmounts(shares: readonly number[], fee: number, balance: number): ReturnAmounts {
  const credit = Math.max(0, shares.reduce((sum, share) => sum + share, 0) - fee)
  // What was unpaid is not owed any more; what is left of the credit goes back.
  return { credit_cents: credit, refund_cents: Math.max(0, Math.min(credit, credit - balance)) }
}
