import * as v from 'valibot'
import { day, keptDay } from '#contract/core/day.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import { pageOf, pageQuery } from '#contract/core/page.ts'
import { bookedPrices, bookPrices } from '#contract/library/price-book.ts'
import { cents, instant, requiredText, rowId, text, uuid } from '#contract/core/primitives.ts'

/** The range of the vendors: vendor, brand, product (a style), model (a color and size of it). */

export const brandTypes = ['ophthalmic', 'sun', 'safety', 'kids'] as const
export type BrandType = (typeof brandTypes)[number]
export const materials = ['acetate', 'metal', 'titanium', 'nylon', 'mixed', 'other'] as const
export const shapes = ['rectangle', 'square', 'round', 'oval', 'cat-eye', 'aviator', 'browline', 'geometric', 'wrap', 'other'] as const
export const genders = ['women', 'men', 'unisex', 'kids'] as const
export const rims = ['full rim', 'semi-rimless', 'rimless'] as const

/** Rows to a page of products. */
export const productPageSize = 100

const line = (most: number) => v.pipe(text(most), v.trim())
const optionalLine = (most: number) =>
  v.nullable(
    v.pipe(
      line(most),
      v.transform((typed) => typed || null),
    ),
  )

const millimetres = v.nullable(
  v.pipe(
    v.number(),
    v.minValue(1, 'must be 1 to 200'),
    v.maxValue(200, 'must be 1 to 200'),
    v.check((mm) => Math.abs(mm * 10 - Math.round(mm * 10)) < 1e-6, 'has at most one decimal'),
  ),
)

/** The fields of a product in its form. */
export const productInput = v.object({
  title: requiredText(120),
  material: v.nullable(v.picklist(materials)),
  shape: v.nullable(v.picklist(shapes)),
  gender: v.nullable(v.picklist(genders)),
  rim: v.nullable(v.picklist(rims)),
  launch_date: v.nullable(day),
  discontinued_at: v.nullable(day),
})
export type ProductInput = v.InferOutput<typeof productInput>

export const product = v.object({
  id_product: rowId,
  brand_id: rowId,
  brand_name: v.string(),
  vendor_id: rowId,
  ...productInput.entries,
  launch_date: v.nullable(keptDay),
  discontinued_at: v.nullable(keptDay),
  version: v.number(),
  models: v.number(),
  /** Pieces in stock, in the whole chain. */
  in_stock: v.number(),
})
export type Product = v.InferOutput<typeof product>

/** The fields of a model in its form, without its prices. */
export const modelInput = v.object({
  color_code: line(30),
  color_name: line(80),
  eye: millimetres,
  bridge: millimetres,
  temple: millimetres,
  a: millimetres,
  b: millimetres,
  ed: millimetres,
  dbl: millimetres,
  upc: v.nullable(text(32)),
  min_qty: v.pipe(v.number(), v.integer(), v.minValue(0, 'must be 0 to 999'), v.maxValue(999, 'must be 0 to 999')),
  discontinued_at: v.nullable(day),
})
export type ModelInput = v.InferOutput<typeof modelInput>

const shelf = v.object({ store_id: rowId, store_name: v.string(), short_name: v.string(), quantity: v.number() })

export const model = v.object({
  id_model: rowId,
  id_product: rowId,
  /** Color code and color, the same as on pieces in stock. */
  title_variant: v.string(),
  ...modelInput.entries,
  discontinued_at: v.nullable(keptDay),
  /** The id of its photo. Another photo has another id. */
  id_photo: v.nullable(uuid),
  prices: bookedPrices,
  version: v.number(),
  changed_at: instant,
  /** The places with pieces of it in stock. */
  locations: v.array(shelf),
})
export type Model = v.InferOutput<typeof model>

/** A frame made once from a model, or the patient's own that is like it. It is never in stock. */
export const customGlassesInput = v.object({
  kind: v.picklist(['one-off', 'own']),
  color: optionalLine(80),
  eye: millimetres,
  bridge: millimetres,
  temple: millimetres,
  selling_price: v.nullable(cents),
  note: optionalLine(500),
})
export type CustomGlassesInput = v.InferOutput<typeof customGlassesInput>

const customGlasses = v.object({ id_custom: uuid, ...customGlassesInput.entries, at: instant, rep: v.string() })
export type CustomGlasses = v.InferOutput<typeof customGlasses>

export const vendorInput = v.object({
  name: requiredText(120),
  account_no: optionalLine(60),
  terms: optionalLine(200),
  ra_policy: optionalLine(1000),
})
export const brandInput = v.object({ vendor_id: rowId, name: requiredText(120), type: v.picklist(brandTypes) })

const brandBranch = v.object({ brand_id: rowId, name: v.string(), type: v.picklist(brandTypes), products: v.number() })
const vendorBranch = v.object({ vendor_id: rowId, ...vendorInput.entries, brands: v.array(brandBranch) })
export type VendorBranch = v.InferOutput<typeof vendorBranch>

const tree = v.object({ vendors: v.array(vendorBranch) })
const id = v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/), v.transform(Number))
const filters = {
  search: v.optional(text(128)),
  type: v.optional(v.picklist(brandTypes)),
  gender: v.optional(v.picklist(genders)),
  shape: v.optional(v.picklist(shapes)),
  material: v.optional(v.picklist(materials)),
  /** `1`: only products in stock somewhere. */
  in_stock: v.optional(v.literal('1')),
  /** `1` includes discontinued ones. */
  discontinued: v.optional(v.literal('1')),
}
export type LibraryFilters = v.InferOutput<v.ObjectSchema<typeof filters, undefined>>

export const frameLibraryEndpoints = {
  libraryTree: endpoint({
    method: 'GET',
    path: '/api/frame_library/vendor-brand',
    summary: 'Every vendor with its brands and how many products each has',
    access: 'frame.look-up',
    response: tree,
  }),
  searchTree: endpoint({
    method: 'GET',
    path: '/api/frame_library/vendor_brand',
    summary: 'Vendors and brands that have something of what was asked for, with how many products',
    access: 'frame.look-up',
    query: v.object(filters),
    response: tree,
  }),
  libraryProducts: endpoint({
    method: 'GET',
    path: '/api/frame_library/products',
    summary: 'Products of a brand or of a search, 100 a page: by vendor, brand, name, color, or UPC',
    access: 'frame.look-up',
    query: v.object({
      brand_id: v.optional(id),
      vendor_id: v.optional(id),
      ...filters,
      page: pageQuery(),
    }),
    response: pageOf({ products: v.array(product) }),
  }),
  modelsByProduct: endpoint({
    method: 'GET',
    path: '/api/frame_library/models_by_product/{id}',
    summary: 'A product with all its models, where they are in stock, and what was made of them',
    access: 'frame.look-up',
    params: v.object({ id }),
    response: v.object({ product, models: v.array(model) }),
    refuses: ['product-unknown'],
  }),
  addProduct: endpoint({
    method: 'POST',
    path: '/api/product/add',
    summary: 'A new product of a brand',
    access: 'library.write',
    body: v.object({ brand_id: rowId, ...productInput.entries }),
    response: product,
    refuses: ['product-taken'],
  }),
  updateProduct: endpoint({
    method: 'PUT',
    path: '/api/product/update/{id_product}',
    summary: 'Changes a product; pieces in stock keep the name on their tag',
    access: 'library.write',
    params: v.object({ id_product: id }),
    body: v.object({ version: v.number(), ...productInput.entries }),
    response: product,
    refuses: ['product-unknown', 'product-changed', 'product-taken'],
  }),
  addModel: endpoint({
    method: 'POST',
    path: '/api/frame_library/add_model',
    summary: 'A new color and size of a product, with its prices where they are known',
    access: 'library.write',
    body: v.object({ id_product: rowId, ...modelInput.entries, prices: v.optional(bookPrices) }),
    response: model,
    refuses: ['product-unknown', 'model-taken', 'upc-taken'],
  }),
  updateModel: endpoint({
    method: 'PUT',
    path: '/api/frame_library/update_model/{id_model}',
    summary: 'Changes a model. Its prices only when they are given, and by those who may change prices; pieces in stock keep theirs',
    access: 'library.write',
    params: v.object({ id_model: id }),
    body: v.object({ version: v.number(), ...modelInput.entries, prices: v.optional(bookPrices) }),
    response: model,
    refuses: ['model-unknown', 'model-changed', 'model-taken', 'upc-taken'],
  }),
  addCustomGlasses: endpoint({
    method: 'POST',
    path: '/api/frame_library/custom_glasses/{id_model}',
    summary: 'Glasses made once from a model, or a patient’s own like it; the same `id_custom` again adds nothing',
    access: 'frame.add',
    params: v.object({ id_model: id }),
    body: v.object({ id_custom: uuid, ...customGlassesInput.entries }),
    response: customGlasses,
    refuses: ['model-unknown', 'key-reused'],
  }),
  customGlassesOf: endpoint({
    method: 'GET',
    path: '/api/frame_library/custom_glasses/{id_model}',
    summary: 'The glasses that were made from a model, newest first',
    access: 'frame.look-up',
    params: v.object({ id_model: id }),
    response: v.object({ glasses: v.array(customGlasses) }),
    refuses: ['model-unknown'],
  }),
  addVendor: endpoint({
    method: 'POST',
    path: '/api/frame_library/add_vendor',
    summary: 'A new vendor',
    access: 'library.write',
    body: vendorInput,
    response: v.object({ vendor_id: rowId }),
    refuses: ['vendor-taken'],
  }),
  updateVendor: endpoint({
    method: 'PUT',
    path: '/api/frame_library/update_vendor/{vendor_id}',
    summary: 'Account number, terms and how returns are agreed with a vendor',
    access: 'library.write',
    params: v.object({ vendor_id: id }),
    body: vendorInput,
    response: v.object({ vendor_id: rowId }),
    refuses: ['vendor-unknown', 'vendor-taken'],
  }),
  addBrand: endpoint({
    method: 'POST',
    path: '/api/frame_library/add_brand',
    summary: 'A new brand of a vendor',
    access: 'library.write',
    body: brandInput,
    response: v.object({ brand_id: rowId }),
    refuses: ['vendor-unknown', 'brand-taken'],
  }),
} as const
