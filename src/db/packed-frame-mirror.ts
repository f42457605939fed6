import type { Frame } from '#contract/frames.ts'
import type { FrameMirror, FrameMirrorOptions, FrameMirrorWriter, MirrorPage } from '#src/db/frame-mirror.ts'
import { pagesPerSegment } from '#src/db/frame-segment.ts'
import type { Change, FrameMatch } from '#src/db/frame-set.ts'
import { FrameSet } from '#src/db/frame-set.ts'
import type { MirrorState, Replacing, StoredChanges } from '#src/db/mirror-store.ts'
import { emptyState, MirrorBusy, MirrorStore } from '#src/db/mirror-store.ts'
import type { Tuple } from '#src/db/packed-pages.ts'
import { frameColumns, packPages, plainCodec, RowLayout } from '#src/db/packed-pages.ts'
import { inSteps, letOthersWork, whenIdle } from '#src/db/slices.ts'

/** As many changed rows are searched one by one without being felt; above that they are folded into the pages. */
const foldAbove = 1000

/** Changed rows that are taken into memory in one go: a few ms, which no scan feels. */
const rowsPerSlice = 250

/** A set that is being loaded beside the complete one. */
type NextSet = { generation: number; steps: number; nextPage: number; frames: FrameSet }

/**
 * Rows lie in pages of 128, changes in a log over them, which is folded in later. In memory the same: segments of pages
 * with their indexes, and the changes over them. A set of rows is a generation; the state names the complete one.
 */
export class PackedFrameMirror implements FrameMirror, FrameMirrorWriter {
  readonly #disk: MirrorStore
  readonly #channel: BroadcastChannel
  readonly #listeners = new Set<() => void>()
  /** Stores that are being read, for all who ask. */
  readonly #stores = new Map<number, Promise<readonly Frame[]>>()
  readonly #whenIdle: (work: () => void) => void
  /** The state on the disk that memory stands for. */
  #seen: MirrorState = emptyState
  #frames = new FrameSet(new RowLayout(frameColumns))
  /** On a device without an older set, this one answers while it grows. */
  #next: NextSet | null = null
  #isReady = false
  #waiting: (() => void)[] = []
  #queue: Promise<unknown> = Promise.resolve()
  #loaded: Promise<void> | null = null
  #foldPlanned = false
  #closed = false

  constructor(options: FrameMirrorOptions) {
    const name = options.name ?? 'lorgnette-mirror'
    this.#whenIdle = options.whenIdle ?? whenIdle
    this.#disk = new MirrorStore({
      name,
      indexedDB: options.indexedDB ?? indexedDB,
      IDBKeyRange: options.IDBKeyRange ?? IDBKeyRange,
      codec: options.codec ?? plainCodec,
    })
    this.#channel = new (options.BroadcastChannel ?? BroadcastChannel)(name)
    // What cannot be read now is read at the next word of the other window: sequences show what is missing.
    this.#channel.onmessage = () => void this.#inTurn(() => this.#catchUp()).catch(() => undefined)
  }

  isReady(): boolean {
    return this.#isReady
  }

  ready(): Promise<void> {
    return this.#isReady ? Promise.resolve() : this.#begin()
  }

  /** Who needs the rows is told when they cannot be read; a later turn tries again. */
  #begin(): Promise<void> {
    if (this.#loaded) return this.#loaded
    this.#loaded = this.#load()
    this.#loaded.catch(() => undefined)
    return this.#loaded
  }

  size(): number {
    return this.#frames.size
  }

  get(idInventory: number): Frame | null {
    return this.#frames.get(idInventory)
  }

  find(code: string): FrameMatch | null {
    return this.#frames.find(code)
  }

  async findSoon(code: string): Promise<FrameMatch | null> {
    for (;;) {
      const match = this.find(code)
      // A serial is unique and outranks everything: it need not wait for the rest.
      if (this.#isReady || match?.by === 'serial') return match
      const loaded = this.#begin()
      await Promise.race([new Promise<void>((resolve) => this.#waiting.push(resolve)), loaded])
    }
  }

  search(typed: string, limit: number): Frame[] {
    return this.#frames.search(typed, limit)
  }

  endingWith(typed: string, storeId: number, limit: number): Frame[] {
    return this.#frames.endingWith(typed, storeId, limit)
  }

  ofStore(storeId: number): Frame[] {
    return this.#frames.ofStore(storeId)
  }

  readStore(storeId: number): Promise<readonly Frame[]> {
    const known = this.#stores.get(storeId)
    if (known) return known
    const reading = inSteps(this.#frames.readingStore(storeId)).finally(() => {
      // Kept no longer than it takes: a large store is as large in memory.
      if (this.#stores.get(storeId) === reading) this.#stores.delete(storeId)
    })
    this.#stores.set(storeId, reading)
    return reading
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async cursor(): Promise<{ epoch: string; cursor: string; complete: boolean } | null> {
    const state = await this.#disk.readState()
    const { replacing } = state
    if (replacing) {
      if (replacing.cursor === null || replacing.epoch === null || !isToday(replacing.columns)) return null
      return { epoch: replacing.epoch, cursor: replacing.cursor, complete: false }
    }
    // Rows with an older app's columns stay usable, and are fetched anew with the columns that they lack.
    if (state.generation === 0 || !isToday(state.columns)) return null
    return { epoch: state.epoch, cursor: state.cursor, complete: true }
  }

  beginReplace(total: number): Promise<void> {
    return this.#inTurn(async () => {
      const after = await this.#disk.write((state, pen) => {
        if (state.replacing) pen.deleteGeneration(state.replacing.generation)
        const generation = state.lastGeneration + 1
        const begun = { generation, columns: [...frameColumns], epoch: null, cursor: null, nextPage: 0, steps: 0, done: 0, total }
        return { ...state, lastGeneration: generation, replacing: begun }
      })
      this.#next = { generation: after.lastGeneration, steps: 0, nextPage: 0, frames: new FrameSet(new RowLayout(frameColumns)) }
      await this.#written(after)
    })
  }

  applyPage(page: MirrorPage): Promise<void> {
    return this.#inTurn(async () => {
      const { replacing, ...state } = await this.#disk.readState()
      if (replacing) await this.#loadPage(page, await this.#nextSet(replacing))
      else await this.#applyChange(page, state)
    })
  }

  endReplace(cursor: string, epoch: string): Promise<void> {
    return this.#inTurn(async () => {
      const { replacing } = await this.#disk.readState()
      const next = replacing && (await this.#nextSet(replacing))
      const after = await this.#disk.write((state, pen) => {
        if (!next) {
          if (state.replacing) throw new MirrorBusy()
          if (state.generation === 0) throw new Error('Nothing was loaded that could be complete')
          return { ...state, cursor, epoch }
        }
        const { generation, columns, nextPage } = stillAt(state, next)
        pen.deleteGeneration(state.generation)
        return { ...state, generation, columns, epoch, cursor, nextPage, folds: state.folds + 1, folded: 0, replacing: null }
      })
      if (next) {
        this.#frames = next.frames
        this.#next = null
      }
      await this.#written(after)
      this.#planFold()
    })
  }

  clear(): Promise<void> {
    return this.#inTurn(async () => {
      const after = await this.#disk.write((state, pen) => {
        pen.clear()
        return { ...emptyState, lastGeneration: state.lastGeneration, folds: state.folds + 1, sequence: state.sequence }
      })
      this.#frames = new FrameSet(new RowLayout(frameColumns))
      this.#next = null
      await this.#written(after)
    })
  }

  close(): void {
    this.#closed = true
    this.#channel.close()
    this.#disk.close()
    this.#listeners.clear()
  }

  fold(): Promise<void> {
    return this.#inTurn(async () => {
      try {
        await this.#foldNow()
      } catch (error) {
        // Another window has rewritten pages since this one read them: read them again, changes and all.
        if (!(error instanceof MirrorBusy)) throw error
        await this.#load()
      }
    })
  }

  /** A part of a first load or rebuilding: rows go into pages of their own; one that came before is a change. */
  async #loadPage(page: MirrorPage, next: NextSet): Promise<void> {
    const { frames, generation } = next
    const read = frames.layout.reader(page.columns)
    const fresh = new Map<number, Tuple>()
    const change: Change = { rows: [], removed: [] }
    for (const row of page.rows) {
      const tuple = read(row)
      const id = frames.layout.idOf(tuple)
      if (frames.has(id)) change.rows.push(tuple)
      else fresh.set(id, tuple)
    }
    for (const id of page.removed.map(Number)) {
      if (frames.has(id)) change.removed.push(id)
      else fresh.delete(id)
    }
    const pages = packPages(next.nextPage, frames.layout, [...fresh.values()])
    const stored = await this.#disk.encodePages(generation, pages)
    const text = await this.#disk.encodeChange(change, frames.layout.columns)
    const after = await this.#disk.write((state, pen) => {
      const before = stillAt(state, next)
      for (const one of stored) pen.putPage(one)
      if (text !== null) pen.putChange({ generation, sequence: state.sequence + 1, text })
      return {
        ...state,
        replacing: {
          ...before,
          epoch: page.epoch,
          cursor: page.cursor,
          nextPage: next.nextPage + pages.length,
          steps: next.steps + 1,
          done: before.done + page.rows.length,
        },
      }
    })
    next.steps++
    next.nextPage += pages.length
    for (let from = 0; from < pages.length; from += pagesPerSegment) {
      await frames.addPages(pages.slice(from, from + pagesPerSegment))
      await letOthersWork()
    }
    frames.apply(change)
    if (after.generation === 0) this.#frames = frames
    await this.#written(after)
  }

  async #applyChange(page: MirrorPage, before: Pick<MirrorState, 'generation' | 'epoch'>): Promise<void> {
    if (before.generation === 0) throw new Error('A change came before the first load')
    if (before.epoch !== page.epoch) throw new Error('A change came from another epoch of the server')
    if (before.generation !== this.#seen.generation) await this.#catchUp()
    const frames = this.#frames
    const read = frames.layout.reader(page.columns)
    const change: Change = { rows: page.rows.map(read), removed: page.removed.map(Number) }
    // Read once before anything is written, so that a row that cannot be read changes nothing.
    for (const tuple of change.rows) frames.layout.keysOf(tuple)
    const text = await this.#disk.encodeChange(change, frames.layout.columns)
    const after = await this.#disk.write((state, pen) => {
      if (state.replacing || state.generation !== before.generation) throw new MirrorBusy()
      if (text !== null) pen.putChange({ generation: state.generation, sequence: state.sequence + 1, text })
      return { ...state, cursor: page.cursor, epoch: page.epoch }
    })
    // When another window wrote in between, its changes come first: catching up reads both in their order.
    if (after.sequence === this.#seen.sequence + 1) await applyInSlices(frames, change)
    await this.#written(after)
    this.#planFold()
  }

  /** Reads everything into memory, a segment at a time, so that neither a scan nor a finger waits. */
  async #load(): Promise<void> {
    for (;;) {
      const { state, changes } = await this.#disk.readChanges(({ generation, folded }) => ({ generation, after: folded }))
      const frames = new FrameSet(new RowLayout(state.generation === 0 ? frameColumns : state.columns))
      // The first reading answers while it grows; a later one must not take away what can be found already.
      if (!this.#isReady) this.#frames = frames
      applyAll(frames, changes)
      await this.#readSegments(frames, state.generation)
      const next = state.generation === 0 && state.replacing ? await this.#readNext(state.replacing) : null
      const now = await this.#disk.readState()
      if (now.generation !== state.generation || now.folds !== state.folds) continue
      this.#next = next
      this.#frames = next?.frames ?? frames
      this.#seen = state
      this.#isReady = true
      this.#tell()
      return now.sequence === state.sequence ? undefined : this.#catchUp()
    }
  }

  /** The set that is being loaded, as far as it is on the disk; begun by this window or by one that was closed. */
  async #nextSet(replacing: Replacing): Promise<NextSet> {
    if (this.#next?.generation !== replacing.generation || this.#next.steps !== replacing.steps) {
      this.#next = await this.#readNext(replacing)
    }
    return this.#next
  }

  async #readNext({ generation, steps, nextPage }: Replacing): Promise<NextSet> {
    const frames = new FrameSet(new RowLayout(frameColumns))
    const { changes } = await this.#disk.readChanges(() => ({ generation, after: 0 }))
    applyAll(frames, changes)
    await this.#readSegments(frames, generation)
    return { generation, steps, nextPage, frames }
  }

  async #readSegments(frames: FrameSet, generation: number): Promise<void> {
    if (generation === 0) return
    for (let from = 0; ;) {
      const pages = await this.#disk.readPages(generation, from, pagesPerSegment)
      const last = pages.at(-1)
      if (!last) return
      await frames.addPages(pages)
      from = last.number + 1
      this.#wake()
      await letOthersWork()
    }
  }

  /** Takes in what other windows wrote since. */
  async #catchUp(): Promise<void> {
    if (this.#closed) return
    const seen = this.#seen
    const { state, changes } = await this.#disk.readChanges(({ generation }) => ({ generation, after: seen.sequence }))
    if (state.sequence === seen.sequence) return
    // Changes that were folded before this window had read them are only in the pages now.
    if (state.generation !== seen.generation || state.folded > seen.sequence) return this.#load()
    applyAll(this.#frames, changes)
    // What another window folded is still right here as changes; but this one no longer knows the pages.
    this.#seen = { ...state, folds: seen.folds }
    this.#tell()
  }

  #planFold(): void {
    if (this.#foldPlanned || this.#frames.changes <= foldAbove) return
    this.#foldPlanned = true
    this.#whenIdle(() => {
      this.#foldPlanned = false
      // Changes that could not be folded stay in the log and are folded another time.
      if (!this.#closed) this.fold().catch(() => undefined)
    })
  }

  async #foldNow(): Promise<void> {
    const frames = this.#frames
    const seen = this.#seen
    if (seen.generation === 0 || frames.changes === 0) return
    // Fetched when there is something to fold, which no page waits for.
    const { planFolding, writeFolding } = await import('#src/db/frame-folding.ts')
    const plan = await planFolding(frames, seen.nextPage)
    const { after, writes } = await writeFolding(this.#disk, plan, seen)
    frames.replaceSegments(plan.segments, plan.folded)
    // All but the last of our own writes count as seen, unless another window wrote in between: that is caught up with.
    const isGapless = after.sequence === seen.sequence + writes
    const sequence = isGapless ? after.sequence - 1 : seen.sequence
    this.#seen = { ...seen, sequence, folds: after.folds, folded: seen.sequence, nextPage: after.nextPage }
    await this.#written(after)
  }

  /** After a write of ours: remembers it, and tells this window's screens and the other windows. */
  async #written(after: MirrorState): Promise<void> {
    if (after.sequence === this.#seen.sequence + 1) this.#seen = after
    else await this.#catchUp()
    if (this.#closed) return
    this.#channel.postMessage(after.sequence)
    this.#tell()
  }

  /** Who uses the disk does so one after the other, and finds memory as the one before left it. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(async () => {
      await this.#begin().catch(() => undefined)
      if (!this.#isReady) await this.#load()
      return work()
    })
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }

  #tell(): void {
    this.#wake()
    // Whoever asks from here on is told what has changed.
    this.#stores.clear()
    for (const listener of this.#listeners) listener()
  }
}

function isToday(columns: readonly string[]): boolean {
  return columns.join() === frameColumns.join()
}

/** The state of the loading, when nobody else has gone on with it or begun another. */
function stillAt(state: MirrorState, next: NextSet): Replacing {
  const { replacing } = state
  if (!replacing || replacing.generation !== next.generation || replacing.steps !== next.steps) throw new MirrorBusy()
  return replacing
}

/** Row by row what is older gives way, so that whoever looks in between finds each as it was or as it is. */
async function applyInSlices(frames: FrameSet, { rows, removed }: Change): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerSlice) {
    frames.apply({ rows: rows.slice(from, from + rowsPerSlice), removed: [] })
    if (from + rowsPerSlice < rows.length) await letOthersWork()
  }
  frames.apply({ rows: [], removed })
}

/** Changes are kept in the columns of the app that wrote them; a window with an older app may still be open. */
function applyAll(frames: FrameSet, changes: readonly StoredChanges[]): void {
  for (const change of changes) {
    const read = frames.layout.reader(change.columns)
    frames.apply({ rows: change.rows.map(read), removed: change.removed })
  }
}
