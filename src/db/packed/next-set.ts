import { letOthersWork } from '#src/db/indexed/slices.ts'
import type { MirrorState, Replacing, StoredPage } from '#src/db/packed/mirror-records.ts'
import { MirrorBusy, type MirrorStore } from '#src/db/packed/mirror-store.ts'
import type { MirrorPage } from '#src/db/packed/mirror-writer.ts'
import { type Page, packPages, type RowId, type Tuple } from '#src/db/packed/packed-pages.ts'
import type { PackedSegment } from '#src/db/packed/packed-segment.ts'
import type { Change, PackedSet } from '#src/db/packed/packed-set.ts'

/** A part of a load, ready for the disk: new rows in pages, and the rest as a change. */
type PackedPart<Id extends RowId> = { pages: Page[]; encoding: Promise<StoredPage>[]; change: Change<Id> }

/** The set of rows that a load builds beside the complete one. */
export class NextSet<Id extends RowId, Segment extends PackedSegment<Id>, Rows extends PackedSet<Id, { id: Id }, Segment>> {
  readonly generation: number
  readonly rows: Rows
  /** All rows of the load, so that a row that comes again counts as a change. */
  readonly #ids: Set<Id>
  #steps: number
  #nextPage: number

  /** @param rows the rows that the disk has of it */
  constructor({ generation, steps, nextPage }: Pick<Replacing, 'generation' | 'steps' | 'nextPage'>, rows: Rows) {
    this.generation = generation
    this.rows = rows
    this.#ids = new Set(rows.ids())
    this.#steps = steps
    this.#nextPage = nextPage
  }

  /** Whether memory has every stored part of this load. */
  isAt({ generation, steps }: Replacing): boolean {
    return this.generation === generation && this.#steps === steps
  }

  /** The state of this load. @throws MirrorBusy when another window continued it or began its own */
  stillIn({ replacing }: MirrorState): Replacing {
    if (!replacing || !this.isAt(replacing)) throw new MirrorBusy()
    return replacing
  }

  /** Packs a part and starts to encode its pages. The next part may be packed before the disk has this one. */
  pack(page: MirrorPage, disk: MirrorStore, readId: (given: RowId) => Id): PackedPart<Id> {
    const { layout } = this.rows
    const ids = this.#ids
    const read = layout.reader(page.columns)
    const fresh: Tuple[] = []
    const again: Tuple[] = []
    for (const row of page.rows) {
      const tuple = read(row)
      if (addsTo(ids, layout.idOf(tuple))) fresh.push(tuple)
      else again.push(tuple)
    }
    const removed = page.removed.map(readId).filter((id) => ids.has(id))
    const pages: Page[] = []
    const encoding: Promise<StoredPage>[] = []
    // One page is encrypted while the next is packed.
    for (const packed of packPages(this.#nextPage, layout, fresh)) {
      pages.push(packed)
      encoding.push(disk.encodePage(this.generation, packed))
    }
    this.#nextPage += pages.length
    return { pages, encoding, change: { rows: again, removed } }
  }

  /** Writes a part with its cursor in one transaction. @param given called when the browser has all of it */
  async write(page: MirrorPage, { encoding, change }: PackedPart<Id>, disk: MirrorStore, given: () => void): Promise<MirrorState> {
    const { generation } = this
    const pages = await Promise.all(encoding)
    const text = await disk.encodeChange(change, this.rows.layout.columns)
    return await disk.write((state, pen) => {
      const before = this.stillIn(state)
      for (const one of pages) pen.putPage(one)
      if (text !== null) pen.putChange({ generation, sequence: state.sequence + 1, text })
      return {
        ...state,
        replacing: {
          ...before,
          epoch: page.epoch,
          cursor: page.cursor,
          nextPage: this.#nextPage,
          steps: this.#steps + 1,
          done: before.done + page.rows.length,
        },
      }
    }, given)
  }

  /** Builds the segments of a part's pages with their indexes. */
  async index(pages: readonly Page[]): Promise<Segment[]> {
    const { pagesPerSegment } = this.rows.layout
    const segments: Segment[] = []
    for (let from = 0; from < pages.length; from += pagesPerSegment) {
      segments.push(await this.rows.segmentOf(pages.slice(from, from + pagesPerSegment)))
      await letOthersWork()
    }
    return segments
  }

  /** Takes a part into memory once the disk has it. */
  take(segments: readonly Segment[], change: Change<Id>): void {
    this.#steps++
    for (const segment of segments) this.rows.addSegment(segment)
    this.rows.apply(change)
  }
}

/** Adds an id and returns true when it is new. A load asks for every row, and a look before adding would double the work. */
function addsTo<Id>(ids: Set<Id>, id: Id): boolean {
  const before = ids.size
  return ids.add(id).size > before
}
