import { sql, type Kysely } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { FrameRecord } from '#contract/frames.ts'
import type { PricePreview } from '#contract/stock.ts'
import { changedPrice, marginPct, type PriceChange } from '#contract/stock-money.ts'
import type { Writing } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { frameRecordOf, selectFrames, type FrameWithNames } from '#server/features/inventory/find-frame.ts'
import type { Scope } from '#server/http/scope.ts'
import { storesOf } from '#server/people/stores-of.ts'
import type { Services } from '#server/services.ts'
import { historyRow } from '#server/stock/history-row.ts'

/** Rows of history that are written at once. */
const chunk = 500

type NewPrice = { id_inventory: number; version: number; pb_selling_price: number }

/** What a change would make of prices. @throws Refusal frame-unknown, store-foreign */
export async function previewPrices(
  db: Kysely<Schema>,
  scope: Scope,
  ids: readonly number[],
  change: PriceChange,
): Promise<PricePreview[]> {
  const frames = await framesOf(db, scope, ids)
  const maySeeCost = scope.permissions.has('frame.see-cost')
  return frames.map((frame) => {
    const { price, problem } = changedPrice(frame, change)
    return {
      id_inventory: frame.id_inventory,
      version: frame.version,
      before: frame.pb_selling_price,
      after: price,
      problem,
      margin_pct: maySeeCost ? marginPct(price, frame.item_net) : null,
    }
  })
}

/** @throws Refusal frame-unknown, frame-changed, store-foreign */
export async function changePrice(
  services: Services,
  scope: Scope,
  change: Omit<NewPrice, 'version'> & { version: number | undefined },
): Promise<FrameRecord> {
  return await services.db.writing(['chain'], async (writing) => {
    const { id_inventory, pb_selling_price } = change
    const [frame] = await framesOf(writing.trx, scope, [id_inventory])
    if (!frame) throw new Refusal('frame-unknown')
    await writePrices(writing, services, scope, [frame], [{ id_inventory, pb_selling_price, version: change.version ?? frame.version }])
    const changed = await selectFrames(writing.trx).where('frames.id_inventory', '=', id_inventory).executeTakeFirstOrThrow()
    return await frameRecordOf(writing.trx, changed, scope)
  })
}

/** All of them or none. Returns how many became another price. @throws Refusal frame-unknown, frame-changed, store-foreign */
export async function changePrices(services: Services, scope: Scope, items: readonly NewPrice[]): Promise<number> {
  return await services.db.writing(['chain'], async (writing) => {
    const ids = items.map(({ id_inventory }) => id_inventory)
    return await writePrices(writing, services, scope, await framesOf(writing.trx, scope, ids), items)
  })
}

/** The frames with these numbers, all of them, and all of stores that the person belongs to. */
async function framesOf(db: Kysely<Schema>, scope: Scope, ids: readonly number[]): Promise<FrameWithNames[]> {
  const frames = await selectFrames(db)
    .where('frames.id_inventory', '=', sql<number>`any(${[...ids]}::int[])`)
    .orderBy('frames.id_inventory')
    .execute()
  if (frames.length < new Set(ids).size) throw new Refusal('frame-unknown')
  const theirs = await storesOf(db, scope.id_user)
  const foreign = frames.find((frame) => frame.store_id !== scope.store_id && !theirs.includes(frame.store_id))
  if (foreign) throw new Refusal('store-foreign', { message: `This frame belongs to ${foreign.store_name}` })
  return frames
}

async function writePrices(
  { trx, revision }: Writing,
  services: Services,
  scope: Scope,
  frames: readonly FrameWithNames[],
  items: readonly NewPrice[],
): Promise<number> {
  const wanted = new Map(items.map((item) => [item.id_inventory, item]))
  const stale = frames.filter((frame) => wanted.get(frame.id_inventory)?.version !== frame.version)
  const [first] = stale
  if (first) {
    const { status, version } = first
    const message = frames.length === 1 ? {} : { message: `${stale.length} of the frames were changed by someone else meanwhile` }
    throw new Refusal('frame-changed', { ...message, details: { ids: stale.map((frame) => frame.id_inventory), status, version } })
  }
  const changed = frames.flatMap((frame) => {
    const price = wanted.get(frame.id_inventory)?.pb_selling_price
    return price === undefined || price === frame.pb_selling_price ? [] : [{ frame, price }]
  })
  if (changed.length === 0) return 0
  const at = new Date(services.clock.now()).toISOString()
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
      by: { id_user: scope.id_user, rep: scope.name, device_id: null },
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
