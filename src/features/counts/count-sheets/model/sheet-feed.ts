import Dexie, { liveQuery, type Subscription } from 'dexie'
import type { CountDecision, CountScan, CountSheet } from '#contract/counts/count-sheets.ts'
import type { CountItemPage, HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'
import { laneOf } from './sheet-commands.ts'

/** A pull's rows may arrive after newer rows of a receipt. Each change reads rows younger than this again. */
const overlapMs = 10_000
/** Nobody knows the age of the rows at opening. This many of the newest count as young. */
const overlapRows = 500
/** Counting reads every entry: a quarter of a second for 45,000. So it waits for a pause, but not forever. */
const pauseMs = 250
const longestMs = 5000
const firstRetryMs = 1000
const lastRetryMs = 30_000

/** All records of one sheet on this device, from one moment. */
export type SheetRecords = {
  row: CountSheet | null
  pages: CountItemPage[]
  scans: CountScan[]
  decisions: CountDecision[]
  commands: OutboxCommand[]
}

/**
 * Receives the changes. `total` is the number of all rows, which shows a missed row. It is null when they were not
 * counted.
 */
export type SheetFollower = {
  /** `left`: watched commands that left the outbox, settled or given up, at the same moment. */
  takeSheet(row: CountSheet | null, left: string[]): void
  takeScans(total: number | null, rows: CountScan[]): void
  takeCommands(total: number | null, commands: OutboxCommand[]): void
  takeAttention(commands: OutboxCommand[]): void
  takeDecisions(decisions: CountDecision[]): void
  takePages(count: number): void
  /** The database failed during a query. The screen may be out of date until `again` was called. */
  failed(why: string): void
  /** Asks the follower to read everything again and to follow it. */
  again(): Promise<void>
}

/** One sheet in the hot database. It is read whole once. After that, queries cost only as much as the change. */
export class SheetFeed {
  readonly #hot: HotDatabase
  readonly #id: string
  readonly #deviceId: string
  readonly #lane: `count:${string}`
  readonly #follower: SheetFollower
  #subscriptions: Subscription[] = []
  #watch: Subscription | null = null
  #watched: readonly string[] = []
  #counting: { timer: ReturnType<typeof setTimeout>; latest: number } | null = null
  #lastLaneSeq = 0
  #seen: { at: number; revision: number }[] = []
  #retry: ReturnType<typeof setTimeout> | null = null
  #retryMs = firstRetryMs
  #stopped = false

  constructor(hot: HotDatabase, id: string, deviceId: string, follower: SheetFollower) {
    this.#hot = hot
    this.#id = id
    this.#deviceId = deviceId
    this.#lane = laneOf(id)
    this.#follower = follower
  }

  /** Reads everything at once, so that no command can move from the outbox into the mirror between two reads. */
  async read(): Promise<SheetRecords> {
    const hot = this.#hot
    const [row, pages, scans, decisions, commands] = await hot.transaction(
      'r',
      [hot.sheets, hot.items, hot.scans, hot.decisions, hot.outbox],
      () =>
        Promise.all([
          hot.sheets.get(this.#id),
          this.#pages().toArray(),
          this.#scans().toArray(),
          this.#decisions().toArray(),
          this.#commands().toArray(),
        ]),
    )
    this.#lastLaneSeq = 0
    for (const command of commands) this.passedCommand(command)
    const settled = scans.at(-1 - overlapRows)
    this.#seen = settled ? [{ at: -Infinity, revision: settled.revision }] : []
    for (const scan of scans.slice(-overlapRows)) this.passedRevision(scan.revision)
    return { row: row ?? null, pages, scans, decisions, commands }
  }

  /**
   * Follows the changes from now on. After a failed query, it reports the failure and starts all queries again later.
   */
  follow(): void {
    this.#unsubscribe()
    if (this.#stopped) return
    const hot = this.#hot
    const follower = this.#follower
    this.watch(this.#watched)
    this.#on(
      () => this.#freshScans(),
      (rows) => follower.takeScans(null, rows),
    )
    this.#on(
      () => this.#freshCommands(),
      (commands) => follower.takeCommands(null, commands),
    )
    // Reads one row of each, so that a change of either wakes it.
    this.#on(
      () => Promise.all([this.#scans().first(), this.#commands().first()]),
      () => this.#countSoon(),
    )
    this.#on(
      () =>
        hot.outbox
          .where('state')
          .equals('needs-attention')
          .and((command) => command.lane === this.#lane)
          .toArray(),
      (commands) => follower.takeAttention(commands),
    )
    this.#on(
      () => this.#decisions().toArray(),
      (decisions) => follower.takeDecisions(decisions),
    )
    this.#on(
      () => this.#pages().count(),
      (count) => follower.takePages(count),
    )
    this.#retryMs = firstRetryMs
  }

  stop(): void {
    this.#stopped = true
    this.#unsubscribe()
    if (this.#retry !== null) clearTimeout(this.#retry)
  }

  /** Follows the sheet's row, and the commands without a row of their own until they leave the outbox. */
  watch(ids: readonly string[]): void {
    const isSame = ids.length === this.#watched.length && ids.every((id, place) => id === this.#watched[place])
    if (this.#stopped || (this.#watch && isSame)) return
    this.#watch?.unsubscribe()
    this.#watched = ids
    const hot = this.#hot
    this.#watch = liveQuery(() =>
      hot.transaction('r', [hot.outbox, hot.sheets], () => Promise.all([hot.sheets.get(this.#id), hot.outbox.bulkGet([...ids])])),
    ).subscribe({
      next: ([row, commands]) =>
        this.#follower.takeSheet(
          row ?? null,
          ids.filter((_, place) => !commands[place]),
        ),
      error: (error: unknown) => this.#fail(error),
    })
  }

  /** Returns the pages of expected frames that begin after `first`. */
  pagesAfter(first: number): Promise<CountItemPage[]> {
    return this.#pages(first).toArray()
  }

  /** Makes the query for new commands continue after this one. */
  passedCommand(command: Pick<OutboxCommand, 'device_id' | 'lane_seq'>): void {
    // Work imported from another tablet keeps that tablet's numbers.
    if (command.device_id === this.#deviceId) this.#lastLaneSeq = Math.max(this.#lastLaneSeq, command.lane_seq)
  }

  /** Makes the query for new scans continue a little before this one. */
  passedRevision(revision: number): void {
    const newest = this.#seen.at(-1)
    if (newest && revision <= newest.revision) return
    const now = performance.now()
    if (newest && now - newest.at < 1000) newest.revision = revision
    else this.#seen.push({ at: now, revision })
    if (this.#seen.length > 60) this.#seen.splice(0, 30)
  }

  /** Returns the scans that are not known, and the known ones that are gone. */
  async otherScans(known: ReadonlyMap<string, unknown>): Promise<{ rows: CountScan[]; gone: string[] }> {
    const keys = await this.#scans().primaryKeys()
    const present = new Set(keys)
    const rows = await this.#hot.scans.bulkGet(keys.filter((id) => !known.has(id)))
    return { rows: rows.filter((row) => row !== undefined), gone: [...known.keys()].filter((id) => !present.has(id)) }
  }

  /** Returns the waiting commands that are not known yet. */
  async otherCommands(isKnown: (id: string) => boolean): Promise<OutboxCommand[]> {
    const keys = await this.#commands().primaryKeys()
    const commands = await this.#hot.outbox.bulkGet(keys.filter((id) => !isKnown(id)))
    return commands.filter((command) => command !== undefined)
  }

  /** Returns the fate of these commands (a row, still waiting, or given up), and the sheet, from one moment. */
  async fateOf(ids: string[]): Promise<{ fates: { id: string; scan: CountScan | undefined; waits: boolean }[]; row: CountSheet | null }> {
    const hot = this.#hot
    const [commands, scans, row] = await hot.transaction('r', [hot.outbox, hot.scans, hot.sheets], () =>
      Promise.all([hot.outbox.bulkGet(ids), hot.scans.bulkGet(ids), hot.sheets.get(this.#id)]),
    )
    const fates = ids.map((id, place) => ({ id, scan: scans[place], waits: commands[place] !== undefined }))
    return { fates, row: row ?? null }
  }

  /** Runs a read beside the queries, and reports its failure like a failed query. */
  aside(work: () => Promise<void>): void {
    work().catch((error: unknown) => this.#fail(error))
  }

  #on<T>(query: () => Promise<T>, next: (value: T) => void): void {
    this.#subscriptions.push(liveQuery(query).subscribe({ next, error: (error: unknown) => this.#fail(error) }))
  }

  #fail(error: unknown): void {
    if (this.#stopped) return
    this.#unsubscribe()
    this.#follower.failed(error instanceof Error ? error.message : 'The database didn’t respond')
    if (this.#retry !== null) return
    this.#retry = setTimeout(() => {
      this.#retry = null
      this.#retryMs = Math.min(lastRetryMs, this.#retryMs * 2)
      this.#follower.again().catch((failure: unknown) => this.#fail(failure))
    }, this.#retryMs)
  }

  #unsubscribe(): void {
    this.#watch?.unsubscribe()
    this.#watch = null
    clearTimeout(this.#counting?.timer)
    this.#counting = null
    for (const subscription of this.#subscriptions) subscription.unsubscribe()
    this.#subscriptions = []
  }

  #pages(after: number = Dexie.minKey) {
    return this.#hot.items.where('[id_count_sheet+first]').between([this.#id, after], [this.#id, Dexie.maxKey], false)
  }

  #scans(from: number = Dexie.minKey) {
    return this.#hot.scans.where('[id_count_sheet+revision]').between([this.#id, from], [this.#id, Dexie.maxKey])
  }

  #decisions() {
    return this.#hot.decisions.where('[id_count_sheet+key]').between([this.#id, Dexie.minKey], [this.#id, Dexie.maxKey])
  }

  #commands() {
    return this.#hot.outbox.where('[lane+lane_seq]').between([this.#lane, Dexie.minKey], [this.#lane, Dexie.maxKey])
  }

  #countSoon(): void {
    const now = performance.now()
    const latest = this.#counting?.latest ?? now + longestMs
    clearTimeout(this.#counting?.timer)
    const timer = setTimeout(
      () => {
        this.#counting = null
        this.aside(() => this.#count())
      },
      Math.max(0, Math.min(pauseMs, latest - now)),
    )
    this.#counting = { timer, latest }
  }

  /** Counts and reads the new rows at one moment. Otherwise a row that arrives between would look missed. */
  async #count(): Promise<void> {
    const { scans, outbox } = this.#hot
    const [scanTotal, rows] = await this.#hot.transaction('r', scans, () => Promise.all([this.#scans().count(), this.#freshScans()]))
    if (this.#stopped) return
    this.#follower.takeScans(scanTotal, rows)
    const [total, commands] = await this.#hot.transaction('r', outbox, () => Promise.all([this.#commands().count(), this.#freshCommands()]))
    if (!this.#stopped) this.#follower.takeCommands(total, commands)
  }

  /** Returns the rows since the last look, with an overlap. */
  #freshScans(): Promise<CountScan[]> {
    const now = performance.now()
    const settled = this.#seen.findLast((seen) => now - seen.at > overlapMs)
    return this.#scans(settled?.revision).toArray()
  }

  #freshCommands(): Promise<OutboxCommand[]> {
    return this.#hot.outbox
      .where('[lane+lane_seq]')
      .between([this.#lane, this.#lastLaneSeq], [this.#lane, Dexie.maxKey], false, true)
      .toArray()
  }
}
