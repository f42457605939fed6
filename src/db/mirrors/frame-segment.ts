import { CodeColumn } from '#src/db/packed/code-column.ts'
import { readKeys } from '#src/db/mirrors/frame-layout.ts'
import type { Page } from '#src/db/packed/packed-pages.ts'
import { PackedSegment } from '#src/db/packed/packed-segment.ts'
import { inSteps } from '#src/db/indexed/slices.ts'

/** The index of a segment's rows. `starts`: the first row of each page. */
type SegmentIndex = {
  starts: number[]
  ids: number[]
  stores: number[]
  byId: Uint32Array
  serials: CodeColumn
  skus: CodeColumn
  upcs: CodeColumn
}

/** Builds the index in steps of a few ms at most. */
function* indexing(pages: readonly Page[]): Generator<undefined, SegmentIndex> {
  const starts: number[] = []
  const ids: number[] = []
  const stores: number[] = []
  const serials: string[] = []
  const skus: string[] = []
  const upcs: string[] = []
  for (const page of pages) {
    const keys = readKeys(page)
    starts.push(ids.length)
    ids.push(...keys.ids)
    serials.push(...keys.serials)
    skus.push(...keys.skus)
    upcs.push(...keys.upcs)
    stores.push(...keys.stores)
    yield
  }
  const columns: CodeColumn[] = []
  for (const codes of [serials, skus, upcs]) {
    columns.push(new CodeColumn(codes))
    yield
  }
  const byId = Uint32Array.from(ids.keys()).sort((a, b) => ids[a]! - ids[b]!)
  return { starts, ids, stores, byId, serials: columns[0]!, skus: columns[1]!, upcs: columns[2]! }
}

/** Some frames, found by their ids and their codes. */
export class FrameSegment extends PackedSegment<number> {
  readonly serials: CodeColumn
  readonly skus: CodeColumn
  readonly upcs: CodeColumn
  readonly #ids: Int32Array
  readonly #stores: Int32Array
  /** Rows in the order of their ids. */
  readonly #byId: Uint32Array
  readonly #leastId: number
  readonly #greatestId: number

  private constructor(pages: readonly Page[], index: SegmentIndex) {
    const { starts, ids } = index
    super(pages, starts, ids.length)
    this.#ids = Int32Array.from(ids)
    this.#stores = Int32Array.from(index.stores)
    this.#byId = index.byId
    this.#leastId = ids[this.#byId[0] ?? -1] ?? Infinity
    this.#greatestId = ids[this.#byId.at(-1) ?? -1] ?? -Infinity
    this.serials = index.serials
    this.skus = index.skus
    this.upcs = index.upcs
  }

  /** Lets other work run while it builds the index. */
  static async of(pages: readonly Page[]): Promise<FrameSegment> {
    return new FrameSegment(pages, await inSteps(indexing(pages)))
  }

  /** The row of a frame, changed or not; -1 when it is not here. */
  rowOf(id: number): number {
    // Ids are given in series: most segments are wholly before or after the id.
    if (id < this.#leastId || id > this.#greatestId) return -1
    let low = 0
    let high = this.#byId.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#ids[this.#byId[middle]!]! < id) low = middle + 1
      else high = middle
    }
    const row = this.#byId[low]
    return row !== undefined && this.#ids[row] === id ? row : -1
  }

  ids(): Iterable<number> {
    return this.#ids
  }

  idOf(row: number): number {
    return this.#ids[row] ?? 0
  }

  storeOf(row: number): number {
    return this.#stores[row] ?? 0
  }
}
