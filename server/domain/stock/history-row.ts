import type { Insertable } from 'kysely'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import { stockWord } from '#contract/stock/stock-state.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/** Where a piece stands, and in which store. */
export type Standing = { status: InventoryStatus; store_id: number }

/**
 * One row of a frame's history, worded the same whoever writes it: a person's action, the closing of a count, the demo.
 * Stores are named only when the piece moved; `before` is null for a piece that came to the chain just then.
 */
export function historyRow(change: {
  id_inventory: number
  /** What happened, in words. */
  action: string
  before: Standing | null
  after: Standing
  at: string
  by: { id_user: number | null; rep: string; device_id: string | null }
  extra: string
  /** The count that did it, whose number stands in `extra`; a person's note stands there otherwise. */
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
