import { sql, type Transaction } from 'kysely'
import type * as v from 'valibot'
import { Refusal } from '#contract/core/errors.ts'
import type { brandInput, Model, ModelInput, Product, ProductInput, vendorInput } from '#contract/library/frame-library.ts'
import { type BookPrices, priced } from '#contract/library/price-book.ts'
import { type KeptUpc, keptUpc, notAUpc } from '#contract/stock/stock-codes.ts'
import type { Writing } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { findProductRow } from '#server/features/stock/frame-library/library-tree.ts'
import { findModelRow, toModel } from '#server/features/stock/frame-library/models.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'
import { noPrices, priceColumns, pricesOf, recordPrices, samePrices } from '#server/domain/stock/model-prices.ts'
import { findModel, findProduct, modelWithUpc, variantOf } from '#server/domain/stock/standing-model.ts'

type Place = { brand_id?: number; id_product?: number; id_model?: number }

/**
 * Runs `work` in a transaction. Writers of the library, and users who add pieces to it, take turns. So a name that a
 * check found free is still free at the write.
 */
export async function writingLibrary<T>(services: Services, work: (writing: Writing, at: string) => Promise<T>): Promise<T> {
  return await services.db.write(['chain'], (now) => work(now, new Date(services.clock.now()).toISOString()))
}

export async function recordChange(
  trx: Transaction<Schema>,
  scope: Scope,
  at: string,
  action: string,
  place: Place,
  fields: readonly string[] = [],
): Promise<void> {
  const { brand_id = null, id_product = null, id_model = null } = place
  const who = { id_user: scope.id_user, rep: scope.name, store_id: scope.store_id }
  await trx
    .insertInto('library_history')
    .values({ at, ...who, action, brand_id, id_product, id_model, detail: fields.join(', ') })
    .execute()
}

/** @throws Refusal vendor-taken, vendor-unknown */
export async function saveVendor(
  services: Services,
  scope: Scope,
  vendorId: number | null,
  input: v.InferOutput<typeof vendorInput>,
): Promise<number> {
  return await writingLibrary(services, async ({ trx }, at) => {
    const taken = await trx
      .selectFrom('vendors')
      .select('vendor_id')
      .where(sql`lower(name)`, '=', sql`lower(${input.name})`)
      .execute()
    if (taken.some(({ vendor_id }) => vendor_id !== vendorId))
      throw new Refusal('vendor-taken', inField('name', 'This name is already in use'))
    if (vendorId === null) {
      const made = await trx.insertInto('vendors').values(input).returning('vendor_id').executeTakeFirstOrThrow()
      await recordChange(trx, scope, at, 'vendor.add', {}, [`vendor ${made.vendor_id}`])
      return made.vendor_id
    }
    const changed = await trx.updateTable('vendors').set(input).where('vendor_id', '=', vendorId).returning('vendor_id').executeTakeFirst()
    if (!changed) throw new Refusal('vendor-unknown')
    await recordChange(trx, scope, at, 'vendor.change', {}, [`vendor ${vendorId}`])
    return vendorId
  })
}

/** @throws Refusal brand-taken, vendor-unknown */
export async function addBrand(services: Services, scope: Scope, input: v.InferOutput<typeof brandInput>): Promise<number> {
  return await writingLibrary(services, async ({ trx }, at) => {
    const vendor = await trx.selectFrom('vendors').select('vendor_id').where('vendor_id', '=', input.vendor_id).executeTakeFirst()
    if (!vendor) throw new Refusal('vendor-unknown', inField('vendor_id', 'Vendor not found'))
    const taken = await trx
      .selectFrom('brands')
      .select('brand_id')
      .where('vendor_id', '=', input.vendor_id)
      .where(sql`lower(name)`, '=', sql`lower(${input.name})`)
      .executeTakeFirst()
    if (taken) throw new Refusal('brand-taken', inField('name', 'This name is already in use'))
    const { brand_id } = await trx.insertInto('brands').values(input).returning('brand_id').executeTakeFirstOrThrow()
    await recordChange(trx, scope, at, 'brand.add', { brand_id })
    return brand_id
  })
}

/** @throws Refusal request-invalid, product-taken */
export async function addProduct(services: Services, scope: Scope, brandId: number, input: ProductInput): Promise<Product> {
  return await writingLibrary(services, async ({ trx }, at) => {
    const brand = await trx.selectFrom('brands').select('brand_id').where('brand_id', '=', brandId).executeTakeFirst()
    if (!brand) throw new Refusal('request-invalid', inField('brand_id', 'Brand not found'))
    await refuseTakenTitle(trx, brandId, null, input.title)
    const { id_product } = await trx
      .insertInto('products')
      .values({ brand_id: brandId, ...input, changed_at: at })
      .returning('id_product')
      .executeTakeFirstOrThrow()
    await recordChange(trx, scope, at, 'product.add', { brand_id: brandId, id_product })
    return await productNow(trx, id_product)
  })
}

/** @throws Refusal product-unknown, product-changed, product-taken */
export async function updateProduct(
  services: Services,
  scope: Scope,
  idProduct: number,
  version: number,
  input: ProductInput,
): Promise<Product> {
  return await writingLibrary(services, async ({ trx }, at) => {
    const before = await productNow(trx, idProduct)
    if (before.version !== version) throw new Refusal('product-changed', { details: { now: before } })
    await refuseTakenTitle(trx, before.brand_id, idProduct, input.title)
    const fields = differing(before, input)
    if (fields.length === 0) return before
    await trx
      .updateTable('products')
      .set({ ...input, version: version + 1, changed_at: at })
      .where('id_product', '=', idProduct)
      .execute()
    await recordChange(trx, scope, at, 'product.change', { brand_id: before.brand_id, id_product: idProduct }, fields)
    return await productNow(trx, idProduct)
  })
}

/** @throws Refusal request-invalid, product-unknown, model-taken, upc-taken */
export async function addModel(
  services: Services,
  scope: Scope,
  idProduct: number,
  input: ModelInput,
  prices: BookPrices = noPrices,
): Promise<Model> {
  const upc = readUpc(input.upc)
  refuseWrongPrices(prices)
  return await writingLibrary(services, async ({ trx }, at) => {
    await productNow(trx, idProduct)
    await refuseTakenModel(trx, idProduct, null, input, upc)
    const columns = priceColumns(prices)
    const { id_model } = await trx
      .insertInto('models')
      .values({ id_product: idProduct, ...input, ...upc, ...columns, title_variant: variantOf(input), changed_at: at })
      .returning('id_model')
      .executeTakeFirstOrThrow()
    await recordChange(trx, scope, at, 'model.add', { id_product: idProduct, id_model })
    await recordPrices(trx, { at, id_user: scope.id_user, rep: scope.name }, [{ id_model, ...columns }])
    return toModel(await findModelRow(trx, id_model), scope.permissions.has('frame.see-cost'))
  })
}

/**
 * Changes a model. Without `prices` the prices stay. Pieces in stock keep the prices on their tags.
 * @throws Refusal request-invalid, permission-missing, model-unknown, model-changed, model-taken, upc-taken
 */
export async function updateModel(
  services: Services,
  scope: Scope,
  idModel: number,
  version: number,
  input: ModelInput,
  prices: BookPrices | undefined,
): Promise<Model> {
  const withCosts = scope.permissions.has('frame.see-cost')
  if (prices && !scope.permissions.has('frame.price')) throw new Refusal('permission-missing')
  const upc = readUpc(input.upc)
  if (prices) refuseWrongPrices(prices)
  return await writingLibrary(services, async ({ trx }, at) => {
    const before = await findModelRow(trx, idModel)
    if (before.version !== version) throw new Refusal('model-changed', { details: { now: toModel(before, withCosts) } })
    await refuseTakenModel(trx, before.id_product, idModel, input, upc)
    const fields = differing(before, { ...input, upc: upc.upc })
    const repriced = prices !== undefined && !samePrices(prices, pricesOf(before))
    if (fields.length === 0 && !repriced) return toModel(before, withCosts)
    const columns = repriced ? priceColumns(prices) : {}
    await trx
      .updateTable('models')
      .set({ ...input, ...upc, ...columns, title_variant: variantOf(input), version: version + 1, changed_at: at })
      .where('id_model', '=', idModel)
      .execute()
    await recordChange(trx, scope, at, 'model.change', { id_product: before.id_product, id_model: idModel }, [
      ...fields,
      ...(repriced ? ['prices'] : []),
    ])
    if (repriced) {
      await recordPrices(trx, { at, id_user: scope.id_user, rep: scope.name }, [{ id_model: idModel, ...priceColumns(prices) }])
    }
    return toModel(await findModelRow(trx, idModel), withCosts)
  })
}

async function productNow(trx: Transaction<Schema>, idProduct: number): Promise<Product> {
  const product = await findProductRow(trx, idProduct)
  if (!product) throw new Refusal('product-unknown')
  return product
}

async function refuseTakenTitle(trx: Transaction<Schema>, brandId: number, idProduct: number | null, title: string): Promise<void> {
  const taken = await findProduct(trx, brandId, title)
  if (taken !== null && taken !== idProduct) throw new Refusal('product-taken', inField('title', 'The brand already has this name'))
}

async function refuseTakenModel(
  trx: Transaction<Schema>,
  idProduct: number,
  idModel: number | null,
  input: ModelInput,
  { gtin }: KeptUpc | { upc: null; gtin: null },
): Promise<void> {
  const { eye, bridge, temple } = input
  const same = await findModel(trx, { id_product: idProduct, title_variant: variantOf(input), eye, bridge, temple })
  if (same !== null && same !== idModel) {
    throw new Refusal('model-taken', { ...inField('color_name', 'This color and size already exist'), details: { id_model: same } })
  }
  const other = gtin === null ? null : await modelWithUpc(trx, gtin)
  if (other !== null && other !== idModel) {
    throw new Refusal('upc-taken', { ...inField('upc', 'Another model has this UPC'), details: { id_model: other } })
  }
}

function readUpc(typed: string | null): KeptUpc | { upc: null; gtin: null } {
  const upc = typed === null || typed.trim() === '' ? { upc: null, gtin: null } : keptUpc(typed)
  if (!upc) throw new Refusal('request-invalid', inField('upc', notAUpc))
  return upc
}

/** Refuses a rule that needs a cost when there is none. */
function refuseWrongPrices(prices: BookPrices): void {
  const { problem } = priced(prices)
  if (problem !== null) throw new Refusal('request-invalid', inField('prices.rule', problem))
}

/** The names of the fields that differ, without their content. */
function differing<T extends object>(before: T, input: Partial<T>): string[] {
  return (Object.keys(input) as (keyof T & string)[]).filter((field) => input[field] !== before[field])
}

function inField(field: string, message: string) {
  return { fields: [{ path: `body.${field}`, message }] }
}
