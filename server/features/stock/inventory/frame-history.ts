import type { Kysely } from 'kysely'
import type { ItemHistory } from '#contract/stock/frames.ts'
import { isInStock } from '#contract/stock/stock-state.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { FrameWithNames } from '#server/domain/stock/frame-rows.ts'

/** Shown when a row has no store. */
const noStore = 'N/A'

/** Returns the facts about a piece and its history, newest first. */
export async function historyOf(db: Kysely<Schema>, frame: FrameWithNames): Promise<ItemHistory> {
  const rows = await db
    .selectFrom('frame_history')
    .leftJoin('stores as from_store', 'from_store.store_id', 'frame_history.from_store_id')
    .leftJoin('stores as to_store', 'to_store.store_id', 'frame_history.to_store_id')
    .select(['rep', 'action', 'status', 'stock', 'at', 'extra', 'from_store.store_name as from_name', 'to_store.store_name as to_name'])
    .where('id_inventory', '=', frame.id_inventory)
    .orderBy('at', 'desc')
    .orderBy('frame_history.id', 'desc')
    .execute()
  const { receipt_number, receipt_at } = frame
  return {
    general_info: {
      defective: frame.status === 'Defective',
      store: frame.store_name,
      status: frame.status,
      in_stock: isInStock(frame.status),
      receipt_add: receipt_number === null || receipt_at === null ? null : { number: receipt_number, date: receipt_at },
      // Invoices are not joined here yet, so the patient of a piece is unknown.
      patient: null,
    },
    transaction_history: rows.map((row) => ({
      rep: row.rep,
      action: row.action,
      status: row.status,
      store_info: { from_store: row.from_name ?? noStore, to_store: row.to_name ?? noStore },
      stock: row.stock,
      date: row.at,
      extra: row.extra,
    })),
  }
}
