import { sql, type Kysely, type Transaction } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import type { AddedFrames } from '#contract/stock/stock.ts'
import type { KeptUpc } from '#contract/stock/stock-codes.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { priceColumns, recordPrices } from '#server/domain/stock/model-prices.ts'

/** The color and size that set a model apart from others of its product. */
export type ModelKey = { id_product: number; title_variant: string; eye: number | null; bridge: number | null; temple: number | null }

/** Color code and color as a piece shows them: `C1 Matte Black`. */
export function variantOf({ color_code, color_name }: { color_code: string; color_name: string }): string {
  return [color_code, color_name].filter((part) => part !== '').join(' ')
}

/** The product of a brand with this name. */
export async function findProduct(db: Kysely<Schema>, brandId: number, title: string): Promise<number | null> {
  const found = await db
    .selectFrom('products')
    .select('id_product')
    .where('brand_id', '=', brandId)
    .where(sql`lower(title)`, '=', sql`lower(${title.trim()})`)
    .executeTakeFirst()
  return found?.id_product ?? null
}

/** The model of a product with this color and size. */
export async function findModel(db: Kysely<Schema>, key: ModelKey): Promise<number | null> {
  const found = await db
    .selectFrom('models')
    .select('id_model')
    .where('id_product', '=', key.id_product)
    .where(sql`lower(title_variant)`, '=', sql`lower(${key.title_variant.trim()})`)
    .where(sql`coalesce(eye, 0)`, '=', key.eye ?? 0)
    .where(sql`coalesce(bridge, 0)`, '=', key.bridge ?? 0)
    .where(sql`coalesce(temple, 0)`, '=', key.temple ?? 0)
    .executeTakeFirst()
  return found?.id_model ?? null
}

/** The models with these UPCs, their own or learned ones, by UPC. */
export async function modelsWithUpcs(db: Kysely<Schema>, gtins: readonly string[]): Promise<Map<string, number>> {
  const wanted = sql<string>`any(${[...gtins]}::text[])`
  const found = await db
    .selectFrom('models')
    .select([sql<string>`gtin`.as('gtin'), 'id_model'])
    .where('gtin', '=', wanted)
    .unionAll(db.selectFrom('model_upcs').select(['gtin', 'id_model']).where('gtin', '=', wanted))
    .execute()
  return new Map(found.map(({ gtin, id_model }) => [gtin, id_model]))
}

/** The model with this UPC. */
export async function modelWithUpc(db: Kysely<Schema>, gtin: string): Promise<number | null> {
  return (await modelsWithUpcs(db, [gtin])).get(gtin) ?? null
}

/**
 * Gives a UPC to this model: as its own when it has none, otherwise as one more. Returns false when the model already
 * had it.
 * @throws Refusal upc-taken, when another model has it
 */
export async function learnUpc(
  trx: Transaction<Schema>,
  { id_model, gtin }: { id_model: number; gtin: string | null },
  learned: KeptUpc,
  { at, ...who }: { at: string; id_user: number; rep: string; store_id: number },
): Promise<boolean> {
  const known = await modelWithUpc(trx, learned.gtin)
  if (known === id_model) return false
  if (known !== null) throw new Refusal('upc-taken', { details: { id_model: known } })
  if (gtin === null) {
    await trx
      .updateTable('models')
      .set((expr) => ({ ...learned, version: expr('version', '+', 1), changed_at: at }))
      .where('id_model', '=', id_model)
      .execute()
  } else
    await trx
      .insertInto('model_upcs')
      .values({ ...learned, id_model, at, rep: who.rep })
      .execute()
  await trx
    .insertInto('library_history')
    .values({ at, ...who, action: 'model.change', brand_id: null, id_product: null, id_model, detail: `upc ${learned.upc}` })
    .execute()
  return true
}

type StandingModel = { id_model: number; list_cost: number | null; discount_pct: number | null }

/** Returns the model of pieces with this name, color and size. A new model is added to the library. */
export async function standingModel(
  trx: Transaction<Schema>,
  added: AddedFrames,
  upc: KeptUpc | { upc: null; gtin: null },
  by: { at: string; id_user: number; rep: string; store_id: number },
): Promise<StandingModel> {
  const { at, id_user, rep, store_id } = by
  const { brand_id } = added
  const id_product =
    (await findProduct(trx, brand_id, added.title_product)) ??
    (
      await trx
        .insertInto('products')
        .values({ brand_id, title: added.title_product.trim(), changed_at: at })
        .returning('id_product')
        .executeTakeFirstOrThrow()
    ).id_product
  const key: ModelKey = {
    id_product,
    title_variant: added.title_variant,
    eye: added.size_lens_width,
    bridge: added.size_bridge_width,
    temple: added.size_temple_length,
  }
  const known = await findModel(trx, key)
  if (known !== null) {
    return await trx
      .selectFrom('models')
      .select(['id_model', 'list_cost', 'discount_pct'])
      .where('id_model', '=', known)
      .executeTakeFirstOrThrow()
  }
  const prices = priceColumns({
    list_cost: added.item_list_cost,
    discount_pct: added.item_discount,
    msrp: null,
    rule: { kind: 'fixed', cents: added.pb_selling_price },
  })
  // Name, color and size decide the model, even when the label's UPC belongs to another one.
  const isFree = upc.gtin !== null && (await modelWithUpc(trx, upc.gtin)) === null
  const { id_model } = await trx
    .insertInto('models')
    .values({
      ...key,
      title_variant: key.title_variant.trim(),
      color_code: '',
      color_name: key.title_variant.trim(),
      upc: isFree ? upc.upc : null,
      gtin: isFree ? upc.gtin : null,
      ...prices,
      min_qty: 0,
      changed_at: at,
    })
    .returning('id_model')
    .executeTakeFirstOrThrow()
  await recordPrices(trx, { at, id_user, rep }, [{ id_model, ...prices }])
  await trx
    .insertInto('library_history')
    .values({ at, id_user, rep, store_id, action: 'model.add', brand_id, id_product, id_model, detail: 'with pieces' })
    .execute()
  return { id_model, list_cost: prices.list_cost, discount_pct: prices.discount_pct }
}
