import { controlActions } from '#contract/stock/control-rules.ts'
import type { ControlFlag, InventoryStatus } from '#contract/stock/frames.ts'

/** Where a piece stands, in which store, and what it carries of how it came there. */
export type PieceState = { status: InventoryStatus; store_id: number; last_seen_at: string | null }

/** Whether a piece of this state lies in its store, for sale or not. */
export function isInStock(status: InventoryStatus): boolean {
  return status === 'Ready for Sale' || status === 'Defective' || status === 'On Hold'
}

/** What the history says of it. */
export function stockWord(status: InventoryStatus): 'In stock' | 'Out of stock' {
  return isInStock(status) ? 'In stock' : 'Out of stock'
}

/** With these the piece lies in the person's hand: it is in stock where they are, wherever it was before. */
export function bringsHere(flag: ControlFlag): boolean {
  return flag === 'state_return_in_stock' || flag === 'state_in_stock'
}

/** What one of the seven actions makes of a piece when somebody takes it in a store at a moment. Whether it is allowed: `controlRefusal`. */
export function afterControl(
  flag: ControlFlag,
  before: PieceState,
  here: { store_id: number; at: string },
): PieceState & { removed_reason: 'vendor_return' | 'other' | null } {
  const { to, removedReason } = controlActions[flag]
  // A missing or written-off piece is one that nobody saw.
  const isUnseen = to === 'Missing' || flag === 'state_remove_other'
  return {
    status: to,
    store_id: bringsHere(flag) ? here.store_id : before.store_id,
    last_seen_at: isUnseen ? before.last_seen_at : here.at,
    removed_reason: removedReason ?? null,
  }
}
