import Dexie, { liveQuery, type Subscription } from 'dexie'
import type { CountDecision, CountScan, CountSheet } from '#contract/count-sheets.ts'
import type { CountItemPage, HotDatabase, OutboxCommand } from '#src/db/hot.ts'
import { laneOf } from './sheet-commands.ts'

/** Rows of a pull may arrive after a receipt's newer ones; anything younger than this is read again with each change. */
const overlapMs = 10_000
const firstRetryMs = 1000
const lastRetryMs = 30_000

/** All that this device holds of one sheet, of one moment. */
export type SheetRecords = {
  row: CountSheet | null
  pages: CountItemPage[]
  scans: CountScan[]
  decisions: CountDecision[]
  commands: OutboxCommand[]
}

/** Who is told what changes. `total` is how many there are in all, by which is noticed what slipped past. */
export type SheetFollower = {
  takeSheet(row: CountSheet | null): void
  takeScans(total: number, rows: CountScan[]): void
  takeCommands(total: number, commands: OutboxCommand[]): void
  takeAttention(commands: OutboxCommand[]): void
  takeDecisions(decisions: CountDecision[]): void
  takePages(count: number): void
  /** Watched commands that are no longer in the outbox: settled or given up. */
  takeLeft(ids: string[]): void
  /** The database failed under a query: what is shown may be behind until `again` was called. */
  failed(why: string): void
  /** Everything is to be read anew and followed again. */
  again(): Promise<void>
}

/** One sheet in the hot database: read whole once, then followed by queries that cost what has changed. */
export class SheetFeed {
  readonly #hot: HotDatabase
  readonly #id: string
  readonly #deviceId: string
  readonly #lane: `count:${string}`
  readonly #follower: SheetFollower
  #subscriptions: Subscription[] = []
  #watch: Subscription | null = null
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

  /** Everything in one read, so that no command can slip from the outbox into the mirror between two of them. */
  async read(): Promise<SheetRecords> {
    const hot = this.#hot
    this.#lastLaneSeq = 0
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
    return { row: row ?? null, pages, scans, decisions, commands }
  }

  /** Follows what changes from now on. A query that fails is told, and all are begun again a little later. */
  follow(): void {
    this.#unsubscribe()
    if (this.#stopped) return
    const hot = this.#hot
    const follower = this.#follower
    this.#on(
      () => hot.sheets.get(this.#id),
      (row) => follower.takeSheet(row ?? null),
    )
    this.#on(
      () => this.#freshScans(),
      ({ total, fresh }) => follower.takeScans(total, fresh),
    )
    this.#on(
      () => this.#freshCommands(),
      ({ total, fresh }) => follower.takeCommands(total, fresh),
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

  /** Commands that leave no row of their own are watched until they leave the outbox. */
  watch(ids: string[]): void {
    this.#watch?.unsubscribe()
    this.#watch = null
    if (ids.length === 0 || this.#stopped) return
    this.#watch = liveQuery(() => this.#hot.outbox.bulkGet(ids)).subscribe({
      next: (commands) => {
        const left = ids.filter((_, place) => !commands[place])
        if (left.length > 0) this.#follower.takeLeft(left)
      },
      error: (error: unknown) => this.#fail(error),
    })
  }

  /** The query for new commands goes on after this one. */
  passedCommand(command: Pick<OutboxCommand, 'device_id' | 'lane_seq'>): void {
    // Work that was read in from another tablet keeps that tablet's numbers.
    if (command.device_id === this.#deviceId) this.#lastLaneSeq = Math.max(this.#lastLaneSeq, command.lane_seq)
  }

  /** The query for new scans goes on a little before this one. */
  passedRevision(revision: number): void {
    const newest = this.#seen.at(-1)
    if (newest && revision <= newest.revision) return
    const now = performance.now()
    if (newest && now - newest.at < 1000) newest.revision = revision
    else this.#seen.push({ at: now, revision })
    if (this.#seen.length > 60) this.#seen.splice(0, 30)
  }

  /** The scans that are not among the known ones, and the known ones that are gone. */
  async otherScans(known: ReadonlyMap<string, unknown>): Promise<{ rows: CountScan[]; gone: string[] }> {
    const keys = await this.#scans().primaryKeys()
    const present = new Set(keys)
    const rows = await this.#hot.scans.bulkGet(keys.filter((id) => !known.has(id)))
    return { rows: rows.filter((row) => row !== undefined), gone: [...known.keys()].filter((id) => !present.has(id)) }
  }

  /** The waiting commands that are not known yet. */
  async otherCommands(isKnown: (id: string) => boolean): Promise<OutboxCommand[]> {
    const keys = await this.#commands().primaryKeys()
    const commands = await this.#hot.outbox.bulkGet(keys.filter((id) => !isKnown(id)))
    return commands.filter((command) => command !== undefined)
  }

  /** What has become of these commands: a row, still waiting, or given up. Read at one moment. */
  async fateOf(ids: string[]): Promise<{ id: string; scan: CountScan | undefined; waits: boolean }[]> {
    const hot = this.#hot
    const [commands, scans] = await hot.transaction('r', [hot.outbox, hot.scans], () =>
      Promise.all([hot.outbox.bulkGet(ids), hot.scans.bulkGet(ids)]),
    )
    return ids.map((id, place) => ({ id, scan: scans[place], waits: commands[place] !== undefined }))
  }

  /** Does a piece of reading beside the queries; what fails is told like a failed query. */
  aside(work: () => Promise<void>): void {
    work().catch((error: unknown) => this.#fail(error))
  }

  #on<T>(query: () => Promise<T>, next: (value: T) => void): void {
    this.#subscriptions.push(liveQuery(query).subscribe({ next, error: (error: unknown) => this.#fail(error) }))
  }

  #fail(error: unknown): void {
    if (this.#stopped) return
    this.#unsubscribe()
    this.#follower.failed(error instanceof Error ? error.message : 'The database did not answer')
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
    for (const subscription of this.#subscriptions) subscription.unsubscribe()
    this.#subscriptions = []
  }

  #pages() {
    return this.#hot.items.where('[id_count_sheet+first]').between([this.#id, Dexie.minKey], [this.#id, Dexie.maxKey])
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

  /** The rows since the last look, with an overlap. */
  async #freshScans(): Promise<{ total: number; fresh: CountScan[] }> {
    const now = performance.now()
    const settled = this.#seen.findLast((seen) => now - seen.at > overlapMs)
    const [total, fresh] = await this.#hot.transaction('r', this.#hot.scans, () =>
      Promise.all([this.#scans().count(), this.#scans(settled?.revision).toArray()]),
    )
    return { total, fresh }
  }

  async #freshCommands(): Promise<{ total: number; fresh: OutboxCommand[] }> {
    const { outbox } = this.#hot
    const [total, fresh] = await this.#hot.transaction('r', outbox, () =>
      Promise.all([
        this.#commands().count(),
        outbox.where('[lane+lane_seq]').between([this.#lane, this.#lastLaneSeq], [this.#lane, Dexie.maxKey], false, true).toArray(),
      ]),
    )
    return { total, fresh }
  }
}
