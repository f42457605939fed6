import { FrameSegment, pagesPerSegment } from '#src/db/frame-segment.ts'
import type { FrameSet } from '#src/db/frame-set.ts'
import type { MirrorState, MirrorStore } from '#src/db/mirror-store.ts'
import { MirrorBusy } from '#src/db/mirror-store.ts'
import type { Page, Tuple } from '#src/db/packed-pages.ts'
import { packPage, packPages } from '#src/db/packed-pages.ts'
import { letOthersWork } from '#src/db/slices.ts'

/** Pages that are read and written anew in one go: some 10 ms. */
const pagesPerSlice = 8

/** Pages of one folding transaction: about 1.5 MB, so that nothing else waits long for the disk. */
const pagesPerFold = 64

export type FoldingPlan = {
  /** Pages to write; one without rows is to be deleted. */
  pages: Page[]
  /** All segments as they are afterwards; those that nothing touched are the same objects. */
  segments: FrameSegment[]
  /** The changes that are in the pages now. */
  folded: Map<number, Tuple | null>
  nextPage: number
}

/** Works out how the changes of a set go into its pages, without touching either. Only pages with a change are rewritten. */
export async function planFolding(frames: FrameSet, nextPage: number): Promise<FoldingPlan> {
  const folded = new Map<number, Tuple | null>()
  const added: Tuple[] = []
  const touched = new Map<FrameSegment, Map<number, Tuple[]>>()
  for (const id of frames.changedIds()) {
    const tuple = frames.changedTuple(id)
    folded.set(id, tuple)
    const segment = frames.segments.find((candidate) => candidate.rowOf(id) !== -1)
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
  const segments: FrameSegment[] = []
  for (const segment of frames.segments) {
    const changed = touched.get(segment)
    if (!changed) {
      segments.push(segment)
      continue
    }
    const rebuilt: Page[] = []
    for (const number of segment.pageNumbers()) {
      const page = packPage(number, frames.layout, [...segment.tuplesOfPage(number), ...(changed.get(number) ?? [])])
      if (changed.has(number)) pages.push(page)
      if (page.rows !== '') rebuilt.push(page)
      if (rebuilt.length % pagesPerSlice === 0) await letOthersWork()
    }
    segments.push(await FrameSegment.of(rebuilt))
    await letOthersWork()
  }
  const appended = packPages(nextPage, frames.layout, added)
  for (let from = 0; from < appended.length; from += pagesPerSegment) {
    segments.push(await FrameSegment.of(appended.slice(from, from + pagesPerSegment)))
    await letOthersWork()
  }
  return { pages: [...pages, ...appended], segments, folded, nextPage: nextPage + appended.length }
}

/**
 * Writes a plan, some pages a transaction. Until the last one the log stands in for all of it: whoever reads half-folded
 * pages reads them with the log. Throws MirrorBusy when another window has rewritten pages since `seen`.
 */
export async function writeFolding(
  disk: MirrorStore,
  plan: FoldingPlan,
  seen: MirrorState,
): Promise<{ after: MirrorState; writes: number }> {
  const { generation, sequence } = seen
  for (let writes = 1; ; writes++) {
    const pages = plan.pages.slice((writes - 1) * pagesPerFold, writes * pagesPerFold)
    const isLast = writes * pagesPerFold >= plan.pages.length
    const filled = pages.filter((page) => page.rows !== '')
    const stored = await disk.encodePages(generation, filled)
    const expected = seen.folds + writes - 1
    const after = await disk.write((state, pen) => {
      if (state.generation !== generation || state.folds !== expected) throw new MirrorBusy()
      for (const page of stored) pen.putPage(page)
      for (const page of pages) if (page.rows === '') pen.deletePage(generation, page.number)
      if (isLast) pen.deleteChanges(generation, sequence)
      return { ...state, nextPage: plan.nextPage, folds: expected + 1, folded: isLast ? sequence : state.folded }
    })
    if (isLast) return { after, writes }
    await letOthersWork()
  }
}
