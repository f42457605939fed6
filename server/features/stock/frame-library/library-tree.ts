import { sql, type Kysely, type RawBuilder } from 'kysely'
import { type LibraryFilters, type Product, productPageSize, type VendorBranch } from '#contract/library/frame-library.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { lyingInStock, searchedWords } from '#server/domain/stock/library-search.ts'

type Filters = LibraryFilters & { brand_id?: number | undefined; vendor_id?: number | undefined }

/** Every vendor and every brand, each with its number of products, including empty ones. */
export async function wholeTree(db: Kysely<Schema>): Promise<{ vendors: VendorBranch[] }> {
  const products = await db
    .selectFrom('products')
    .select(({ fn }) => ['brand_id', fn.countAll<number>().as('products')])
    .groupBy('brand_id')
    .execute()
  return await treeOf(db, new Map(products.map((row) => [row.brand_id, row.products])), true)
}

/** Vendors and brands with products that match the filters. */
export async function searchTree(db: Kysely<Schema>, filters: LibraryFilters): Promise<{ vendors: VendorBranch[] }> {
  const products = await passing(db, filters)
    .select(({ fn }) => ['products.brand_id', fn.countAll<number>().as('products')])
    .groupBy('products.brand_id')
    .execute()
  return await treeOf(db, new Map(products.map((row) => [row.brand_id, row.products])), false)
}

async function treeOf(db: Kysely<Schema>, counts: ReadonlyMap<number, number>, all: boolean): Promise<{ vendors: VendorBranch[] }> {
  const [vendors, brands] = await Promise.all([
    db.selectFrom('vendors').selectAll().orderBy('name').orderBy('vendor_id').execute(),
    db.selectFrom('brands').selectAll().orderBy('name').orderBy('brand_id').execute(),
  ])
  const branches = vendors.map((vendor) => ({
    ...vendor,
    brands: brands
      .filter((brand) => brand.vendor_id === vendor.vendor_id && (all || counts.has(brand.brand_id)))
      .map(({ brand_id, name, type }) => ({ brand_id, name, type, products: counts.get(brand_id) ?? 0 })),
  }))
  return { vendors: all ? branches : branches.filter((vendor) => vendor.brands.length > 0) }
}

/** One page of the products that match the filters, by brand and name. */
export async function listProducts(
  db: Kysely<Schema>,
  { page, ...filters }: Filters & { page: number },
): Promise<{ products: Product[]; page: number; page_size: number; total: number }> {
  const [products, counted] = await Promise.all([
    selectProducts(passing(db, filters))
      .orderBy('brands.name')
      .orderBy('products.title')
      .orderBy('products.id_product')
      .limit(productPageSize)
      .offset((page - 1) * productPageSize)
      .execute(),
    passing(db, filters)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { products, page, page_size: productPageSize, total: counted.total }
}

export async function findProductRow(db: Kysely<Schema>, idProduct: number): Promise<Product | null> {
  const found = await selectProducts(passing(db, { discontinued: '1' }).where('products.id_product', '=', idProduct)).executeTakeFirst()
  return found ?? null
}

type Passing = ReturnType<typeof passing>

function selectProducts(products: Passing) {
  return products.select([
    'products.id_product',
    'products.brand_id',
    'brands.name as brand_name',
    'brands.vendor_id',
    'products.title',
    'products.material',
    'products.shape',
    'products.gender',
    'products.rim',
    'products.launch_date',
    'products.discontinued_at',
    'products.version',
    sql<number>`(select count(*) from models where models.id_product = products.id_product)`.as('models'),
    sql<number>`(select count(*) from models join frames on frames.id_model = models.id_model
      where models.id_product = products.id_product and ${lyingInStock})`.as('in_stock'),
  ])
}

function passing(db: Kysely<Schema>, filters: Filters) {
  let products = db
    .selectFrom('products')
    .innerJoin('brands', 'brands.brand_id', 'products.brand_id')
    .innerJoin('vendors', 'vendors.vendor_id', 'brands.vendor_id')
  if (filters.brand_id !== undefined) products = products.where('products.brand_id', '=', filters.brand_id)
  if (filters.vendor_id !== undefined) products = products.where('brands.vendor_id', '=', filters.vendor_id)
  if (filters.type) products = products.where('brands.type', '=', filters.type)
  if (filters.gender) products = products.where('products.gender', '=', filters.gender)
  if (filters.shape) products = products.where('products.shape', '=', filters.shape)
  if (filters.material) products = products.where('products.material', '=', filters.material)
  if (filters.discontinued === undefined) {
    products = products.where('products.discontinued_at', 'is', null)
  }
  if (filters.in_stock) {
    products = products.where(
      sql<boolean>`exists (select 1 from models join frames on frames.id_model = models.id_model
        where models.id_product = products.id_product and ${lyingInStock})`,
    )
  }
  return searchedWords(filters.search).reduce((rows, word) => rows.where(holding(word)), products)
}

/** Matches vendor, brand or product, or a color or UPC of one of its models. */
function holding({ like, gtin }: { like: string; gtin: string | null }): RawBuilder<boolean> {
  const byUpc = gtin === null ? sql`` : sql` or models.gtin = ${gtin}`
  return sql<boolean>`(products.title ilike ${like} or brands.name ilike ${like} or vendors.name ilike ${like}
    or exists (select 1 from models where models.id_product = products.id_product and (models.title_variant ilike ${like}${byUpc})))`
}
