import type { Kysely } from 'kysely'
import type { Frame } from '#contract/stock/frames.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/** Frames with the names of brand and store, without deleted rows. */
export function selectFrames(db: Kysely<Schema>) {
  return db
    .selectFrom('frames')
    .innerJoin('brands', 'brands.brand_id', 'frames.brand_id')
    .innerJoin('stores', 'stores.store_id', 'frames.store_id')
    .selectAll('frames')
    .select(['brands.name as brand_name', 'stores.store_name'])
    .where('frames.deleted_at', 'is', null)
}
export type FrameWithNames = Awaited<ReturnType<ReturnType<typeof selectFrames>['executeTakeFirstOrThrow']>>

/** The frame as the mirror holds it, without its costs. */
export function toFrame(row: FrameWithNames): Frame {
  return {
    id_inventory: row.id_inventory,
    sku: row.sku,
    serial: row.serial,
    upc: row.upc,
    status: row.status,
    store_id: row.store_id,
    brand_id: row.brand_id,
    brand_name: row.brand_name,
    vendor_id: row.vendor_id,
    title_product: row.title_product,
    title_variant: row.title_variant,
    size_lens_width: row.size_lens_width,
    size_bridge_width: row.size_bridge_width,
    size_temple_length: row.size_temple_length,
    pb_selling_price: row.pb_selling_price,
    board_location: row.board_location,
    last_seen_at: row.last_seen_at,
    version: row.version,
    revision: row.revision,
  }
}
