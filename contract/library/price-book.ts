import * as v from 'valibot'
import { day, keptDay } from '#contract/core/day.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import { pageOf, pageQuery } from '#contract/core/page.ts'
import { cents, instant, rowId, text, uuid } from '#contract/core/primitives.ts'
import { changedPrice, discountPct, endingIn, netCost, priceChange, priceEndings } from '#contract/stock/stock-money.ts'
import { shareOf } from '#contract/money/invoice-money.ts'

/** Costs and prices of the models, and planned changes of many prices. */

/** The most models in one change of prices. */
export const mostBookPrices = 2000
/** Rows to a page of the book. */
export const bookPageSize = 100

/** Where a model's selling price comes from: somebody set it, or it is a multiple of the net cost. */
export const sellingRule = v.variant('kind', [
  v.object({ kind: v.literal('fixed'), cents: v.nullable(cents) }),
  v.object({
    kind: v.literal('markup'),
    factor: v.pipe(v.number(), v.minValue(0.01, 'must be 0.01 to 100'), v.maxValue(100, 'must be 0.01 to 100')),
    ending: v.picklist(priceEndings),
  }),
])

/** The entered prices of a model. The net cost and the selling price follow from them. */
export const bookPrices = v.object({
  list_cost: v.nullable(cents),
  discount_pct: v.nullable(discountPct),
  msrp: v.nullable(cents),
  rule: sellingRule,
})
export type BookPrices = v.InferOutput<typeof bookPrices>

/** The prices that follow from the entered ones. `problem` says why a rule gives no selling price. */
export type Priced = { net_cost: number | null; selling_price: number | null; problem: string | null }

export function priced({ list_cost, discount_pct, rule }: BookPrices): Priced {
  const net_cost = netCost(list_cost, discount_pct)
  if (rule.kind === 'fixed') return { net_cost, selling_price: rule.cents, problem: null }
  if (net_cost === null) return { net_cost, selling_price: null, problem: 'No cost on file' }
  const selling_price = endingIn(shareOf(net_cost, rule.factor * 100), rule.ending)
  if (!v.is(cents, selling_price)) return { net_cost, selling_price: null, problem: 'The price would be too high' }
  return { net_cost, selling_price, problem: null }
}

/**
 * How many prices change at once: the selling price in the ways of a frame's, the vendor's list cost by a share, or the
 * vendor's discount.
 */
export const bookChange = v.variant('kind', [
  priceChange,
  v.object({ kind: v.literal('list'), percent: v.pipe(v.number(), v.minValue(-100), v.maxValue(1000)) }),
  v.object({ kind: v.literal('discount'), discount_pct: discountPct }),
])
export type BookChange = v.InferOutput<typeof bookChange>

/**
 * Returns a model's prices after a change. A selling price that is set or moved is fixed from then on. A multiple of
 * the net cost becomes the rule. New costs keep a fixed price, and move a price that follows them.
 */
export function changedBook(
  before: BookPrices,
  change: BookChange,
): { after: BookPrices; problem: null } | { after: null; problem: string } {
  const checked = (after: BookPrices) => {
    const { problem } = priced(after)
    return problem === null ? { after, problem } : { after: null, problem }
  }
  const { net_cost, selling_price } = priced(before)
  if (change.kind === 'discount' || change.kind === 'list') {
    if (before.list_cost === null) return { after: null, problem: 'No list cost on file' }
    if (change.kind === 'discount') return checked({ ...before, discount_pct: change.discount_pct })
    const share = shareOf(before.list_cost, Math.abs(change.percent))
    const list_cost = before.list_cost + (change.percent < 0 ? -share : share)
    return v.is(cents, list_cost) ? checked({ ...before, list_cost }) : { after: null, problem: 'The cost would be too high' }
  }
  if (change.kind === 'markup') return checked({ ...before, rule: change })
  const { price, problem } = changedPrice({ pb_selling_price: selling_price, item_net: net_cost }, change)
  return price === null ? { after: null, problem } : { after: { ...before, rule: { kind: 'fixed', cents: price } }, problem: null }
}

export const bookedPrices = v.object({
  /** Costs, the rule that follows them, and the margin are null for users who may not see costs. */
  list_cost: v.nullable(cents),
  discount_pct: v.nullable(v.number()),
  net_cost: v.nullable(cents),
  msrp: v.nullable(cents),
  rule: v.nullable(sellingRule),
  selling_price: v.nullable(cents),
  margin_pct: v.nullable(v.number()),
})
export type BookedPrices = v.InferOutput<typeof bookedPrices>

/** One line of the book. */
export const bookedModel = v.object({
  id_model: rowId,
  id_product: rowId,
  brand_id: rowId,
  brand_name: v.string(),
  title: v.string(),
  title_variant: v.string(),
  eye: v.nullable(v.number()),
  bridge: v.nullable(v.number()),
  temple: v.nullable(v.number()),
  version: v.number(),
  discontinued: v.boolean(),
  prices: bookedPrices,
  /** Time and author of the last change of its prices. */
  priced_at: v.nullable(instant),
  priced_by: v.nullable(v.string()),
  /** Pieces in stock, in the whole chain. */
  in_stock: v.number(),
  /** The first day with another planned price. */
  planned_on: v.nullable(v.string()),
})
export type BookedModel = v.InferOutput<typeof bookedModel>

const number = v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/), v.transform(Number)))
const page = pageQuery()

const chosenModels = v.pipe(
  v.array(v.object({ id_model: rowId, version: v.number() })),
  v.minLength(1),
  v.maxLength(mostBookPrices),
  v.check((models) => new Set(models.map(({ id_model }) => id_model)).size === models.length, 'names a model twice'),
)

export const bookPreviewRow = v.object({
  id_model: rowId,
  before: bookedPrices,
  /** Null when there would be no price; `problem` says why. */
  after: v.nullable(bookedPrices),
  problem: v.nullable(v.string()),
  in_stock: v.number(),
})
export type BookPreviewRow = v.InferOutput<typeof bookPreviewRow>

export const bookPriceChange = v.object({
  id_price_change: uuid,
  effective_on: keptDay,
  change: bookChange,
  reprice_stock: v.boolean(),
  created_at: instant,
  rep: v.string(),
  applied_at: v.nullable(instant),
  cancelled_at: v.nullable(instant),
  cancelled_by: v.nullable(v.string()),
  models: v.number(),
  /** Models left unchanged because someone had priced them meanwhile. */
  skipped: v.number(),
})
export type BookPriceChange = v.InferOutput<typeof bookPriceChange>

const brandBranch = v.object({ brand_id: rowId, name: v.string(), models: v.number(), unpriced: v.number() })

export const priceBookEndpoints = {
  bookVendorBrand: endpoint({
    method: 'GET',
    path: '/api/price_book/vendor_brand',
    summary: 'Vendors and their brands, with how many models have a price and how many none',
    access: 'frame.look-up',
    response: v.object({ vendors: v.array(v.object({ vendor_id: rowId, name: v.string(), brands: v.array(brandBranch) })) }),
  }),
  bookProducts: endpoint({
    method: 'GET',
    path: '/api/price_book/products',
    summary: 'Products of a brand with the lowest and the highest selling price of their models',
    access: 'frame.look-up',
    query: v.object({ brand_id: number, search: v.optional(text(128)), page }),
    response: pageOf({
      products: v.array(
        v.object({
          id_product: rowId,
          brand_id: rowId,
          brand_name: v.string(),
          title: v.string(),
          models: v.number(),
          lowest: v.nullable(cents),
          highest: v.nullable(cents),
        }),
      ),
    }),
  }),
  bookModels: endpoint({
    method: 'GET',
    path: '/api/price_book/models',
    summary: 'Models with their prices, by brand, product, or what was typed',
    access: 'frame.look-up',
    query: v.object({
      brand_id: number,
      id_product: number,
      search: v.optional(text(128)),
      /** `1` leaves out discontinued models. */
      current: v.optional(v.literal('1')),
      page,
    }),
    response: pageOf({ models: v.array(bookedModel) }),
  }),
  bookHistory: endpoint({
    method: 'GET',
    path: '/api/price_book/history/{id_model}',
    summary: 'Every price that a model had, newest first, with who set it and when',
    access: 'frame.look-up',
    params: v.object({ id_model: v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/), v.transform(Number)) }),
    response: v.object({ history: v.array(v.object({ at: instant, rep: v.string(), planned: v.boolean(), prices: bookedPrices })) }),
    refuses: ['model-unknown'],
  }),
  previewBook: endpoint({
    method: 'POST',
    path: '/api/price_book/preview',
    summary: 'What a change would make of the prices of models; changes nothing',
    access: 'frame.price',
    body: v.object({ models: chosenModels, change: bookChange }),
    response: v.object({ rows: v.array(bookPreviewRow) }),
    refuses: ['model-unknown', 'model-changed'],
    bodyLimit: 512 * 1024,
  }),
  planPrices: endpoint({
    method: 'POST',
    path: '/api/price_book/changes',
    summary: 'Changes the prices of models from a day on, at once when the day is here; the same id again changes nothing',
    access: 'frame.price',
    body: v.object({
      id_price_change: uuid,
      effective_on: day,
      /** True also changes the cost of pieces in stock that still have the book's former cost, in the user's stores. */
      reprice_stock: v.boolean(),
      models: chosenModels,
      change: bookChange,
    }),
    response: bookPriceChange,
    refuses: ['model-unknown', 'model-changed', 'key-reused'],
    bodyLimit: 512 * 1024,
  }),
  listPriceChanges: endpoint({
    method: 'GET',
    path: '/api/price_book/changes',
    summary: 'The changes of prices that were planned, newest first: those that wait, and the last hundred of the others',
    access: 'frame.price',
    response: v.object({ changes: v.array(bookPriceChange) }),
  }),
  cancelPriceChange: endpoint({
    method: 'POST',
    path: '/api/price_book/changes/{id}/cancel',
    summary: 'Takes back a change of prices whose day has not come',
    access: 'frame.price',
    params: v.object({ id: uuid }),
    response: bookPriceChange,
    refuses: ['price-change-unknown', 'price-change-settled'],
  }),
} as const
