import type { Frame } from '#contract/stock/frame.ts'
import type { FrameSort } from '#contract/stock/stock.ts'
import type { StockOrder } from './filters.ts'

/** The rows that are sorted in one step before merging. Takes well under a millisecond. */
const runLength = 512
const mergedPerStep = 1024

/**
 * Returns the frames in an order. Unknown values come first in an ascending one.
 * Works in small steps, because sorting a hundred thousand frames would block the screen. Makes each frame's key once.
 */
export function* inOrder(
  frames: readonly Frame[],
  { by, order }: StockOrder,
  storeName: (id: number) => string,
): Generator<undefined, Frame[]> {
  const keyOf = keyOfOrder(by, storeName)
  const keys: (string | number)[] = []
  for (const frame of frames) {
    keys.push(keyOf(frame))
    if (keys.length % runLength === 0) yield
  }
  const sign = order === 'asc' ? 1 : -1
  const compare = (one: number, other: number) => {
    const [a, b] = [keys[one]!, keys[other]!]
    return sign * (a < b ? -1 : a > b ? 1 : frames[one]!.id_inventory - frames[other]!.id_inventory)
  }
  let places = new Uint32Array(frames.length)
  for (let at = 0; at < places.length; at++) places[at] = at
  for (let from = 0; from < places.length; from += runLength) {
    places.subarray(from, from + runLength).sort(compare)
    yield
  }
  let merged = new Uint32Array(places.length)
  for (let length = runLength; length < places.length; length *= 2) {
    for (let from = 0; from < places.length; from += 2 * length) yield* mergeRuns(places, merged, from, length, compare)
    ;[places, merged] = [merged, places]
  }
  const ordered: Frame[] = []
  for (const place of places) {
    ordered.push(frames[place]!)
    if (ordered.length % (8 * runLength) === 0) yield
  }
  return ordered
}

/** Merges two adjacent runs of `length` from `given` into `merged`. The second may be shorter or missing. */
function* mergeRuns(
  given: Uint32Array,
  merged: Uint32Array,
  from: number,
  length: number,
  compare: (one: number, other: number) => number,
): Generator<undefined, void> {
  const middle = Math.min(from + length, given.length)
  const end = Math.min(from + 2 * length, given.length)
  let left = from
  let right = middle
  for (let at = from; at < end; at++) {
    const takesLeft = left < middle && (right >= end || compare(given[left]!, given[right]!) < 0)
    merged[at] = takesLeft ? given[left++]! : given[right++]!
    if ((at - from) % mergedPerStep === mergedPerStep - 1) yield
  }
}

function keyOfOrder(by: FrameSort, storeName: (id: number) => string): (frame: Frame) => string | number {
  const keys: Partial<Record<FrameSort, (frame: Frame) => string | number>> = {
    sku: (frame) => frame.sku,
    serial: (frame) => frame.serial,
    model: modelKey,
    status: (frame) => frame.status,
    store: (frame) => storeName(frame.store_id),
    price: (frame) => frame.pb_selling_price ?? -1,
    last_seen: (frame) => frame.last_seen_at ?? '',
  }
  return keys[by] ?? ((frame) => frame.id_inventory)
}

/** Returns a key for a model in one color, which sorts by its names. */
export function modelKey(frame: Pick<Frame, 'brand_name' | 'title_product' | 'title_variant' | 'brand_id'>): string {
  return `${frame.brand_name}\n${frame.title_product}\n${frame.title_variant}\n${frame.brand_id}`.toLowerCase()
}
