import * as v from 'valibot'
import { createStore } from 'zustand/vanilla'
import { inventoryStatuses } from '#contract/stock/frame.ts'
import { everything, type StockFilters, type StockOrderKey, stockOrders } from './filters.ts'

/** A view: filters and order, with a name if it is saved. */
export type StockView = { name: string; filters: StockFilters; order: StockOrderKey }

/** The lists that stockrooms need every week. Choosing one also sets `store`. */
export const reports: readonly StockView[] = [
  { name: 'In stock', filters: { ...everything, status: 'in-stock' }, order: 'model' },
  { name: 'Not seen for 30 days', filters: { ...everything, status: 'in-stock', unseenDays: '30' }, order: 'unseen' },
  { name: 'In stock over 180 days', filters: { ...everything, status: 'in-stock', ageDays: '180' }, order: 'oldest' },
  { name: 'Missing over 30 days', filters: { ...everything, status: 'Missing', unseenDays: '30' }, order: 'unseen' },
]

/** The present filters and order, and their user. The list keeps them while the user is on other pages. */
export const shownStore = createStore<{ idUser: number | null; filters: StockFilters; order: StockOrderKey }>(() => ({
  idUser: null,
  filters: everything,
  order: 'model',
}))

const text = v.pipe(v.string(), v.maxLength(200))
const kept = v.array(
  v.object({
    name: v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
    filters: v.object({
      search: text,
      store: text,
      brand: text,
      vendor: text,
      status: v.picklist(['', 'in-stock', ...inventoryStatuses]),
      priceMin: text,
      priceMax: text,
      unseenDays: text,
      ageDays: text,
    }),
    order: v.picklist(Object.keys(stockOrders) as StockOrderKey[]),
  }),
)

const keyOf = (idUser: number) => `lorgnette.stock-views.${idUser}`

/** Returns the user's saved views on this device. */
export function savedViews(idUser: number): StockView[] {
  try {
    const read = v.safeParse(kept, JSON.parse(localStorage.getItem(keyOf(idUser)) ?? '[]'))
    return read.success ? read.output : []
  } catch {
    // The views are unreadable, or storage is forbidden: there are none.
    return []
  }
}

/** Saves the views. Returns false when this device could not keep them. */
export function keepViews(idUser: number, views: readonly StockView[]): boolean {
  try {
    localStorage.setItem(keyOf(idUser), JSON.stringify(views))
    return true
  } catch {
    return false
  }
}
