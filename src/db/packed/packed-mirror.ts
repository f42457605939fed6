import type { MirrorOptions, MirrorPage, MirrorWriter } from '#src/db/packed/mirror-writer.ts'
import { emptyState, type MirrorState, type Replacing, type StoredChanges, type StoredPage } from '#src/db/packed/mirror-records.ts'
import { MirrorBusy, MirrorStore } from '#src/db/packed/mirror-store.ts'
import type { Page, RowId, Tuple } from '#src/db/packed/packed-pages.ts'
import { packPages, plainCodec } from '#src/db/packed/packed-pages.ts'
import type { PackedSegment } from '#src/db/packed/packed-segment.ts'
import type { Change, PackedSet } from '#src/db/packed/packed-set.ts'
import { letOthersWork, whenIdle } from '#src/db/indexed/slices.ts'

/** As many changed rows are searched one by one without being felt; above that they are folded into the pages. */
const foldAbove = 1000

/** Changed rows that are taken into memory in one go: a few ms, which no scan feels. */
const rowsPerSlice = 250

/** Lies with the browser; `kept` resolves when the disk has it. */
type Given = { kept: Promise<void> }

/** A set that is being loaded beside the complete one; `ids` of all rows that have come, for those that come again. */
type NextSet<Id, Rows> = { generation: number; steps: number; nextPage: number; rows: Rows; ids: Set<Id> }

/**
 * Rows lie in pages of 128, changes in a log over them, which is folded in later. In memory the same: segments of pages
 * with their indexes, and the changes over them. A set of rows is a generation; the state names the complete one.
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
  /** The state on the disk that memory stands for. */
  #seen: MirrorState = emptyState
  #rows: Rows
  /** The columns that today's app keeps. */
  readonly #columns: readonly string[]
  /** On a device without an older set, this one answers while it grows. */
  #next: NextSet<Id, Rows> | null = null
  #isReady = false
  #waiting: (() => void)[] = []
  #queue: Promise<unknown> = Promise.resolve()
  /** The part of a pull that came last; it rejects when the disk did not take it. */
  #part: Promise<void> = Promise.resolve()
  /** The loading that the pull goes on with, by its cursor or because it began it; null when it brings changes of the complete set. */
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
    return this.#rows.size
  }

  /** A set without rows, in today's columns or in those in which rows were kept. */
  protected abstract emptySet(columns?: readonly string[]): Rows

  /** The id of a row that a pull says is gone. */
  protected abstract readId(given: string | number): Id

  /** The rows that answer at this moment. */
  protected get rows(): Rows {
    return this.#rows
  }

  /** How many pages are read first, by which something is found soon: a whole segment, where nobody waits for less. */
  protected get firstPages(): number {
    return this.#rows.layout.pagesPerSegment
  }

  /** What is done between two segments that are read, of which the first answers already. */
  protected betweenSegments(): Promise<void> {
    return letOthersWork()
  }

  /** Something can be answered that could not before, or otherwise than before. */
  protected changed(): void {}

  /** Resolves when more has been read, or everything. @throws when it cannot be read */
  protected async moreRead(): Promise<void> {
    const loaded = this.#begin()
    await Promise.race([new Promise<void>((resolve) => this.#waiting.push(resolve)), loaded])
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async cursor(): Promise<{ epoch: string; cursor: string; complete: boolean } | null> {
    await this.#part.catch(() => undefined)
    this.#part = Promise.resolve()
    const state = await this.#disk.readState()
    const { replacing } = state
    this.#loading = replacing?.generation ?? null
    if (replacing) {
      if (replacing.cursor === null || replacing.epoch === null || !this.#isToday(replacing.columns)) return null
      return { epoch: replacing.epoch, cursor: replacing.cursor, complete: false }
    }
    // Rows with an older app's columns stay usable, and are fetched anew with the columns that they lack.
    if (state.generation === 0 || !this.#isToday(state.columns)) return null
    return { epoch: state.epoch, cursor: state.cursor, complete: true }
  }

  beginReplace(total: number): Promise<void> {
    return this.#inTurn(async () => {
      const after = await this.#disk.write((state, pen) => {
        if (state.replacing) pen.deleteGeneration(state.replacing.generation)
        const generation = state.lastGeneration + 1
        const begun = { generation, columns: [...this.#columns], epoch: null, cursor: null, nextPage: 0, steps: 0, done: 0, total }
        return { ...state, lastGeneration: generation, replacing: begun }
      })
      this.#next = { generation: after.lastGeneration, steps: 0, nextPage: 0, rows: this.emptySet(), ids: new Set() }
      this.#loading = after.lastGeneration
      this.#part = Promise.resolve()
      await this.#written(after)
    })
  }

  applyPage(page: MirrorPage): Promise<void> {
    const before = this.#part
    const given = this.#inQueue(() => this.#give(page, before))
    this.#part = given.then(({ kept }) => kept)
    this.#part.catch(() => undefined)
    return this.#part
  }

  endReplace(cursor: string, epoch: string): Promise<void> {
    const part = this.#part
    return this.#inQueue(async () => {
      await part
      const replacing = this.#ours(await this.#disk.readState())
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
        this.#rows = next.rows
        this.#next = null
        this.#loading = null
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

  /** Gives a part to the disk; the turn is over when that is done, and the part is kept when the disk has it. */
  async #give(page: MirrorPage, before: Promise<void>): Promise<Given> {
    const given = this.#next && (await this.#goesOn(page, this.#next, before))
    if (given) return given
    await before
    const state = await this.#disk.readState()
    const replacing = this.#ours(state)
    if (replacing) return await this.#loadPage(page, await this.#nextSet(replacing), before)
    await this.#applyChange(page, state)
    return { kept: Promise.resolve() }
  }

  /**
   * The loading that the pull goes on with. A window that slept for long may wake in the middle of one while another window has begun anew:
   * in that one's set the rows would be missing that came before, and its cursor would say that they are there.
   * @throws MirrorBusy
   */
  #ours({ replacing }: MirrorState): Replacing | null {
    if ((replacing?.generation ?? null) !== this.#loading) throw new MirrorBusy()
    return replacing
  }

  /** Takes the next part of a loading as this window knows it, without asking the disk first; null when another one has changed it since. */
  async #goesOn(page: MirrorPage, next: NextSet<Id, Rows>, before: Promise<void>): Promise<Given | null> {
    try {
      return await this.#loadPage(page, next, before)
    } catch (error) {
      if (error instanceof MirrorBusy) return null
      throw error
    }
  }

  /** A part of a first load or rebuilding. It is packed while the disk works at the part before, which it counts as there: when one of them fails, what is there is read again. */
  async #loadPage(page: MirrorPage, next: NextSet<Id, Rows>, before: Promise<void>): Promise<Given> {
    const { rows } = next
    const forget = () => {
      if (this.#next === next) this.#next = null
    }
    try {
      const { pages, encoding, change } = this.#pack(page, next)
      await before
      let give = () => {}
      const told = new Promise<void>((resolve) => (give = resolve))
      const written = this.#writePage(page, encoding, change, next, give)
      // While the disk works, the index is made, but nothing that the disk waits for; it counts from the moment at which the disk has the rows.
      const indexed = Promise.race([told, written])
        .then(letOthersWork)
        .then(() => this.#segmentsOf(rows, pages))
      const kept = Promise.all([written, indexed]).then(async ([after, segments]) => {
        next.steps++
        for (const segment of segments) rows.addSegment(segment)
        rows.apply(change)
        if (after.generation === 0) this.#rows = rows
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

  /** Rows go into pages of their own; one that came before is a change. */
  #pack(page: MirrorPage, next: NextSet<Id, Rows>): { pages: Page[]; encoding: Promise<StoredPage>[]; change: Change<Id> } {
    const { layout } = next.rows
    const read = layout.reader(page.columns)
    const fresh: Tuple[] = []
    const again: Tuple[] = []
    for (const row of page.rows) {
      const tuple = read(row)
      if (takesIn(next.ids, layout.idOf(tuple))) fresh.push(tuple)
      else again.push(tuple)
    }
    const removed = page.removed.map((id) => this.readId(id)).filter((id) => next.ids.has(id))
    const pages: Page[] = []
    const encoding: Promise<StoredPage>[] = []
    // One is encrypted while the next is packed.
    for (const packed of packPages(next.nextPage, layout, fresh)) {
      pages.push(packed)
      encoding.push(this.#disk.encodePage(next.generation, packed))
    }
    next.nextPage += pages.length
    return { pages, encoding, change: { rows: again, removed } }
  }

  /** @param given called when the browser has all of it */
  async #writePage(
    page: MirrorPage,
    encoding: readonly Promise<StoredPage>[],
    change: Change<Id>,
    next: NextSet<Id, Rows>,
    given: () => void,
  ): Promise<MirrorState> {
    const { generation } = next
    const pages = await Promise.all(encoding)
    const text = await this.#disk.encodeChange(change, next.rows.layout.columns)
    return await this.#disk.write((state, pen) => {
      const before = stillAt(state, next)
      for (const one of pages) pen.putPage(one)
      if (text !== null) pen.putChange({ generation, sequence: state.sequence + 1, text })
      return {
        ...state,
        replacing: {
          ...before,
          epoch: page.epoch,
          cursor: page.cursor,
          nextPage: next.nextPage,
          steps: next.steps + 1,
          done: before.done + page.rows.length,
        },
      }
    }, given)
  }

  async #segmentsOf(rows: Rows, pages: readonly Page[]): Promise<Segment[]> {
    const { pagesPerSegment } = rows.layout
    const segments: Segment[] = []
    for (let from = 0; from < pages.length; from += pagesPerSegment) {
      segments.push(await rows.segmentOf(pages.slice(from, from + pagesPerSegment)))
      await letOthersWork()
    }
    return segments
  }

  async #applyChange(page: MirrorPage, before: Pick<MirrorState, 'generation' | 'epoch'>): Promise<void> {
    if (before.generation === 0) throw new Error('A change came before the first load')
    if (before.epoch !== page.epoch) throw new Error('A change came from another epoch of the server')
    if (before.generation !== this.#seen.generation) await this.#catchUp()
    const rows = this.#rows
    const read = rows.layout.reader(page.columns)
    const change: Change<Id> = { rows: page.rows.map(read), removed: page.removed.map((id) => this.readId(id)) }
    // Read once before anything is written, so that a row that cannot be read changes nothing.
    for (const tuple of change.rows) rows.check(tuple)
    const text = await this.#disk.encodeChange(change, rows.layout.columns)
    const after = await this.#disk.write((state, pen) => {
      if (state.replacing || state.generation !== before.generation) throw new MirrorBusy()
      if (text !== null) pen.putChange({ generation: state.generation, sequence: state.sequence + 1, text })
      return { ...state, cursor: page.cursor, epoch: page.epoch }
    })
    // When another window wrote in between, its changes come first: catching up reads both in their order.
    if (after.sequence === this.#seen.sequence + 1) await applyInSlices(rows, change)
    await this.#written(after)
    this.#planFold()
  }

  /** Reads everything into memory, a segment at a time, so that neither a scan nor a finger waits. */
  async #load(): Promise<void> {
    for (;;) {
      const { state, changes, pages } = await this.#disk.readFirst(this.firstPages)
      const rows = this.emptySet(state.generation === 0 ? this.#columns : state.columns)
      // The first reading answers while it grows; a later one must not take away what can be found already.
      if (!this.#isReady) this.#rows = rows
      applyAll(rows, changes, (id) => this.readId(id))
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

  /** The set that is being loaded, as far as it is on the disk; begun by this window or by one that was closed. */
  async #nextSet(replacing: Replacing): Promise<NextSet<Id, Rows>> {
    if (this.#next?.generation !== replacing.generation || this.#next.steps !== replacing.steps) {
      this.#next = await this.#readNext(replacing)
    }
    return this.#next
  }

  async #readNext({ generation, steps, nextPage }: Replacing): Promise<NextSet<Id, Rows>> {
    const rows = this.emptySet()
    const { changes } = await this.#disk.readChanges(() => ({ generation, after: 0 }))
    applyAll(rows, changes, (id) => this.readId(id))
    await this.#readSegments(rows, generation, await this.#disk.readPages(generation, 0, this.firstPages))
    return { generation, steps, nextPage, rows, ids: new Set(rows.ids()) }
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

  /** Takes in what other windows wrote since. */
  async #catchUp(): Promise<void> {
    if (this.#closed) return
    const seen = this.#seen
    const { state, changes } = await this.#disk.readChanges(({ generation }) => ({ generation, after: seen.sequence }))
    if (state.sequence === seen.sequence) return
    // Changes that were folded before this window had read them are only in the pages now.
    if (state.generation !== seen.generation || state.folded > seen.sequence) return this.#load()
    applyAll(this.#rows, changes, (id) => this.readId(id))
    // What another window folded is still right here as changes; but this one no longer knows the pages.
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
      // Changes that could not be folded stay in the log and are folded another time.
      if (!this.#closed) this.fold().catch(() => undefined)
    })
  }

  async #foldNow(): Promise<void> {
    const rows = this.#rows
    const seen = this.#seen
    if (seen.generation === 0 || rows.changes === 0) return
    // Fetched when there is something to fold, which no page waits for.
    const { planFolding, writeFolding } = await import('#src/db/packed/row-folding.ts')
    const plan = await planFolding(rows, seen.nextPage)
    const { after, writes } = await writeFolding(this.#disk, plan, seen)
    rows.replaceSegments(plan.segments, plan.folded)
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
    const part = this.#part
    return this.#inQueue(async () => {
      await part.catch(() => undefined)
      return await work()
    })
  }

  /** As in turn, but a part of a pull may still be on its way to the disk. */
  #inQueue<T>(work: () => Promise<T>): Promise<T> {
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
    this.changed()
    for (const listener of this.#listeners) listener()
  }
}

/** The state of the loading, when nobody else has gone on with it or begun another. */
function stillAt(state: MirrorState, next: Pick<NextSet<unknown, unknown>, 'generation' | 'steps'>): Replacing {
  const { replacing } = state
  if (!replacing || replacing.generation !== next.generation || replacing.steps !== next.steps) throw new MirrorBusy()
  return replacing
}

/** Takes an id in, and tells whether it is new: a first load asks that of every row, and asking before adding would be twice the work. */
function takesIn<Id>(ids: Set<Id>, id: Id): boolean {
  const before = ids.size
  return ids.add(id).size > before
}

type AnySet<Id extends RowId> = PackedSet<Id, { id: Id }, PackedSegment<Id>>

/** Row by row what is older gives way, so that whoever looks in between finds each as it was or as it is. */
async function applyInSlices<Id extends RowId>(set: AnySet<Id>, { rows, removed }: Change<Id>): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerSlice) {
    set.apply({ rows: rows.slice(from, from + rowsPerSlice), removed: [] })
    if (from + rowsPerSlice < rows.length) await letOthersWork()
  }
  set.apply({ rows: [], removed })
}

/** Changes are kept in the columns of the app that wrote them; a window with an older app may still be open. */
function applyAll<Id extends RowId>(set: AnySet<Id>, changes: readonly StoredChanges[], readId: (given: RowId) => Id): void {
  for (const change of changes) {
    const read = set.layout.reader(change.columns)
    set.apply({ rows: change.rows.map(read), removed: change.removed.map(readId) })
  }
}
