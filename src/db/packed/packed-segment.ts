import type { Page, RowId, Tuple } from '#src/db/packed/packed-pages.ts'
import { readTuple } from '#src/db/packed/packed-pages.ts'
import { lineAt, type RowLines, startsOf } from '#src/db/packed/row-lines.ts'

/** `lines`: the start of each line in `rows`, computed on first use. */
type SegmentPage = { number: number; rows: RowLines; start: number; count: number; lines: Uint32Array | null }

/**
 * A few thousand rows and their index. A large collection is a list of segments. Each is searchable once it is read,
 * none is merged into another, and a change of its pages rebuilds only one segment.
 */
export abstract class PackedSegment<Id extends RowId> {
  readonly rowCount: number
  readonly #pages: SegmentPage[]
  /** 1 when a later change replaces the row. */
  readonly #dead: Uint8Array
  #live: number

  /** @param starts the first row of each page */
  constructor(pages: readonly Page[], starts: readonly number[], rowCount: number) {
    this.#pages = pages.map(({ number, rows }, at) => {
      const start = starts[at] ?? 0
      return { number, rows, start, count: (starts[at + 1] ?? rowCount) - start, lines: null }
    })
    this.rowCount = rowCount
    this.#live = rowCount
    this.#dead = new Uint8Array(rowCount)
  }

  /** The row with an id, changed or not; -1 when it is not here. */
  abstract rowOf(id: Id): number

  /** The ids of all rows, changed or not. */
  abstract ids(): Iterable<Id>

  get live(): number {
    return this.#live
  }

  isLive(row: number): boolean {
    return this.#dead[row] === 0
  }

  retire(row: number): void {
    if (this.#dead[row] !== 0) return
    this.#dead[row] = 1
    this.#live--
  }

  tuple(row: number): Tuple {
    const page = this.#pageOf(row)
    page.lines ??= startsOf(page.rows, page.count)
    return readTuple(lineAt(page.rows, page.lines, row - page.start))
  }

  pageNumberOf(row: number): number {
    return this.#pageOf(row).number
  }

  /** The live rows of one page, for rewriting it. */
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

  #pageOf(row: number): SegmentPage {
    for (let at = this.#pages.length - 1; at >= 0; at--) {
      const page = this.#pages[at]!
      if (row >= page.start) return page
    }
    throw new RangeError('No page holds this row')
  }
}
