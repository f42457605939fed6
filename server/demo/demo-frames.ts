import type { Insertable } from 'kysely'
import { gtin14 } from '#contract/core/codes.ts'
import { netCost } from '#contract/stock/stock-money.ts'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import type { Variant } from '#server/demo/demo-catalog.ts'
import type { DemoStore } from '#server/demo/demo-clinic.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

/** A frame before its insertion. Its variant has the names. */
export type DemoFrame = Omit<Insertable<Schema['frames']>, 'id_inventory' | 'revision'> & {
  id_inventory: number
  receipt_at: string
  last_seen_at: string
  variant: Variant
}

const statuses: Record<InventoryStatus, number> = {
  'Ready for Sale': 0.86,
  Sold: 0.05,
  Defective: 0.025,
  Missing: 0.02,
  'On Hold': 0.02,
  ICT: 0.01,
  Removed: 0.015,
}
const warehouseStatuses: Record<InventoryStatus, number> = { ...statuses, Sold: 0, 'On Hold': 0, 'Ready for Sale': 0.93 }

const notesByStatus: Partial<Record<InventoryStatus, readonly string[]>> = {
  Defective: ['Hinge screw stripped on the left', 'Lens scratched in the case', 'Nose pad arm bent', 'Paint chipped at the bridge'],
  Removed: ['Discontinued, returned with the spring order', 'Given to the vendor’s representative as a sample'],
  Missing: ['Not on the board at the last count', 'Tray was found empty'],
  'On Hold': ['Held for pick-up', 'Waits in the lab tray'],
  'Ready for Sale': ['Display piece', 'Case is in drawer 4', 'Last one in this color'],
}
const noteChance: Partial<Record<InventoryStatus, number>> = {
  Defective: 0.9,
  Removed: 0.7,
  Missing: 0.4,
  'On Hold': 0.5,
  'Ready for Sale': 0.03,
}

const framesOfReceipt = 24

/** `count` frames for a store, numbered from `firstId`. */
export function framesOfStore(
  store: DemoStore,
  count: number,
  firstId: number,
  catalog: readonly Variant[],
  calendar: DemoCalendar,
  random: SeededRandom,
): DemoFrame[] {
  const frames: DemoFrame[] = []
  let receipt = { number: '', at: '' }
  for (let index = 0; index < count; index++) {
    if (index % framesOfReceipt === 0) {
      // Long enough ago that everything else in the frame's history happened later.
      const age = random.int(60, 900)
      receipt = { number: `R-${store.tag}-${String(1001 + index / framesOfReceipt)}`, at: calendar.daysAgo(age, random.int(14, 20)) }
    }
    frames.push(frameOf(store, index, firstId + index, receipt, catalog, calendar, random))
  }
  return frames
}

function frameOf(
  store: DemoStore,
  index: number,
  id: number,
  receipt: { number: string; at: string },
  catalog: readonly Variant[],
  calendar: DemoCalendar,
  random: SeededRandom,
): DemoFrame {
  // Squaring makes some variants sell in dozens and many in ones and twos.
  const variant = catalog[Math.floor(random.next() ** 2 * catalog.length)]!
  const status = random.weighted(store.is_warehouse ? warehouseStatuses : statuses)
  // Nothing changed since yesterday morning, so an open count of yesterday finds the same shelves.
  const seen = calendar.daysAgo(random.int(2, 29), random.int(14, 21) + random.next())
  const changed = status === 'Ready for Sale' ? receipt.at : calendar.plus(seen, random.int(1, 120))
  const hasUpc = !random.chance(0.04)
  const notes = notesByStatus[status]
  return {
    id_inventory: id,
    sku: `${store.tag}-${100_001 + index}`,
    serial: `F${String(100_000 + id).padStart(7, '0')}`,
    upc: hasUpc ? variant.upc : null,
    gtin: hasUpc ? gtin14(variant.upc) : null,
    status,
    store_id: store.store_id,
    brand_id: variant.brand.brand_id,
    vendor_id: variant.brand.vendor_id,
    id_model: variant.id_model,
    title_product: variant.title_product,
    title_variant: variant.title_variant,
    size_lens_width: variant.size_lens_width,
    size_bridge_width: variant.size_bridge_width,
    size_temple_length: variant.size_temple_length,
    item_list_cost: variant.item_list_cost,
    item_discount: variant.item_discount,
    item_net: netCost(variant.item_list_cost, variant.item_discount),
    pb_selling_price: variant.pb_selling_price,
    board_location: status === 'Sold' || status === 'Removed' || status === 'ICT' ? null : boardLocation(store, variant, random),
    note: notes && random.chance(noteChance[status] ?? 0) ? random.pick(notes) : null,
    removed_reason: status === 'Removed' ? random.pick(['vendor_return', 'vendor_return', 'other']) : null,
    receipt_number: receipt.number,
    receipt_at: receipt.at,
    last_seen_at: seen,
    last_count_sheet_id: null,
    version: 1,
    changed_at: changed,
    deleted_at: null,
    variant,
  }
}

function boardLocation(store: DemoStore, variant: Variant, random: SeededRandom): string {
  if (store.is_warehouse) return `Shelf ${random.int(1, 12)}`
  if (random.chance(0.12)) return `Drawer ${random.int(1, 8)}`
  if (variant.brand.style === 'sun') return `Sun tower ${random.int(1, 3)}`
  if (variant.brand.style === 'children') return `Kids corner ${random.int(1, 4)}`
  // A brand hangs on one wall, which follows from the brand's number.
  return `Wall ${'ABCDEF'[variant.brand.brand_id % 6]}${random.int(1, 6)}`
}

export const frameColumns = {
  id_inventory: 'integer',
  sku: 'text',
  serial: 'text',
  upc: 'text',
  gtin: 'text',
  status: 'text',
  store_id: 'integer',
  brand_id: 'integer',
  vendor_id: 'integer',
  id_model: 'integer',
  title_product: 'text',
  title_variant: 'text',
  size_lens_width: 'double precision',
  size_bridge_width: 'double precision',
  size_temple_length: 'double precision',
  item_list_cost: 'bigint',
  item_discount: 'double precision',
  item_net: 'bigint',
  pb_selling_price: 'bigint',
  board_location: 'text',
  note: 'text',
  removed_reason: 'text',
  receipt_number: 'text',
  receipt_at: 'timestamptz',
  last_seen_at: 'timestamptz',
  last_count_sheet_id: 'uuid',
  version: 'integer',
  changed_at: 'timestamptz',
  revision: 'bigint',
} as const

/** The frames as rows of the table. */
export function* frameRows(frames: readonly DemoFrame[], revision: number): Iterable<Insertable<Schema['frames']>> {
  for (const { variant: _, ...row } of frames) yield { ...row, revision }
}
