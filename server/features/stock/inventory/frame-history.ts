import type { Kysely } from 'kysely'
import type { ItemHistory } from '#contract/stock/frames.ts'
import { isInStock } from '#contract/stock/stock-state.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { personName } from '#server/domain/people/person-name.ts'
import type { FrameWithNames } from '#server/domain/stock/frame-rows.ts'

/** Shown when a row has no store. */
const noStore = 'N/A'

/** Returns the facts about a piece and its history, newest first. It names the counts that saw the piece, and who scanned it. */
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
  const counts = await countsOf(db, frame.id_inventory)
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
    transaction_history: rows
      .map((row) => ({
        rep: row.rep,
        action: row.action,
        status: row.status,
        store_info: { from_store: row.from_name ?? noStore, to_store: row.to_name ?? noStore },
        stock: row.stock,
        date: row.at,
        extra: row.extra,
      }))
      .concat(counts)
      // Rows of one moment keep their order: the newest has the highest id.
      .sort((a, b) => Date.parse(b.date) - Date.parse(a.date)),
  }
}

/** The last scan of the piece on each count sheet, as rows of its history. Undone scans are left out. */
async function countsOf(db: Kysely<Schema>, idInventory: number): Promise<ItemHistory['transaction_history']> {
  const scans = await db
    .selectFrom('count_scans as scan')
    .innerJoin('count_sheets as sheet', 'sheet.id_count_sheet', 'scan.id_count_sheet')
    .innerJoin('users', 'users.id_user', 'scan.author_id')
    .innerJoin('stores', 'stores.store_id', 'scan.store_id')
    .distinctOn('scan.id_count_sheet')
    .select([personName('users').as('rep'), 'sheet.number', 'stores.store_name', 'scan.captured_at', 'scan.finding', 'scan.finding_detail'])
    .where('scan.id_inventory', '=', idInventory)
    .where('sheet.deleted_at', 'is', null)
    .where((where) =>
      where.not(where.exists(where.selectFrom('count_scans as undo').select('undo.id').whereRef('undo.negates', '=', 'scan.id'))),
    )
    .where('scan.negates', 'is', null)
    .orderBy('scan.id_count_sheet')
    .orderBy('scan.captured_at', 'desc')
    .execute()
  return scans.map((scan) => ({
    rep: scan.rep,
    action: scan.finding === 'expected' ? 'Counted' : 'Set aside in a count',
    status: '',
    store_info: { from_store: scan.store_name, to_store: noStore },
    stock: '',
    date: scan.captured_at,
    extra: [`Count #${scan.number}`, scan.finding_detail].filter(Boolean).join(', '),
  }))
}
