import { sql, type Insertable } from 'kysely'
import type { Writing } from '#server/platform/db/database.ts'
import type { FrameTable } from '#server/platform/db/tables/stock-tables.ts'
import { historyRow } from '#server/domain/stock/history-row.ts'

type Codes = { id_inventory: number; sku: string; serial: string }
/** Fields that this module sets: the codes, the state and the dates of a new piece. */
type Given =
  | keyof Codes
  | 'status'
  | 'receipt_at'
  | 'last_seen_at'
  | 'last_count_sheet_id'
  | 'removed_reason'
  | 'version'
  | 'changed_at'
  | 'deleted_at'
  | 'revision'
export type NewPiece = Omit<Insertable<FrameTable>, Given>

/** Inserts pieces that are for sale in a store. Each gets its own store tag, its own F# and a first row of history. */
export async function insertPieces(
  writing: Writing,
  piece: NewPiece,
  quantity: number,
  { at, id_user, rep, action, extra }: { at: string; id_user: number; rep: string; action: string; extra: string },
): Promise<void> {
  const { trx, revision } = writing
  const shared = {
    ...piece,
    status: 'Ready for Sale' as const,
    receipt_at: at,
    last_seen_at: at,
    version: 1,
    changed_at: at,
    revision: revision('chain'),
  }
  const codes = await freeCodes(writing, piece.store_id, quantity)
  await trx
    .insertInto('frames')
    .values(codes.map((own) => ({ ...shared, ...own })))
    .execute()
  const by = { id_user, rep, device_id: null }
  const rows = codes.map(({ id_inventory }) => historyRow({ id_inventory, action, before: null, after: shared, at, by, extra }))
  await trx.insertInto('frame_history').values(rows).execute()
}

/** Returns numbers that no piece has had. It skips numbers that a user once gave by hand. */
async function freeCodes({ trx }: Writing, storeId: number, quantity: number): Promise<Codes[]> {
  const { short_name } = await trx.selectFrom('stores').select('short_name').where('store_id', '=', storeId).executeTakeFirstOrThrow()
  const tag =
    short_name
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .slice(0, 6) || `S${storeId}`
  const free: Codes[] = []
  while (free.length < quantity) {
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('frames', 'id_inventory'))::int as id from generate_series(1, ${quantity - free.length}::int)
    `.execute(trx)
    const drawn = rows.map(({ id }) => ({
      id_inventory: id,
      sku: `${tag}-${String(id).padStart(6, '0')}`,
      serial: `F${String(100_000 + id).padStart(7, '0')}`,
    }))
    const taken = await trx
      .selectFrom('frames')
      .select(['id_inventory', 'sku', 'serial'])
      .where((where) =>
        where.or([
          where(
            'sku',
            'in',
            drawn.map(({ sku }) => sku),
          ),
          where(
            'serial',
            'in',
            drawn.map(({ serial }) => serial),
          ),
          where(
            'id_inventory',
            'in',
            drawn.map(({ id_inventory }) => id_inventory),
          ),
        ]),
      )
      .execute()
    const isTaken = (one: Codes) =>
      taken.some((other) => other.sku === one.sku || other.serial === one.serial || other.id_inventory === one.id_inventory)
    free.push(...drawn.filter((one) => !isTaken(one)))
  }
  return free
}
