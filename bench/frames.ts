import type { Frame } from '#contract/stock/frames.ts'
import type { PullLine } from '#contract/sync/sync.ts'
import { frameColumns } from '#src/db/mirrors/frame-layout.ts'
import { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { catalogFor } from '#server/demo/demo-catalog.ts'
import { demoStores } from '#server/demo/demo-clinic.ts'
import { framesOfStore } from '#server/demo/demo-frames.ts'
import { SeededRandom } from '#server/demo/seeded-random.ts'

/** Rows to a page of a pull, the same as the server's. */
export const pageRows = 2000
export const epoch = '0199d0f0-0000-7000-8000-0000000000e0'

/** The demo's frames in the form of a pull: the same for the same number, on every machine and every day. */
export function chainFrames(total: number): Frame[] {
  const random = (part: string) => new SeededRandom(`lorgnette bench ${part}`)
  const calendar = new DemoCalendar(Date.parse('2026-11-01T00:00:00.000Z'))
  const catalog = catalogFor(total, random('catalogue'))
  const share = Math.ceil(total / demoStores.length)
  return demoStores
    .flatMap((store, index) => {
      const count = Math.max(0, Math.min(share, total - index * share))
      return framesOfStore(store, count, index * share + 1, catalog, calendar, random(`frames ${store.tag}`))
    })
    .map((made) => ({
      id_inventory: made.id_inventory,
      sku: made.sku,
      serial: made.serial,
      upc: made.upc ?? null,
      status: made.status,
      store_id: made.store_id,
      brand_id: made.brand_id,
      brand_name: made.variant.brand.name,
      vendor_id: made.vendor_id,
      title_product: made.title_product,
      title_variant: made.title_variant,
      size_lens_width: made.variant.size_lens_width,
      size_bridge_width: made.variant.size_bridge_width,
      size_temple_length: made.variant.size_temple_length,
      pb_selling_price: made.variant.pb_selling_price,
      board_location: made.board_location ?? null,
      last_seen_at: made.last_seen_at,
      version: 1,
      revision: 1,
    }))
}

export function tupleOf(frame: Frame): unknown[] {
  const row: Record<string, unknown> = frame
  return frameColumns.map((column) => row[column] ?? null)
}

/** Returns a pull's lines, byte for byte as the server writes them. @param replace true for a first pull */
export function pullLines(frames: readonly Frame[], replace: boolean, cursor: string): string {
  const lines: PullLine[] = [
    {
      type: 'header',
      collection: 'frames',
      epoch,
      scope: 'chain',
      columns: [...frameColumns],
      total: frames.length,
      replace,
      server_time: new Date().toISOString(),
    },
  ]
  for (let from = 0; from < frames.length; from += pageRows) {
    const rows = frames.slice(from, from + pageRows).map(tupleOf)
    lines.push({ type: 'page', rows, removed: [], cursor: `${cursor} ${from}`, revision: 1 })
  }
  lines.push({ type: 'end', cursor, revision: 1 })
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
