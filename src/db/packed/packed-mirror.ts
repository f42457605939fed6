import { letOthersWork, whenIdle } from '#src/db/indexed/slices.ts'
import { applyInSlices, applyStored } from '#src/db/packed/apply-changes.ts'
import { DiskTurns, type Given } from '#src/db/packed/disk-turns.ts'
import { emptyState, type MirrorState, type Replacing } from '#src/db/packed/mirror-records.ts'
import { MirrorBusy, MirrorStore } from '#src/db/packed/mirror-store.ts'
import type { MirrorOptions, MirrorPage, MirrorWriter } from '#src/db/packed/mirror-writer.ts'
import { NextSet } from '#src/db/packed/next-set.ts'
import { type Page, plainCodec, type RowId } from '#src/db/packed/packed-pages.ts'
import type { PackedSegment } from '#src/db/packed/packed-segment.ts'
import type { Change, PackedSet } from '#src/db/packed/packed-set.ts'

/** Up to this number, a search through changed rows is too fast to notice. Above it they are folded into the pages. */
const foldAbove = 1000

/**
 * Keeps rows in pages on the disk and their changes in a log, which is folded into the pages later. Memory has the same:
 * segments of pages with their indexes, and the changes over them. A set of rows is a generation. The state names the complete one.
 */
export abstract class PackedMirror<
  Id extends RowId,
  Segment extends PackedSegment<Id>,
  Rows extends PackedSet<Id, { id: Id }, Segment>,
> implements MirrorWriter {
  readonly #disk: MirrorStore
  readonly #channel: BroadcastChannel
  readonly #listeners = new Set<() => void>()
  readonly #whenIdle: (work: () => void) => void
  /** The state of the disk that memory shows. */
  #seen: MirrorState = emptyState
  #rows: Rows
  /** The columns that this version of the app keeps. */
  readonly #columns: readonly string[]
  /** The set that is being loaded. On a device without an older set, it answers while it grows. */
  #next: NextSet<Id, Segment, Rows> | null = null
  #isReady = false
  #waiting: (() => void)[] = []
  readonly #turns = new DiskTurns(() => this.#readyForTurn())
  /** The load that the pull continues, because it began it or read its cursor. Null when the pull brings changes to the complete set. */
  #loading: number | null = null
  #loaded: Promise<void> | null = null
  #foldPlanned = false
  #closed = false

  constructor(options: MirrorOptions & { name: string }) {
    const { name } = options
    this.#rows = this.emptySet()
    this.#columns = this.#rows.layout.columns
    this.#whenIdle = options.whenIdle ?? whenIdle
    this.#disk = new MirrorStore({
      name,
      indexedDB: options.indexedDB ?? indexedDB,
      IDBKeyRange: options.IDBKeyRange ?? IDBKeyRange,
      codec: options.codec ?? plainCodec,
      begun: options.begun,
    })
    this.#channel = new (options.BroadcastChannel ?? BroadcastChannel)(name)
    // After a failed reading, the next message reads the rest, because the sequences show what is missing.
    this.#channel.onmessage = () => void this.#turns.alone(() => this.#catchUp()).catch(() => undefined)
  }

  isReady(): boolean {
    return this.#isReady
  }

  ready(): Promise<void> {
    return this.#isReady ? Promise.resolve() : this.#begin()
  }

  /** Rejects when the rows cannot be read. A later turn tries again. */
  #begin(): Promise<void> {
    if (this.#loaded) return this.#loaded
    this.#loaded = this.#load()
    this.#loaded.catch(() => undefined)
    return this.#loaded
  }

  size(): number {
    return this.#rows.size
  }

  /** Returns a set without rows, in the columns of this app or in those of stored rows. */
  protected abstract emptySet(columns?: readonly string[]): Rows

  /** Reads the id of a row that a pull or the disk says is gone. */
  protected abstract readId(given: string | number): Id

  /** The rows that answer now. */
  protected get rows(): Rows {
    return this.#rows
  }

  /** How many pages are read first. A mirror whose user waits for the first answer returns less than a segment. */
  protected get firstPages(): number {
    return this.#rows.layout.pagesPerSegment
  }

  /** Pauses between the reading of two segments. The first one already answers. */
  protected betweenSegments(): Promise<void> {
    return letOthersWork()
  }

  /** Called when an answer may differ from before. */
  protected changed(): void {}

  /** Resolves when more rows, or all of them, are in memory. @throws when they cannot be read */
  protected async moreRead(): Promise<void> {
    const loaded = this.#begin()
    await Promise.race([new Promise<void>((resolve) => this.#waiting.push(resolve)), loaded])
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async cursor(): Promise<{ epoch: string; cursor: string; complete: boolean } | null> {
    await this.#turns.partEnded()
    this.#turns.forgetPart()
    const state = await this.#disk.readState()
    const { replacing } = state
    this.#loading = replacing?.generation ?? null
    if (replacing) {
      if (replacing.cursor === null || replacing.epoch === null || !this.#isToday(replacing.columns)) return null
      return { epoch: replacing.epoch, cursor: replacing.cursor, complete: false }
    }
    // Rows in the columns of an older app stay usable until a new load has fetched them with the missing columns.
    if (state.generation === 0 || !this.#isToday(state.columns)) return null
    return { epoch: state.epoch, cursor: state.cursor, complete: true }
  }

  beginReplace(total: number): Promise<void> {
    return this.#turns.alone(async () => {
      const after = await this.#disk.write((state, pen) => {
        if (state.replacing) pen.deleteGeneration(state.replacing.generation)
        const generation = state.lastGeneration + 1
        const begun = { generation, columns: [...this.#columns], epoch: null, cursor: null, nextPage: 0, steps: 0, done: 0, total }
        return { ...state, lastGeneration: generation, replacing: begun }
      })
      this.#next = new NextSet({ generation: after.lastGeneration, steps: 0, nextPage: 0 }, this.emptySet())
      this.#loading = after.lastGeneration
      this.#turns.forgetPart()
      await this.#written(after)
    })
  }

  applyPage(page: MirrorPage): Promise<void> {
    return this.#turns.part((before) => this.#give(page, before))
  }

  endReplace(cursor: string, epoch: string): Promise<void> {
    return this.#turns.afterPart(async () => {
      const replacing = this.#ours(await this.#disk.readState())
      const next = replacing && (await this.#nextSet(replacing))
      const after = await this.#disk.write((state, pen) => {
        if (!next) {
          if (state.replacing) throw new MirrorBusy()
          if (state.generation === 0) throw new Error('Nothing was loaded that could be complete')
          return { ...state, cursor, epoch }
        }
        const { generation, columns, nextPage } = next.stillIn(state)
        pen.deleteGeneration(state.generation)
        return { ...state, generation, columns, epoch, cursor, nextPage, folds: state.folds + 1, folded: 0, replacing: null }
      })
      if (next) {
        this.#rows = next.rows
        this.#next = null
        this.#loading = null
      }
      await this.#written(after)
      this.#planFold()
    })
  }

  clear(): Promise<void> {
    return this.#turns.alone(async () => {
      const after = await this.#disk.write((state, pen) => {
        pen.clear()
        return { ...emptyState, lastGeneration: state.lastGeneration, folds: state.folds + 1, sequence: state.sequence }
      })
      this.#rows = this.emptySet()
      this.#next = null
      this.#loading = null
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
    return this.#turns.alone(async () => {
      try {
        await this.#foldNow()
      } catch (error) {
        // Another window has rewritten pages since this one read them, so read pages and changes again.
        if (!(error instanceof MirrorBusy)) throw error
        await this.#load()
      }
    })
  }

  /** Gives a part of a pull to the disk. */
  async #give(page: MirrorPage, before: Promise<void>): Promise<Given> {
    const given = this.#next && (await this.#continueLoad(page, this.#next, before))
    if (given) return given
    await before
    const state = await this.#disk.readState()
    const replacing = this.#ours(state)
    if (replacing) return await this.#loadPage(page, await this.#nextSet(replacing), before)
    await this.#applyChange(page, state)
    return { kept: Promise.resolve() }
  }

  /**
   * Returns the load that the pull continues, or null. A window that slept may wake when another window has begun its own
   * load. A part of this pull would give that load a cursor without the rows before it.
   * @throws MirrorBusy
   */
  #ours({ replacing }: MirrorState): Replacing | null {
    if ((replacing?.generation ?? null) !== this.#loading) throw new MirrorBusy()
    return replacing
  }

  /** Adds a part to the load in memory without reading the disk first. Returns null when another window has changed the load. */
  async #continueLoad(page: MirrorPage, next: NextSet<Id, Segment, Rows>, before: Promise<void>): Promise<Given | null> {
    try {
      return await this.#loadPage(page, next, before)
    } catch (error) {
      if (error instanceof MirrorBusy) return null
      throw error
    }
  }

  /**
   * Adds a part to a load. The part is packed while the disk still writes the one before, and counts on it. After a failure
   * of either, memory forgets the load and reads it again.
   */
  async #loadPage(page: MirrorPage, next: NextSet<Id, Segment, Rows>, before: Promise<void>): Promise<Given> {
    const forget = () => {
      if (this.#next === next) this.#next = null
    }
    try {
      const part = next.pack(page, this.#disk, (id) => this.readId(id))
      await before
      let give = () => {}
      const told = new Promise<void>((resolve) => (give = resolve))
      const written = next.write(page, part, this.#disk, give)
      // The index is built while the disk works, but after the browser has the rows. It counts once the disk has them.
      const indexed = Promise.race([told, written])
        .then(letOthersWork)
        .then(() => next.index(part.pages))
      const kept = Promise.all([written, indexed]).then(async ([after, segments]) => {
        next.take(segments, part.change)
        if (after.generation === 0) this.#rows = next.rows
        await this.#written(after)
      })
      kept.catch(forget)
      await indexed
      return { kept }
    } catch (error) {
      forget()
      throw error
    }
  }

  async #applyChange(page: MirrorPage, before: Pick<MirrorState, 'generation' | 'epoch'>): Promise<void> {
    if (before.generation === 0) throw new Error('A change came before the first load')
    if (before.epoch !== page.epoch) throw new Error('A change came from another epoch of the server')
    if (before.generation !== this.#seen.generation) await this.#catchUp()
    const rows = this.#rows
    const read = rows.layout.reader(page.columns)
    const change: Change<Id> = { rows: page.rows.map(read), removed: page.removed.map((id) => this.readId(id)) }
    // Every row is checked before anything is written, so that an unreadable row changes nothing.
    for (const tuple of change.rows) rows.check(tuple)
    const text = await this.#disk.encodeChange(change, rows.layout.columns)
    const after = await this.#disk.write((state, pen) => {
      if (state.replacing || state.generation !== before.generation) throw new MirrorBusy()
      if (text !== null) pen.putChange({ generation: state.generation, sequence: state.sequence + 1, text })
      return { ...state, cursor: page.cursor, epoch: page.epoch }
    })
    // When another window wrote in between, its changes come first. Catching up reads both in order.
    if (after.sequence === this.#seen.sequence + 1) await applyInSlices(rows, change)
    await this.#written(after)
    this.#planFold()
  }

  /** Reads all rows into memory, a segment at a time, so that neither a scan nor a tap waits. */
  async #load(): Promise<void> {
    for (;;) {
      const { state, changes, pages } = await this.#disk.readFirst(this.firstPages)
      const rows = this.emptySet(state.generation === 0 ? this.#columns : state.columns)
      // The first reading answers while it grows. A later one must not hide rows that already answer.
      if (!this.#isReady) this.#rows = rows
      applyStored(rows, changes, (id) => this.readId(id))
      await this.#readSegments(rows, state.generation, pages)
      const next = state.generation === 0 && state.replacing ? await this.#readNext(state.replacing) : null
      const now = await this.#disk.readState()
      if (now.generation !== state.generation || now.folds !== state.folds) continue
      this.#next = next
      this.#rows = next?.rows ?? rows
      this.#seen = state
      this.#isReady = true
      this.#tell()
      return now.sequence === state.sequence ? undefined : this.#catchUp()
    }
  }

  /** Returns the set of a load with the parts that the disk has. A window that was closed may have begun the load. */
  async #nextSet(replacing: Replacing): Promise<NextSet<Id, Segment, Rows>> {
    if (!this.#next?.isAt(replacing)) this.#next = await this.#readNext(replacing)
    return this.#next
  }

  async #readNext(replacing: Replacing): Promise<NextSet<Id, Segment, Rows>> {
    const { generation } = replacing
    const rows = this.emptySet()
    const { changes } = await this.#disk.readChanges(() => ({ generation, after: 0 }))
    applyStored(rows, changes, (id) => this.readId(id))
    await this.#readSegments(rows, generation, await this.#disk.readPages(generation, 0, this.firstPages))
    return new NextSet(replacing, rows)
  }

  /** @param first the first pages of the set */
  async #readSegments(rows: Rows, generation: number, first: readonly Page[]): Promise<void> {
    let pages = first
    for (;;) {
      const last = pages.at(-1)
      if (!last) return
      await rows.addPages(pages)
      this.#wake()
      await this.betweenSegments()
      pages = await this.#disk.readPages(generation, last.number + 1, rows.layout.pagesPerSegment)
    }
  }

  /** Reads the changes that other windows wrote. */
  async #catchUp(): Promise<void> {
    if (this.#closed) return
    const seen = this.#seen
    const { state, changes } = await this.#disk.readChanges(({ generation }) => ({ generation, after: seen.sequence }))
    if (state.sequence === seen.sequence) return
    // Changes that were folded before this window read them are only in the pages now.
    if (state.generation !== seen.generation || state.folded > seen.sequence) return this.#load()
    applyStored(this.#rows, changes, (id) => this.readId(id))
    // Changes that another window folded still hold in this window, but it no longer knows the pages.
    this.#seen = { ...state, folds: seen.folds }
    this.#tell()
  }

  #isToday(columns: readonly string[]): boolean {
    return columns.join() === this.#columns.join()
  }

  #planFold(): void {
    if (this.#foldPlanned || this.#rows.changes <= foldAbove) return
    this.#foldPlanned = true
    this.#whenIdle(() => {
      this.#foldPlanned = false
      // After a failure the changes stay in the log, and a later folding takes them.
      if (!this.#closed) this.fold().catch(() => undefined)
    })
  }

  async #foldNow(): Promise<void> {
    const rows = this.#rows
    const seen = this.#seen
    if (seen.generation === 0 || rows.changes === 0) return
    // The code is fetched only when there is something to fold, and no page waits for it.
    const { planFolding, writeFolding } = await import('#src/db/packed/row-folding.ts')
    const plan = await planFolding(rows, seen.nextPage)
    const { after, writes } = await writeFolding(this.#disk, plan, seen)
    rows.replaceSegments(plan.segments, plan.folded)
    // All of our writes but the last count as seen, unless another window wrote in between and has to be caught up with.
    const isGapless = after.sequence === seen.sequence + writes
    const sequence = isGapless ? after.sequence - 1 : seen.sequence
    this.#seen = { ...seen, sequence, folds: after.folds, folded: seen.sequence, nextPage: after.nextPage }
    await this.#written(after)
  }

  /** Remembers a write of this window, and tells its screens and the other windows. */
  async #written(after: MirrorState): Promise<void> {
    if (after.sequence === this.#seen.sequence + 1) this.#seen = after
    else await this.#catchUp()
    if (this.#closed) return
    this.#channel.postMessage(after.sequence)
    this.#tell()
  }

  /** Resolves when the rows are in memory. After a failure it tries once more. */
  #readyForTurn(): Promise<void> {
    const tryAgain = () => (this.#isReady ? undefined : this.#load())
    return this.#begin().then(tryAgain, tryAgain)
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }

  #tell(): void {
    this.#wake()
    this.changed()
    for (const listener of this.#listeners) listener()
  }
}
