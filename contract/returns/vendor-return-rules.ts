import type { Frame } from '#contract/stock/frame.ts'

/** What goes back to a vendor: where it stands, what may be done next, and whether the credit is right. Whole cents everywhere. */

/**
 * `draft` until the vendor is asked; `ra_requested` until they allow the return by an RMA number; `ra_approved` until the parcel leaves;
 * `shipped` until the credit note is here; `credited`, then `closed`. `ra_denied`: the vendor does not take it, and the pieces are in stock again.
 */
export const vendorReturnStatuses = ['draft', 'ra_requested', 'ra_approved', 'shipped', 'credited', 'closed', 'ra_denied'] as const
export type VendorReturnStatus = (typeof vendorReturnStatuses)[number]

export const vendorReturnReasons = ['defective', 'discontinued', 'stock balance', 'wrong item'] as const
export type VendorReturnReason = (typeof vendorReturnReasons)[number]

export const vendorReturnSteps = ['request', 'approve', 'deny', 'ship', 'credit', 'close'] as const
export type VendorReturnStep = (typeof vendorReturnSteps)[number]

const steps: Record<VendorReturnStep, { from: readonly VendorReturnStatus[]; to: VendorReturnStatus }> = {
  request: { from: ['draft'], to: 'ra_requested' },
  // Some vendors give the number on the telephone: nobody has asked in writing then.
  approve: { from: ['draft', 'ra_requested'], to: 'ra_approved' },
  // Also what was sent may come back unopened.
  deny: { from: ['ra_requested', 'ra_approved', 'shipped'], to: 'ra_denied' },
  ship: { from: ['ra_approved'], to: 'shipped' },
  credit: { from: ['shipped'], to: 'credited' },
  close: { from: ['credited'], to: 'closed' },
}

/** Steps that may come next, the usual one first. */
export function nextSteps(status: VendorReturnStatus): VendorReturnStep[] {
  return vendorReturnSteps.filter((step) => steps[step].from.includes(status))
}

/** What a return becomes by a step; null where it may not be taken. */
export function afterStep(status: VendorReturnStatus, step: VendorReturnStep): VendorReturnStatus | null {
  return steps[step].from.includes(status) ? steps[step].to : null
}

/** Whether pieces can be put on it and taken off. */
export function takesPieces(status: VendorReturnStatus): boolean {
  return status === 'draft' || status === 'ra_requested' || status === 'ra_approved'
}

/** Whether a piece that is on it is spoken for. */
export function isOpen(status: VendorReturnStatus): boolean {
  return status !== 'closed' && status !== 'ra_denied'
}

/** How much more (or, below zero, less) the vendor credited than was expected; null while either is unknown. */
export function creditDifference(expected: number | null, received: number | null): number | null {
  return expected === null || received === null ? null : received - expected
}

/** A vendor who has been silent for longer should be asked. */
export const silentDays = 30

/** Whether a return waits for its vendor for too long. @param since when the step before was taken. @param now ms */
export function isOverdue(status: VendorReturnStatus, since: string, now: number): boolean {
  return (status === 'ra_requested' || status === 'shipped') && now - Date.parse(since) > silentDays * 86_400_000
}

/** Why a piece cannot go back to a vendor, for the person who holds it; null when it can. The server and the tablet both ask this. */
export function whyNotReturned({ status, vendor_id }: Pick<Frame, 'status' | 'vendor_id'>, back: { vendor_id: number }): string | null {
  if (vendor_id !== back.vendor_id) return 'Made by another vendor — can’t go on this return'
  return status === 'Ready for Sale' || status === 'Defective' ? null : `${status} — can’t be returned`
}
