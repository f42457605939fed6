import type { Kysely } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import type { Frame } from '#contract/stock/frames.ts'
import type { AddedFrames } from '#contract/stock/stock.ts'
import { keptUpc, notAUpc } from '#contract/stock/stock-codes.ts'
import { netCost } from '#contract/stock/stock-money.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'
import { insertPieces } from '#server/domain/stock/new-pieces.ts'
import { standingModel } from '#server/domain/stock/standing-model.ts'
import { selectFrames, toFrame } from '#server/domain/stock/frame-rows.ts'

/**
 * Adds pieces of one model to the user's store, each with its own store tag and F#. The same call again returns the
 * same pieces. @throws Refusal request-invalid, key-reused
 */
export async function addFrames(services: Services, scope: Scope, addId: string, added: AddedFrames): Promise<Frame[]> {
  const upc = added.upc === null || added.upc.trim() === '' ? { upc: null, gtin: null } : keptUpc(added.upc)
  if (!upc) throw invalid('upc', notAUpc)
  return await services.db.write(['chain'], async (writing) => {
    const { trx } = writing
    // Writers of frames take turns, so a repeated call finds the pieces of the first.
    const known = await addedBy(trx, addId)
    if (known.length > 0) {
      if (!isSame(known, scope, added)) throw new Refusal('key-reused')
      return known
    }
    const brand = await trx.selectFrom('brands').selectAll().where('brand_id', '=', added.brand_id).executeTakeFirst()
    if (!brand) throw invalid('brand_id', 'Brand not found')
    const at = new Date(services.clock.now()).toISOString()
    const { quantity, note, ...typed } = added
    const standing = await standingModel(trx, added, upc, { at, id_user: scope.id_user, rep: scope.name, store_id: scope.store_id })
    // A user who may not see costs cannot enter them, so the price book's cost counts.
    const isBlind = added.item_list_cost === null && !scope.permissions.has('frame.see-cost')
    const model = isBlind ? { ...typed, item_list_cost: standing.list_cost, item_discount: standing.discount_pct } : typed
    const piece = {
      ...model,
      ...upc,
      add_id: addId,
      store_id: scope.store_id,
      vendor_id: brand.vendor_id,
      id_model: standing.id_model,
      item_net: netCost(model.item_list_cost, model.item_discount),
      note: note?.trim() || null,
    }
    await insertPieces(writing, piece, quantity, { at, id_user: scope.id_user, rep: scope.name, action: 'Added', extra: piece.note ?? '' })
    return await addedBy(trx, addId)
  })
}

async function addedBy(db: Kysely<Schema>, addId: string): Promise<Frame[]> {
  const rows = await selectFrames(db).where('frames.add_id', '=', addId).orderBy('frames.id_inventory').execute()
  return rows.map(toFrame)
}

function isSame(known: readonly Frame[], scope: Scope, added: AddedFrames): boolean {
  const [first] = known
  return (
    known.length === added.quantity &&
    first?.store_id === scope.store_id &&
    first.brand_id === added.brand_id &&
    first.title_product === added.title_product &&
    first.title_variant === added.title_variant
  )
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('request-invalid', { fields: [{ path: `body.${field}`, message }] })
}
