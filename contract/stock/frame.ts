import * as v from 'valibot'
import { cents, instant, revision, rowId } from '#contract/core/primitives.ts'

/** Where a piece stands. The first five are the specification's; Sold and On Hold are ours. */
export const inventoryStatuses = ['Ready for Sale', 'Defective', 'Missing', 'ICT', 'Removed', 'Sold', 'On Hold'] as const
export const inventoryStatus = v.picklist(inventoryStatuses)
export type InventoryStatus = (typeof inventoryStatuses)[number]

/** One physical frame as the mirror holds it: what a clerk needs to know a piece by. Costs are not in it. */
export const frame = v.object({
  id_inventory: rowId,
  /** The store tag, unique in the chain; also its barcode. */
  sku: v.string(),
  /** F#, unique in the chain. */
  serial: v.string(),
  /** Names a model, not a piece: many frames share one. */
  upc: v.nullable(v.string()),
  status: inventoryStatus,
  store_id: rowId,
  brand_id: rowId,
  brand_name: v.string(),
  vendor_id: rowId,
  title_product: v.string(),
  title_variant: v.string(),
  size_lens_width: v.nullable(v.number()),
  size_bridge_width: v.nullable(v.number()),
  size_temple_length: v.nullable(v.number()),
  pb_selling_price: v.nullable(cents),
  board_location: v.nullable(v.string()),
  last_seen_at: v.nullable(instant),
  /** Raised with every change of this piece: what an edit says it was based on. */
  version: v.number(),
  revision,
})
export type Frame = v.InferOutput<typeof frame>

/** `52-18-140`: lens, bridge and temple in mm, with `–` for a part that nobody knows; null when none is known. */
export function sizeOf(piece: Pick<Frame, 'size_lens_width' | 'size_bridge_width' | 'size_temple_length'>): string | null {
  const parts = [piece.size_lens_width, piece.size_bridge_width, piece.size_temple_length]
  return parts.every((part) => part === null) ? null : parts.map((part) => part ?? '–').join('-')
}
