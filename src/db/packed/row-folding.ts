import type { MirrorState } from '#src/db/packed/mirror-records.ts'
import type { MirrorStore } from '#src/db/packed/mirror-store.ts'
import { MirrorBusy } from '#src/db/packed/mirror-store.ts'
import type { Page, RowId, Tuple } from '#src/db/packed/packed-pages.ts'
import { packPage, packPages } from '#src/db/packed/packed-pages.ts'
import type { PackedSegment } from '#src/db/packed/packed-segment.ts'
import type { PackedSet } from '#src/db/packed/packed-set.ts'
import { letOthersWork } from '#src/db/indexed/slices.ts'

/** Pages to read and rewrite at once: some 10 ms. */
const pagesPerSlice = 8

/** Pages of one folding transaction: about 1.5 MB, so that other work does not wait long for the disk. */
const pagesPerFold = 64

export type FoldingPlan<Id extends RowId, Segment> = {
  /** Pages to write. A page without rows is to be deleted. */
  pages: Page[]
  /** All segments after the folding. An unchanged segment is the same object. */
  segments: Segment[]
  /** The changes that the pages contain now. */
  folded: Map<Id, Tuple | null>
  nextPage: number
}

/** Plans how the changes of a set go into its pages, and changes neither. Only pages with a change are rewritten. */
export async function planFolding<Id extends RowId, Segment extends PackedSegment<Id>>(
  set: PackedSet<Id, { id: Id }, Segment>,
  nextPage: number,
): Promise<FoldingPlan<Id, Segment>> {
  const folded = new Map<Id, Tuple | null>()
  const added: Tuple[] = []
  const touched = new Map<Segment, Map<number, Tuple[]>>()
  for (const id of set.changedIds()) {
    const tuple = set.changedTuple(id)
    folded.set(id, tuple)
    const segment = set.segments.find((candidate) => candidate.rowOf(id) !== -1)
    if (!segment) {
      if (tuple) added.push(tuple)
      continue
    }
    const pages = touched.get(segment) ?? new Map<number, Tuple[]>()
    const number = segment.pageNumberOf(segment.rowOf(id))
    const tuples = pages.get(number) ?? []
    if (tuple) tuples.push(tuple)
    touched.set(segment, pages.set(number, tuples))
  }

  const pages: Page[] = []
  const segments: Segment[] = []
  for (const segment of set.segments) {
    const changed = touched.get(segment)
    if (!changed) {
      segments.push(segment)
      continue
    }
    const rebuilt: Page[] = []
    for (const number of segment.pageNumbers()) {
      const page = packPage(number, set.layout, [...segment.tuplesOfPage(number), ...(changed.get(number) ?? [])])
      if (changed.has(number)) pages.push(page)
      if (page.rows.length > 0) rebuilt.push(page)
      if (rebuilt.length % pagesPerSlice === 0) await letOthersWork()
    }
    segments.push(await set.segmentOf(rebuilt))
    await letOthersWork()
  }
  const appended = [...packPages(nextPage, set.layout, added)]
  const { pagesPerSegment } = set.layout
  for (let from = 0; from < appended.length; from += pagesPerSegment) {
    segments.push(await set.segmentOf(appended.slice(from, from + pagesPerSegment)))
    await letOthersWork()
  }
  return { pages: [...pages, ...appended], segments, folded, nextPage: nextPage + appended.length }
}

/**
 * Writes a plan, some pages in each transaction. Until the last transaction the log still has all changes, so a reader
 * of half-folded pages applies them.
 *
 * @throws MirrorBusy when another window has rewritten pages since `seen`
 */
export async function writeFolding(
  disk: MirrorStore,
  plan: Pick<FoldingPlan<RowId, unknown>, 'pages' | 'nextPage'>,
  seen: MirrorState,
): Promise<{ after: MirrorState; writes: number }> {
  const { generation, sequence } = seen
  for (let writes = 1; ; writes++) {
    const pages = plan.pages.slice((writes - 1) * pagesPerFold, writes * pagesPerFold)
    const isLast = writes * pagesPerFold >= plan.pages.length
    const filled = pages.filter((page) => page.rows.length > 0)
    const stored = await Promise.all(filled.map((page) => disk.encodePage(generation, page)))
    const expected = seen.folds + writes - 1
    const after = await disk.write((state, pen) => {
      if (state.generation !== generation || state.folds !== expected) throw new MirrorBusy()
      for (const page of stored) pen.putPage(page)
      for (const page of pages) if (page.rows.length === 0) pen.deletePage(generation, page.number)
      if (isLast) pen.deleteChanges(generation, sequence)
      return { ...state, nextPage: plan.nextPage, folds: expected + 1, folded: isLast ? sequence : state.folded }
    })
    if (isLast) return { after, writes }
    await letOthersWork()
  }
}
