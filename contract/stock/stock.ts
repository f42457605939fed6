import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { pageOf, pageQuery } from '#contract/core/page.ts'
import { frame, frameRecord } from '#contract/stock/frames.ts'
import { cents, givenInstant, instant, requiredText, rowId, text, uuid } from '#contract/core/primitives.ts'
import { discountPct, priceChange } from '#contract/stock/stock-money.ts'

/** The lists of frames, and work on many of them: add, price, export. Work on one piece is in `frames.ts`. */

/** Rows to a page of the server's lists. */
export const framePageSize = 50
/** The most frames in one change of prices. */
export const mostPriced = 2000
/** The most pieces of one model in one addition. */
export const mostAdded = 100

export const frameSorts = ['sku', 'serial', 'model', 'status', 'store', 'price', 'last_seen', 'received'] as const
export type FrameSort = (typeof frameSorts)[number]

const page = pageQuery(7)
const amount = v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number)))
const idList = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^\d+(,\d+)*$/, 'must be numbers separated by commas'),
    v.transform((list) => list.split(',').map(Number)),
  ),
)

const filterEntries = {
  store_id: idList,
  brand_id: idList,
  vendor_id: idList,
  status: v.optional(text(200)),
  price_min: amount,
  price_max: amount,
  /** Frames that nobody counted, received, sold or looked after from then on. */
  not_seen_since: v.optional(givenInstant),
  received_before: v.optional(givenInstant),
  search: v.optional(text(128)),
}

/** A frame in a list of the server, with a field that no tablet keeps. */
const listedFrame = v.object({ ...frame.entries, receipt_at: v.nullable(instant) })
export type ListedFrame = v.InferOutput<typeof listedFrame>

const locationQuantity = v.object({ store_id: rowId, store_name: v.string(), short_name: v.string(), quantity: v.number() })

/**
 * A model in one color, and the number of its pieces at each place. `id_model` and `model_id` are one number: the
 * specification has both.
 */
export const stockedModel = v.object({
  brand_id: rowId,
  id_model: v.nullable(rowId),
  model_id: v.nullable(rowId),
  brand_name: v.string(),
  model: v.string(),
  title_variant: v.string(),
  locations: v.array(locationQuantity),
})
export type StockedModel = v.InferOutput<typeof stockedModel>

const millimetres = v.nullable(
  v.pipe(
    v.number(),
    v.minValue(1, 'must be 1 to 200'),
    v.maxValue(200, 'must be 1 to 200'),
    v.check((mm) => Math.abs(mm * 10 - Math.round(mm * 10)) < 1e-6, 'has at most one decimal'),
  ),
)

const modelEntries = {
  title_product: requiredText(120),
  title_variant: v.pipe(text(120), v.trim()),
  size_lens_width: millimetres,
  size_bridge_width: millimetres,
  size_temple_length: millimetres,
  upc: v.nullable(text(32)),
  item_list_cost: v.nullable(cents),
  item_discount: v.nullable(discountPct),
  pb_selling_price: v.nullable(cents),
}

/** Models that the chain has or had before, to add more of them. Costs are null for users who may not see them. */
const knownProduct = v.object({
  brand_id: rowId,
  brand_name: v.string(),
  title_product: v.string(),
  title_variant: v.string(),
  size_lens_width: v.nullable(v.number()),
  size_bridge_width: v.nullable(v.number()),
  size_temple_length: v.nullable(v.number()),
  upc: v.nullable(v.string()),
  item_list_cost: v.nullable(cents),
  item_discount: v.nullable(v.number()),
  pb_selling_price: v.nullable(cents),
})
export type KnownProduct = v.InferOutput<typeof knownProduct>

/** The form for adding pieces of one model to the store in which the user works. */
export const addedFrames = v.object({
  brand_id: rowId,
  ...modelEntries,
  board_location: v.nullable(text(60)),
  note: v.optional(text(1000)),
  quantity: v.pipe(v.number(), v.integer(), v.minValue(1, 'must be 1 to 100'), v.maxValue(mostAdded, 'must be 1 to 100')),
})
export type AddedFrames = v.InferOutput<typeof addedFrames>

export const pricePreview = v.object({
  id_inventory: rowId,
  version: v.number(),
  before: v.nullable(cents),
  after: v.nullable(cents),
  /** Why there is no new price; null when there is one. */
  problem: v.nullable(v.string()),
  /** The margin of the new price. Null when the price or the cost is unknown, and for users who may not see costs. */
  margin_pct: v.nullable(v.number()),
})
export type PricePreview = v.InferOutput<typeof pricePreview>

export const stockEndpoints = {
  allFilters: endpoint({
    method: 'GET',
    path: '/api/inventory/all-filters',
    summary: 'Frames by filters, 50 a page; with output=csv all of them as data.csv',
    access: 'frame.look-up',
    query: v.object({
      ...filterEntries,
      sort: v.optional(v.picklist(frameSorts)),
      order: v.optional(v.picklist(['asc', 'desc'])),
      page,
      output: v.optional(v.picklist(['json', 'csv'])),
    }),
    response: pageOf({ items: v.array(listedFrame) }),
  }),
  listModels: endpoint({
    method: 'GET',
    path: '/api/inventory',
    summary: 'Models and how many pieces of each lie in which store, 50 a page; pieces in stock, unless statuses are asked for',
    access: 'frame.look-up',
    query: v.object({ ...filterEntries, page }),
    response: pageOf({ models: v.array(stockedModel) }),
  }),
  searchProducts: endpoint({
    method: 'GET',
    path: '/api/inventory/products/search',
    summary: 'Models that the chain has or had, by brand, the beginning of a name, or UPC; as they were added last',
    access: 'frame.look-up',
    query: v.object({ query: requiredText(128) }),
    response: v.object({ products: v.array(knownProduct) }),
  }),
  addFrames: endpoint({
    method: 'POST',
    path: '/api/inventory/add',
    summary: 'Adds pieces of one model to the store; the same `add_id` again adds nothing',
    access: 'frame.add',
    body: v.object({ add_id: uuid, ...addedFrames.entries }),
    /** `item` is the first of `items`. */
    response: v.object({ item: frame, items: v.array(frame) }),
    refuses: ['key-reused'],
  }),
  updatePrice: endpoint({
    method: 'PUT',
    path: '/api/inventory/update_price/{id_inventory}',
    summary: 'The selling price of one frame',
    access: 'frame.price',
    params: v.object({ id_inventory: v.pipe(v.string(), v.regex(/^[1-9]\d{0,9}$/), v.transform(Number), rowId) }),
    body: v.object({
      pb_selling_price: cents,
      /** The version that the user saw. When the server has a newer one, nothing happens. */
      version: v.optional(v.number()),
    }),
    response: frameRecord,
    refuses: ['frame-unknown', 'frame-changed', 'store-foreign'],
  }),
  previewPrices: endpoint({
    method: 'POST',
    path: '/api/inventory/preview_prices',
    summary: 'What a change would make of the prices of frames; changes nothing',
    access: 'frame.price',
    body: v.object({ ids: v.pipe(v.array(rowId), v.minLength(1), v.maxLength(mostPriced)), change: priceChange }),
    response: v.object({ rows: v.array(pricePreview) }),
    refuses: ['frame-unknown', 'store-foreign'],
  }),
  updatePrices: endpoint({
    method: 'POST',
    path: '/api/inventory/update_prices',
    summary: 'The selling prices of many frames: all of them, or none when one has changed meanwhile',
    access: 'frame.price',
    body: v.object({
      items: v.pipe(
        v.array(v.object({ id_inventory: rowId, version: v.number(), pb_selling_price: cents })),
        v.minLength(1),
        v.maxLength(mostPriced),
        v.check((items) => new Set(items.map((item) => item.id_inventory)).size === items.length, 'names a frame twice'),
      ),
    }),
    response: v.object({ changed: v.number() }),
    refuses: ['frame-unknown', 'frame-changed', 'store-foreign'],
    bodyLimit: 512 * 1024,
  }),
} as const
