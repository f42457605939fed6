import { normaliseCode } from '#contract/core/codes.ts'
import type { Frame, InventoryStatus } from '#contract/stock/frame.ts'
import { inventoryStatuses } from '#contract/stock/frame.ts'
import type { RequestOf } from '#contract/core/endpoint.ts'
import type { FrameSort, stockEndpoints } from '#contract/stock/stock.ts'
import { isInStock } from '#contract/stock/stock-state.ts'
import { centsOf } from '#src/ui/forms/typed-money.ts'

/** The filters of a list, as their fields hold them. An empty text does not filter. */
export type StockFilters = {
  search: string
  store: string
  brand: string
  vendor: string
  status: '' | 'in-stock' | InventoryStatus
  priceMin: string
  priceMax: string
  /** Days since anybody last saw the piece. */
  unseenDays: string
  /** Days since the piece arrived. Only the server knows it. */
  ageDays: string
}

export const everything: StockFilters = {
  search: '',
  store: '',
  brand: '',
  vendor: '',
  status: '',
  priceMin: '',
  priceMax: '',
  unseenDays: '',
  ageDays: '',
}

export type StockOrder = { by: FrameSort; order: 'asc' | 'desc' }

/** The orders of a list, by the value of the field. */
export const stockOrders = {
  model: { label: 'Brand and model', by: 'model', order: 'asc' },
  sku: { label: 'Store tag', by: 'sku', order: 'asc' },
  serial: { label: 'Serial / F#', by: 'serial', order: 'asc' },
  cheapest: { label: 'Price, lowest first', by: 'price', order: 'asc' },
  dearest: { label: 'Price, highest first', by: 'price', order: 'desc' },
  unseen: { label: 'Longest not seen first', by: 'last_seen', order: 'asc' },
  oldest: { label: 'Longest in stock first', by: 'received', order: 'asc' },
  status: { label: 'Status', by: 'status', order: 'asc' },
  store: { label: 'Store', by: 'store', order: 'asc' },
} as const satisfies Record<string, StockOrder & { label: string }>
export type StockOrderKey = keyof typeof stockOrders

const dayMs = 86_400_000

/** Returns true when only the server can answer, because the device does not know when a piece arrived. */
export function needsServer(filters: StockFilters, order: StockOrderKey): boolean {
  return filters.ageDays !== '' || order === 'oldest'
}

/** Returns the problems of the typed prices, or an empty object. */
export function priceProblems({ priceMin, priceMax }: StockFilters): { priceMin?: string; priceMax?: string } {
  const least = centsOf(priceMin)
  const most = centsOf(priceMax)
  return {
    ...(least === undefined && { priceMin: 'Enter an amount, like 120' }),
    ...(most === undefined && { priceMax: 'Enter an amount, like 120' }),
    ...(typeof least === 'number' && typeof most === 'number' && most < least && { priceMax: 'Must be at least the lowest price' }),
  }
}

/**
 * Returns a test for frames that match the filters: the same as the server's for `queryOf`, as far as this device
 * knows.
 */
export function passing(filters: StockFilters, now: number): (frame: Frame) => boolean {
  const { store, brand, vendor, status } = filters
  const least = centsOf(filters.priceMin) ?? null
  const most = centsOf(filters.priceMax) ?? null
  const since = filters.unseenDays === '' ? null : new Date(now - Number(filters.unseenDays) * dayMs).toISOString()
  const words = filters.search.trim().toLowerCase()
  const code = normaliseCode(filters.search)
  return (frame) =>
    (store === '' || frame.store_id === Number(store)) &&
    (brand === '' || frame.brand_id === Number(brand)) &&
    (vendor === '' || frame.vendor_id === Number(vendor)) &&
    (status === '' || (status === 'in-stock' ? isInStock(frame.status) : frame.status === status)) &&
    (least === null || (frame.pb_selling_price !== null && frame.pb_selling_price >= least)) &&
    (most === null || (frame.pb_selling_price !== null && frame.pb_selling_price <= most)) &&
    (since === null || frame.last_seen_at === null || frame.last_seen_at < since) &&
    (words === '' ||
      frame.serial.includes(code) ||
      frame.sku.includes(code) ||
      (frame.upc?.includes(code) ?? false) ||
      frame.title_product.toLowerCase().includes(words) ||
      frame.title_variant.toLowerCase().includes(words) ||
      frame.brand_name.toLowerCase().includes(words))
}

type ListQuery = NonNullable<RequestOf<typeof stockEndpoints.allFilters>['query']>

/** Returns the server's query for the filters. */
export function queryOf(filters: StockFilters, now: number): ListQuery {
  const before = (days: string) => new Date(now - Number(days) * dayMs).toISOString()
  const least = centsOf(filters.priceMin)
  const most = centsOf(filters.priceMax)
  const statuses = filters.status === 'in-stock' ? inventoryStatuses.filter(isInStock).join(',') : filters.status
  return {
    ...(filters.store !== '' && { store_id: filters.store }),
    ...(filters.brand !== '' && { brand_id: filters.brand }),
    ...(filters.vendor !== '' && { vendor_id: filters.vendor }),
    ...(statuses !== '' && { status: statuses }),
    ...(typeof least === 'number' && { price_min: String(least) }),
    ...(typeof most === 'number' && { price_max: String(most) }),
    ...(filters.unseenDays !== '' && { not_seen_since: before(filters.unseenDays) }),
    ...(filters.ageDays !== '' && { received_before: before(filters.ageDays) }),
    ...(filters.search.trim() !== '' && { search: filters.search.trim() }),
  }
}
