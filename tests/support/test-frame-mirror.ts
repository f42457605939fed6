import { type IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import type { Frame } from '#contract/stock/frames.ts'
import type { FrameMirror } from '#src/db/mirrors/frame-mirror.ts'
import type { MirrorWriter } from '#src/db/packed/mirror-writer.ts'
import { openFrameMirror } from '#src/db/mirrors/open-frame-mirror.ts'
import { frameColumns } from '#src/db/mirrors/frame-layout.ts'
import type { PageCodec } from '#src/db/packed/packed-pages.ts'

export type Mirror = FrameMirror & MirrorWriter

export const epoch = '0198c2f4-0000-7000-8000-000000000001'
export const opened: Mirror[] = []

/** Closes the mirrors that a test opened. */
export function closeMirrors(): void {
  for (const mirror of opened.splice(0)) mirror.close()
}

export function open(
  indexedDB: IDBFactory,
  more: { whenIdle?: (work: () => void) => void; name?: string; codec?: PageCodec } = {},
): Mirror {
  const mirror = openFrameMirror({ indexedDB, IDBKeyRange, name: 'mirror-of-test', whenIdle: () => undefined, ...more })
  opened.push(mirror)
  return mirror
}

/** Mulberry32, so that every run has the same chain of frames. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** The digits with their check digit. */
function checked(digits: string): string {
  let sum = 0
  for (let at = 0; at < digits.length; at++) sum += Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 3 : 1)
  return digits + String((10 - (sum % 10)) % 10)
}

export function frameOf(id: number, random: () => number, revision = id): Frame {
  const upc = random()
  return {
    id_inventory: id,
    sku: `${String(100_000 + id)}`,
    serial: `F${String(Math.floor(random() * 90_000_000) + 10_000_000)}-${id.toString(36)}`,
    upc:
      upc < 0.1 ? null : upc < 0.15 ? `X-${Math.floor(random() * 500)}` : checked(String(Math.floor(random() * 30_000)).padStart(11, '0')),
    status: 'Ready for Sale',
    store_id: 1 + Math.floor(random() * 20),
    brand_id: 1 + (id % 30),
    brand_name: `Brand ${id % 30}`,
    vendor_id: 1 + (id % 7),
    title_product: `Model "${id % 900}"`,
    title_variant: 'Black\nMatte',
    size_lens_width: 52,
    size_bridge_width: 18,
    size_temple_length: 140,
    pb_selling_price: 19_900,
    board_location: null,
    last_seen_at: null,
    version: 1,
    revision,
  }
}

export const framesOf = (count: number, seed: number) => {
  const random = randomFrom(seed)
  return Array.from({ length: count }, (_, at) => frameOf(at + 1, random))
}

export const rowOf = (frame: Frame): unknown[] =>
  Object.values(frameColumns.map((column) => Object.entries(frame).find(([key]) => key === column)?.[1]))

export function pageOf(frames: Frame[], cursor: string, removed: number[] = []) {
  return { columns: [...frameColumns], rows: frames.map(rowOf), removed, cursor, epoch }
}

export async function load(mirror: Mirror, frames: Frame[], perPage = 5000): Promise<void> {
  await mirror.beginReplace(frames.length)
  for (let from = 0; from < frames.length; from += perPage) {
    await mirror.applyPage(pageOf(frames.slice(from, from + perPage), `at ${from + perPage}`))
  }
  await mirror.endReplace('end', epoch)
}
