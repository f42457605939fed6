import type { Kysely } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import type { FrameRecord } from '#contract/stock/frames.ts'
import type { PricePreview } from '#contract/stock/stock.ts'
import { changedPrice, marginPct, type PriceChange } from '#contract/stock/stock-money.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { frameRecordOf } from '#server/features/stock/inventory/frame-record.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'
import { type NewPrice, writePrices } from '#server/domain/stock/write-prices.ts'
import { framesOf } from '#server/domain/stock/find-frame.ts'
import { selectFrames } from '#server/domain/stock/frame-rows.ts'

/** The effect of a change on the prices, without writing it. @throws Refusal frame-unknown, store-foreign */
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
  return await services.db.write(['chain'], async (writing) => {
    const { id_inventory, pb_selling_price } = change
    const [frame] = await framesOf(writing.trx, scope, [id_inventory])
    if (!frame) throw new Refusal('frame-unknown')
    await writePrices(
      writing,
      priceWriter(services, scope),
      [frame],
      [{ id_inventory, pb_selling_price, version: change.version ?? frame.version }],
    )
    const changed = await selectFrames(writing.trx).where('frames.id_inventory', '=', id_inventory).executeTakeFirstOrThrow()
    return await frameRecordOf(writing.trx, changed, scope)
  })
}

/** Changes all prices or none. Returns how many changed. @throws Refusal frame-unknown, frame-changed, store-foreign */
export async function changePrices(services: Services, scope: Scope, items: readonly NewPrice[]): Promise<number> {
  return await services.db.write(['chain'], async (writing) => {
    const ids = items.map(({ id_inventory }) => id_inventory)
    return await writePrices(writing, priceWriter(services, scope), await framesOf(writing.trx, scope, ids), items)
  })
}

function priceWriter(services: Services, scope: Scope) {
  return { at: new Date(services.clock.now()).toISOString(), id_user: scope.id_user, rep: scope.name }
}
