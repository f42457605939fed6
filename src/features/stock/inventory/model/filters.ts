import { normaliseCode } from '#contract/core/codes.ts'
import type { Frame, InventoryStatus } from '#contract/stock/frame.ts'
import { inventoryStatuses } from '#contract/stock/frame.ts'
import type { RequestOf } from '#contract/core/endpoint.ts'
import type { FrameSort, stockEndpoints } from '#contract/stock/stock.ts'
import { isInStock } from '#contract/stock/stock-state.ts'
import { centsOf } from '#src/ui/forms/typed-money.ts'

/** What a list is narrowed to, as its fields hold it; an empty text narrows nothing. */
export type StockFilters = {
  search: string
  store: string
  brand: string
  vendor: string
  status: '' | 'in-stock' | InventoryStatus
  priceMin: string
  priceMax: string
  /** Days for which nobody has seen a piece. */
  unseenDays: string
  /** Days for which a piece has been there; only the server knows. */
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

/** The orders that a list can have, by the key that its field holds. */
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

/** The receipt of a piece is not on this device. */
export function needsServer(filters: StockFilters, order: StockOrderKey): boolean {
  return filters.ageDays !== '' || order === 'oldest'
}

/** What is wrong with the typed prices; empty when nothing is. */
export function priceProblems({ priceMin, priceMax }: StockFilters): { priceMin?: string; priceMax?: string } {
  const least = centsOf(priceMin)
  const most = centsOf(priceMax)
  return {
    ...(least === undefined && { priceMin: 'Enter an amount, like 120' }),
    ...(most === undefined && { priceMax: 'Enter an amount, like 120' }),
    ...(typeof least === 'number' && typeof most === 'number' && most < least && { priceMax: 'Must be at least the lowest price' }),
  }
}

/** Whether a frame passes: the same answer as the server's to `queryOf`, as far as this device knows. */
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

/** The same for the server. */
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
