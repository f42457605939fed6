import type { Insertable } from 'kysely'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import { stockWord } from '#contract/stock/stock-state.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/** The status of a piece and its store. */
export type Standing = { status: InventoryStatus; store_id: number }

/**
 * One row of a frame's history. A user's action, the closing of a count and the demo all use the same words. It names
 * stores only when the piece moved. `before` is null for a piece that is new in the chain.
 */
export function historyRow(change: {
  id_inventory: number
  /** The event in words. */
  action: string
  before: Standing | null
  after: Standing
  at: string
  by: { id_user: number | null; rep: string; device_id: string | null }
  extra: string
  /** The count that changed the frame. Its number is in `extra`, which otherwise holds the user's note. */
  id_count_sheet?: string
}): Insertable<Schema['frame_history']> {
  const { id_inventory, action, before, after, at, by, extra, id_count_sheet = null } = change
  const moved = before?.store_id !== after.store_id
  return {
    id_inventory,
    at,
    ...by,
    action,
    status_before: before?.status ?? null,
    status: after.status,
    from_store_id: moved ? (before?.store_id ?? null) : null,
    to_store_id: moved ? after.store_id : null,
    stock: stockWord(after.status),
    extra,
    id_count_sheet,
  }
}
