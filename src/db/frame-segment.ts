import type { Page, Tuple } from '#src/db/packed-pages.ts'
import { readKeys, readTuple } from '#src/db/packed-pages.ts'
import { CodeColumn } from '#src/db/code-column.ts'
import { inSteps } from '#src/db/slices.ts'

/** Pages to a segment: 4,096 rows, whose index is built in some 10 ms on a desk and in four times that on a phone. */
export const pagesPerSegment = 32

/** By what the rows of a segment are found. `starts`: the first row of each page. */
type SegmentIndex = {
  starts: number[]
  ids: number[]
  stores: number[]
  byId: Uint32Array
  serials: CodeColumn
  skus: CodeColumn
  upcs: CodeColumn
}

/** Made in steps of a few ms at most. */
function* indexing(pages: readonly Page[]): Generator<undefined, SegmentIndex> {
  const starts: number[] = []
  const ids: number[] = []
  const stores: number[] = []
  const serials: string[] = []
  const skus: string[] = []
  const upcs: string[] = []
  for (const page of pages) {
    const keys = readKeys(page.keys)
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

/**
 * The index of a few thousand rows. A large collection is a list of segments: each can be searched from the moment it is
 * read, none is ever sorted into another, and a change of the pages below it rebuilds one of them.
 */
export class FrameSegment {
  readonly serials: CodeColumn
  readonly skus: CodeColumn
  readonly upcs: CodeColumn
  readonly rowCount: number
  readonly #pages: { number: number; rows: string; start: number; count: number }[]
  readonly #ids: Int32Array
  readonly #stores: Int32Array
  /** Rows in the order of their ids. */
  readonly #byId: Uint32Array
  readonly #leastId: number
  readonly #greatestId: number
  /** 1 where a later change stands in for the row. */
  readonly #dead: Uint8Array
  #live: number
  /** Where the last row was read. Its lines are cut apart only when a second one is wanted: a look-up wants one. */
  #lastPage: { number: number; lines: string[] | null } | null = null

  private constructor(pages: readonly Page[], index: SegmentIndex) {
    const { starts, ids } = index
    this.#pages = pages.map(({ number, rows }, at) => {
      const start = starts[at] ?? 0
      return { number, rows, start, count: (starts[at + 1] ?? ids.length) - start }
    })
    this.rowCount = ids.length
    this.#live = ids.length
    this.#ids = Int32Array.from(ids)
    this.#stores = Int32Array.from(index.stores)
    this.#dead = new Uint8Array(ids.length)
    this.#byId = index.byId
    this.#leastId = ids[this.#byId[0] ?? -1] ?? Infinity
    this.#greatestId = ids[this.#byId.at(-1) ?? -1] ?? -Infinity
    this.serials = index.serials
    this.skus = index.skus
    this.upcs = index.upcs
  }

  /** Lets others work while the index is made. */
  static async of(pages: readonly Page[]): Promise<FrameSegment> {
    return new FrameSegment(pages, await inSteps(indexing(pages)))
  }

  get live(): number {
    return this.#live
  }

  /** The row of a frame, changed since or not; -1 when it is not here. */
  rowOf(id: number): number {
    // Numbers are given in series: most segments are wholly before or after the one that is asked for.
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

  isLive(row: number): boolean {
    return this.#dead[row] === 0
  }

  retire(row: number): void {
    if (this.#dead[row] !== 0) return
    this.#dead[row] = 1
    this.#live--
  }

  idOf(row: number): number {
    return this.#ids[row] ?? 0
  }

  storeOf(row: number): number {
    return this.#stores[row] ?? 0
  }

  tuple(row: number): Tuple {
    const page = this.#pageOf(row)
    const line = row - page.start
    if (this.#lastPage?.number !== page.number) {
      this.#lastPage = { number: page.number, lines: null }
      return readTuple(lineOf(page.rows, line))
    }
    this.#lastPage.lines ??= page.rows.split('\n')
    return readTuple(this.#lastPage.lines[line] ?? '')
  }

  pageNumberOf(row: number): number {
    return this.#pageOf(row).number
  }

  /** The live rows of one page, for its rewriting. */
  tuplesOfPage(number: number): Tuple[] {
    const page = this.#pages.find((candidate) => candidate.number === number)
    if (!page) return []
    const tuples: Tuple[] = []
    for (let row = page.start; row < page.start + page.count; row++) if (this.isLive(row)) tuples.push(this.tuple(row))
    return tuples
  }

  pageNumbers(): number[] {
    return this.#pages.map((page) => page.number)
  }

  #pageOf(row: number): { number: number; rows: string; start: number } {
    for (let at = this.#pages.length - 1; at >= 0; at--) {
      const page = this.#pages[at]!
      if (row >= page.start) return page
    }
    throw new RangeError('No page holds this row')
  }
}

function lineOf(text: string, number: number): string {
  let start = 0
  for (let line = 0; line < number; line++) start = text.indexOf('\n', start) + 1
  const end = text.indexOf('\n', start)
  return text.slice(start, end === -1 ? undefined : end)
}
