import { sql } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import type { Writing } from '#server/platform/db/database.ts'
import type { FrameTable } from '#server/platform/db/tables/stock-tables.ts'
import { historyRow } from '#server/domain/stock/history-row.ts'

/** Number of history rows in one statement. */
const chunk = 500

export type NewPrice = { id_inventory: number; version: number; pb_selling_price: number }
type PricedFrame = Pick<FrameTable, 'status' | 'store_id' | 'version' | 'pb_selling_price'> & { id_inventory: number }

/**
 * Writes the new prices of all these frames or of none, each with its row of history. Returns how many prices changed.
 * @throws Refusal frame-changed
 */
export async function writePrices(
  { trx, revision }: Writing,
  { at, ...by }: { at: string; id_user: number; rep: string },
  frames: readonly PricedFrame[],
  items: readonly NewPrice[],
): Promise<number> {
  const wanted = new Map(items.map((item) => [item.id_inventory, item]))
  const stale = frames.filter((frame) => wanted.get(frame.id_inventory)?.version !== frame.version)
  const [first] = stale
  if (first) {
    const { status, version } = first
    const message = frames.length === 1 ? {} : { message: `${stale.length} of the frames were changed by someone else` }
    throw new Refusal('frame-changed', { ...message, details: { ids: stale.map((frame) => frame.id_inventory), status, version } })
  }
  const changed = frames.flatMap((frame) => {
    const price = wanted.get(frame.id_inventory)?.pb_selling_price
    return price === undefined || price === frame.pb_selling_price ? [] : [{ frame, price }]
  })
  if (changed.length === 0) return 0
  await sql`
    update frames set pb_selling_price = priced.price, version = frames.version + 1, changed_at = ${at}, revision = ${revision('chain')}
    from unnest(${changed.map(({ frame }) => frame.id_inventory)}::int[], ${changed.map(({ price }) => price)}::bigint[]) as priced (id, price)
    where frames.id_inventory = priced.id
  `.execute(trx)
  const rows = changed.map(({ frame, price }) =>
    historyRow({
      id_inventory: frame.id_inventory,
      action: 'Price',
      before: frame,
      after: frame,
      at,
      by: { ...by, device_id: null },
      extra: `${inDollars(frame.pb_selling_price)} to ${inDollars(price)}`,
    }),
  )
  for (let from = 0; from < rows.length; from += chunk) {
    await trx
      .insertInto('frame_history')
      .values(rows.slice(from, from + chunk))
      .execute()
  }
  return changed.length
}

function inDollars(cents: number | null): string {
  return cents === null ? 'no price' : `$${(cents / 100).toFixed(2)}`
}
