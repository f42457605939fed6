import { sql, type Kysely } from 'kysely'
import type { ParsedRequestOf } from '#contract/core/endpoint.ts'
import type { Endpoints } from '#contract/core/endpoints.ts'
import { inventoryStatuses } from '#contract/stock/frames.ts'
import { framePageSize, type KnownProduct, type StockedModel } from '#contract/stock/stock.ts'
import { isInStock } from '#contract/stock/stock-state.ts'
import { gtin14 } from '#contract/core/codes.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { containing } from '#server/features/stock/inventory/frame-record.ts'
import { filteredFrames } from '#server/features/stock/inventory/frame-list.ts'

type ModelFilters = ParsedRequestOf<Endpoints['listModels']>['query']

/** One page of the models with pieces that match the filters, by name. */
export async function listModels(
  db: Kysely<Schema>,
  filters: ModelFilters,
): Promise<{ models: StockedModel[]; page: number; page_size: number; total: number }> {
  const { page, ...rest } = filters
  const counted = filteredFrames(db, { ...rest, status: rest.status ?? inventoryStatuses.filter(isInStock).join(',') })
    .clearSelect()
    .select([
      'frames.brand_id',
      'brands.name as brand_name',
      'frames.title_product',
      'frames.title_variant',
      'frames.store_id',
      'stores.store_name',
      'stores.short_name',
    ])
    .select((select) => [select.fn.min('frames.id_model').as('id_model'), sql<number>`count(*)`.as('quantity')])
    .groupBy([
      'frames.brand_id',
      'brands.name',
      'frames.title_product',
      'frames.title_variant',
      'frames.store_id',
      'stores.store_name',
      'stores.short_name',
    ])
  const models = db
    .selectFrom(counted.as('counted'))
    .groupBy(['brand_id', 'brand_name', 'title_product', 'title_variant'])
    .select(['brand_id', 'brand_name', 'title_product', 'title_variant'])
    .select((select) => [
      select.fn.min('id_model').as('id_model'),
      sql<StockedModel['locations']>`jsonb_agg(jsonb_build_object('store_id', store_id, 'store_name', store_name, 'short_name', short_name,
        'quantity', quantity) order by store_name, store_id)`.as('locations'),
    ])
  const [rows, total] = await Promise.all([
    models
      .orderBy('brand_name')
      .orderBy('title_product')
      .orderBy('title_variant')
      .orderBy('brand_id')
      .limit(framePageSize)
      .offset((page - 1) * framePageSize)
      .execute(),
    db
      .selectFrom(models.as('models'))
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return {
    models: rows.map(({ title_product, id_model, ...row }) => ({ ...row, model: title_product, id_model, model_id: id_model })),
    page,
    page_size: framePageSize,
    total: total.total,
  }
}

const mostProducts = 20

/** Finds models by typed text, each with the data of its newest piece. */
export async function searchProducts(db: Kysely<Schema>, typed: string, withCosts: boolean): Promise<KnownProduct[]> {
  const brands = await db.selectFrom('brands').select('brand_id').where('name', 'ilike', containing(typed)).limit(50).execute()
  const gtin = gtin14(typed)
  const beginning = `${typed.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const rows = await db
    .selectFrom('frames')
    .innerJoin('brands', 'brands.brand_id', 'frames.brand_id')
    .where('frames.deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where(sql`lower(frames.title_product) collate "C"`, 'like', beginning),
        ...(brands.length > 0
          ? [
              where(
                'frames.brand_id',
                'in',
                brands.map(({ brand_id }) => brand_id),
              ),
            ]
          : []),
        ...(gtin === null ? [] : [where('frames.gtin', '=', gtin)]),
      ]),
    )
    .distinctOn(['brands.name', 'frames.title_product', 'frames.title_variant', 'frames.brand_id'])
    .select([
      'frames.brand_id',
      'brands.name as brand_name',
      'title_product',
      'title_variant',
      'size_lens_width',
      'size_bridge_width',
      'size_temple_length',
      'upc',
      'item_list_cost',
      'item_discount',
      'pb_selling_price',
    ])
    .orderBy('brands.name')
    .orderBy('frames.title_product')
    .orderBy('frames.title_variant')
    .orderBy('frames.brand_id')
    .orderBy('frames.id_inventory', 'desc')
    .limit(mostProducts)
    .execute()
  return withCosts ? rows : rows.map((row) => ({ ...row, item_list_cost: null, item_discount: null }))
}
