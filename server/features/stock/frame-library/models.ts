import { sql, type Kysely } from 'kysely'
import type { Model, Product } from '#contract/library/frame-library.ts'
import { Refusal } from '#contract/core/errors.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { findProductRow } from '#server/features/stock/frame-library/library-tree.ts'
import { lyingInStock } from '#server/domain/stock/library-search.ts'
import { bookedPricesOf } from '#server/domain/stock/model-prices.ts'

/** A product with all its models, by color and size. @throws Refusal product-unknown */
export async function modelsOfProduct(
  db: Kysely<Schema>,
  idProduct: number,
  withCosts: boolean,
): Promise<{ product: Product; models: Model[] }> {
  const product = await findProductRow(db, idProduct)
  if (!product) throw new Refusal('product-unknown')
  const rows = await selectModels(db)
    .where('models.id_product', '=', idProduct)
    .orderBy(sql`models.discontinued_at is not null`)
    .orderBy('models.title_variant')
    .orderBy('models.eye')
    .orderBy('models.bridge')
    .orderBy('models.temple')
    .orderBy('models.id_model')
    .execute()
  return { product, models: rows.map((row) => toModel(row, withCosts)) }
}

/** @throws Refusal model-unknown */
export async function findModelRow(db: Kysely<Schema>, idModel: number): Promise<ModelRow> {
  const row = await selectModels(db).where('models.id_model', '=', idModel).executeTakeFirst()
  if (!row) throw new Refusal('model-unknown')
  return row
}

function selectModels(db: Kysely<Schema>) {
  return db
    .selectFrom('models')
    .leftJoin('model_photos', 'model_photos.id_model', 'models.id_model')
    .selectAll('models')
    .select('model_photos.id_photo')
    .select(
      sql<Model['locations']>`(select coalesce(jsonb_agg(jsonb_build_object('store_id', store_id, 'store_name', store_name,
          'short_name', short_name, 'quantity', quantity) order by store_name, store_id), '[]')
        from (select stores.store_id, stores.store_name, stores.short_name, count(*) as quantity
          from frames join stores on stores.store_id = frames.store_id
          where frames.id_model = models.id_model and ${lyingInStock} group by stores.store_id) as shelves)`.as('locations'),
    )
}
export type ModelRow = Awaited<ReturnType<ReturnType<typeof selectModels>['executeTakeFirstOrThrow']>>

export function toModel(row: ModelRow, withCosts: boolean): Model {
  return {
    id_model: row.id_model,
    id_product: row.id_product,
    title_variant: row.title_variant,
    color_code: row.color_code,
    color_name: row.color_name,
    eye: row.eye,
    bridge: row.bridge,
    temple: row.temple,
    a: row.a,
    b: row.b,
    ed: row.ed,
    dbl: row.dbl,
    upc: row.upc,
    min_qty: row.min_qty,
    discontinued_at: row.discontinued_at,
    id_photo: row.id_photo,
    prices: bookedPricesOf(row, withCosts),
    version: row.version,
    changed_at: row.changed_at,
    locations: row.locations,
  }
}
