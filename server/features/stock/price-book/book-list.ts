import { sql, type Kysely, type RawBuilder } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import { type BookedModel, type BookedPrices, bookPageSize } from '#contract/library/price-book.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { lyingInStock, searchedWords } from '#server/domain/stock/library-search.ts'
import { bookedPricesOf, priceColumnNames } from '#server/domain/stock/model-prices.ts'

type Filters = { brand_id?: number | undefined; id_product?: number | undefined; search?: string | undefined; current?: '1' | undefined }

/** Vendors and their brands, each with the number of models, and the number of models without a price. */
export async function bookTree(db: Kysely<Schema>) {
  const rows = await db
    .selectFrom('brands')
    .innerJoin('vendors', 'vendors.vendor_id', 'brands.vendor_id')
    .leftJoin('products', 'products.brand_id', 'brands.brand_id')
    .leftJoin('models', 'models.id_product', 'products.id_product')
    .select(['vendors.vendor_id', 'vendors.name as vendor_name', 'brands.brand_id', 'brands.name'])
    .select([
      sql<number>`count(models.id_model)`.as('models'),
      sql<number>`count(models.id_model) filter (where models.selling_price is null)`.as('unpriced'),
    ])
    .groupBy(['vendors.vendor_id', 'vendors.name', 'brands.brand_id', 'brands.name'])
    .orderBy('vendors.name')
    .orderBy('vendors.vendor_id')
    .orderBy('brands.name')
    .orderBy('brands.brand_id')
    .execute()
  const vendors = new Map<
    number,
    { vendor_id: number; name: string; brands: { brand_id: number; name: string; models: number; unpriced: number }[] }
  >()
  for (const { vendor_id, vendor_name, ...brand } of rows) {
    const vendor = vendors.get(vendor_id) ?? { vendor_id, name: vendor_name, brands: [] }
    vendor.brands.push(brand)
    vendors.set(vendor_id, vendor)
  }
  return { vendors: [...vendors.values()] }
}

export async function bookProducts(db: Kysely<Schema>, { page, ...filters }: Filters & { page: number }) {
  const products = passing(db, filters)
    .groupBy(['products.id_product', 'products.brand_id', 'brands.name', 'products.title'])
    .select(['products.id_product', 'products.brand_id', 'brands.name as brand_name', 'products.title'])
    .select(({ fn }) => [
      fn.countAll<number>().as('models'),
      fn.min('models.selling_price').as('lowest'),
      fn.max('models.selling_price').as('highest'),
    ])
  const [rows, { total }] = await Promise.all([
    products
      .orderBy('brands.name')
      .orderBy('products.title')
      .orderBy('products.id_product')
      .limit(bookPageSize)
      .offset((page - 1) * bookPageSize)
      .execute(),
    passing(db, filters)
      .select(sql<number>`count(distinct products.id_product)`.as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { products: rows, page, page_size: bookPageSize, total }
}

/** One page of the book, by brand, product, color and size. */
export async function bookModels(db: Kysely<Schema>, { page, ...filters }: Filters & { page: number }, withCosts: boolean) {
  const [rows, { total }] = await Promise.all([
    passing(db, filters)
      .leftJoinLateral(
        (last) =>
          last
            .selectFrom('model_prices')
            .select(['at as priced_at', 'rep as priced_by'])
            .whereRef('model_prices.id_model', '=', 'models.id_model')
            .orderBy('id', 'desc')
            .limit(1)
            .as('last'),
        (join) => join.onTrue(),
      )
      .select(['models.id_model', 'models.id_product', 'products.brand_id', 'brands.name as brand_name', 'products.title'])
      .select(['title_variant', 'eye', 'bridge', 'temple', 'models.version', 'priced_at', 'priced_by'])
      .select(priceColumnNames)
      .select([
        sql<boolean>`(models.discontinued_at is not null or products.discontinued_at is not null)`.as('discontinued'),
        sql<number>`(select count(*) from frames where frames.id_model = models.id_model and ${lyingInStock})`.as('in_stock'),
        sql<string | null>`(select min(effective_on) from price_change_items join price_changes using (id_price_change)
          where price_change_items.id_model = models.id_model and applied_at is null and cancelled_at is null)`.as('planned_on'),
      ])
      .orderBy('brands.name')
      .orderBy('products.title')
      .orderBy('products.id_product')
      .orderBy('title_variant')
      .orderBy('eye')
      .orderBy('models.id_model')
      .limit(bookPageSize)
      .offset((page - 1) * bookPageSize)
      .execute(),
    passing(db, filters)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  const models = rows.map((row): BookedModel => {
    const { list_cost, discount_pct, net_cost, msrp, rule_factor, rule_ending, selling_price, ...model } = row
    const prices = { list_cost, discount_pct, net_cost, msrp, rule_factor, rule_ending, selling_price }
    return { ...model, prices: bookedPricesOf(prices, withCosts) }
  })
  return { models, page, page_size: bookPageSize, total }
}

const mostHistory = 200

/** Every price of a model, newest first. @throws Refusal model-unknown */
export async function bookHistory(
  db: Kysely<Schema>,
  idModel: number,
  withCosts: boolean,
): Promise<{ at: string; rep: string; planned: boolean; prices: BookedPrices }[]> {
  if (!(await db.selectFrom('models').select('id_model').where('id_model', '=', idModel).executeTakeFirst()))
    throw new Refusal('model-unknown')
  const rows = await db
    .selectFrom('model_prices')
    .selectAll()
    .where('id_model', '=', idModel)
    .orderBy('id', 'desc')
    .limit(mostHistory)
    .execute()
  return rows.map((row) => ({
    at: row.at,
    rep: row.rep,
    planned: row.id_price_change !== null,
    prices: bookedPricesOf(row, withCosts),
  }))
}

function passing(db: Kysely<Schema>, { brand_id, id_product, search, current }: Filters) {
  let models = db
    .selectFrom('models')
    .innerJoin('products', 'products.id_product', 'models.id_product')
    .innerJoin('brands', 'brands.brand_id', 'products.brand_id')
  if (brand_id !== undefined) models = models.where('products.brand_id', '=', brand_id)
  if (id_product !== undefined) models = models.where('models.id_product', '=', id_product)
  if (current) models = models.where('models.discontinued_at', 'is', null).where('products.discontinued_at', 'is', null)
  return searchedWords(search).reduce((rows, word) => rows.where(holding(word)), models)
}

function holding({ like, gtin }: { like: string; gtin: string | null }): RawBuilder<boolean> {
  const byUpc =
    gtin === null ? sql`` : sql` or models.gtin = ${gtin} or models.id_model in (select id_model from model_upcs where gtin = ${gtin})`
  return sql<boolean>`(products.title ilike ${like} or brands.name ilike ${like} or models.title_variant ilike ${like}${byUpc})`
}
