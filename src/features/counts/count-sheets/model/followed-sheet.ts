import type { CountDecision, CountScan, CountSheet } from '#contract/counts/count-sheets.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'
import { knowledgeOf } from './command-reading.ts'
import { SheetFeed, type SheetFollower } from './sheet-feed.ts'
import { SheetFold } from './sheet-fold.ts'

/** Receives the news of a followed sheet. */
export type SheetWatcher = {
  /** Runs work between two scans. */
  inTurn(work: () => Promise<void>): Promise<void>
  /** Called when the fold has changed. */
  changed(): void
  /** Called when the server's row of a scan has arrived and is in the fold. */
  received(row: CountScan): void
  /** Called with the reason when the tablet's storage does not answer, and with null when it does again. */
  behind(why: string | null): void
}

const nothing = { row: null, pages: [], scans: [], decisions: [], commands: [] }

/**
 * One sheet of the hot database with its fold. It is read once. After that, an event costs only as much as its piece.
 */
export class FollowedSheet implements SheetFollower {
  fold: SheetFold
  readonly #device: Device
  readonly #watcher: SheetWatcher
  readonly #feed: SheetFeed
  /** The number of pages of expected frames in the fold, and the start of the last one. */
  #pages = { count: 0, last: Number.NEGATIVE_INFINITY }
  #paging: Promise<void> = Promise.resolve()

  constructor(device: Device, id: string, watcher: SheetWatcher) {
    this.#device = device
    this.#watcher = watcher
    this.#feed = new SheetFeed(device.hot, id, device.deviceId, this)
    this.fold = new SheetFold(nothing, knowledgeOf(device))
  }

  /** Reads the sheet's records on this device, then follows the changes. */
  async open(): Promise<void> {
    const { frames } = this.#device
    let records = await this.#feed.read()
    // A sheet that only this device knows takes its expected frames from the mirror.
    if (records.row === null && !frames.isReady()) {
      await frames.ready()
      records = await this.#feed.read()
    }
    this.#pages = { count: records.pages.length, last: records.pages.at(-1)?.first ?? Number.NEGATIVE_INFINITY }
    this.#paging = Promise.resolve()
    this.fold = new SheetFold(records, knowledgeOf(this.#device))
    for (const row of records.scans) this.#watcher.received(row)
    this.#feed.follow()
    this.#drawn()
  }

  close(): void {
    this.#feed.stop()
  }

  /** Takes a command that this device just saved. */
  take(command: OutboxCommand): void {
    this.takeCommands(null, [command])
  }

  /**
   * Reads everything again between two scans, so that no scan is lost. Needed when the expected list arrives or the
   * database recovers.
   */
  again(): Promise<void> {
    return this.#watcher.inTurn(async () => {
      await this.open()
      this.#watcher.behind(null)
    })
  }

  failed(why: string): void {
    this.#watcher.behind(why)
  }

  takeSheet(row: CountSheet | null, left: string[]): void {
    const isWhole = this.fold.takeSheet(row, left)
    this.#drawn()
    if (!isWhole) this.#feed.aside(() => this.again())
  }

  takePages(count: number): void {
    if (count === this.#pages.count) return
    if (count < this.#pages.count || this.fold.itemsAreLocal) return this.#feed.aside(() => this.again())
    this.#paging = this.#paging.then(() => this.#takeMorePages())
    this.#feed.aside(() => this.#paging)
  }

  /** Adds the new pages of a large sheet's list. Otherwise each page would make it read the whole sheet again. */
  async #takeMorePages(): Promise<void> {
    const { fold } = this
    const pages = await this.#feed.pagesAfter(this.#pages.last)
    // Another read of the sheet already has these pages.
    if (fold !== this.fold) return
    for (const page of pages) {
      fold.takeItems(page.items)
      this.#pages = { count: this.#pages.count + 1, last: page.first }
    }
    if (pages.length > 0) this.#watcher.changed()
  }

  takeDecisions(decisions: CountDecision[]): void {
    this.fold.takeDecisions(decisions)
    this.#watcher.changed()
  }

  takeScans(total: number | null, rows: CountScan[]): void {
    const news = rows.filter((row) => this.#takeScan(row))
    // A row slipped past the overlap, or is gone.
    if (total !== null && total !== this.fold.received.size) this.#feed.aside(() => this.#catchUp())
    if (news.length > 0) this.#drawn()
  }

  async #catchUp(): Promise<void> {
    const { rows, gone } = await this.#feed.otherScans(this.fold.received)
    for (const id of gone) this.fold.forgetRow(id)
    for (const row of rows) this.#takeScan(row)
    this.#drawn()
  }

  takeCommands(total: number | null, commands: OutboxCommand[]): void {
    for (const command of commands) {
      this.#feed.passedCommand(command)
      this.fold.takeCommand(command)
    }
    // Work imported from another tablet has its own numbers, which may be lower than ours.
    if (total !== null && total > this.fold.waiting) this.#feed.aside(() => this.#catchUpCommands())
    if (commands.length > 0) this.#drawn()
  }

  async #catchUpCommands(): Promise<void> {
    this.takeCommands(null, await this.#feed.otherCommands((id) => this.fold.knows(id)))
  }

  takeAttention(commands: OutboxCommand[]): void {
    const gone = this.fold.takeAttention(commands)
    if (gone.length > 0) this.#feed.aside(() => this.#checkPending(gone))
    if (gone.length > 0 || commands.length > 0) this.#drawn()
  }

  /** Checks commands that left the outbox, settled or given up. */
  async #checkPending(ids: string[]): Promise<void> {
    const { fates, row } = await this.#feed.fateOf(ids)
    for (const { scan } of fates) if (scan) this.#takeScan(scan)
    this.takeSheet(
      row ?? this.fold.row,
      fates.filter(({ scan, waits }) => !scan && !waits).map(({ id }) => id),
    )
  }

  #takeScan(row: CountScan): boolean {
    this.#feed.passedRevision(row.revision)
    const isNews = this.fold.takeScan(row)
    if (isNews) this.#watcher.received(row)
    return isNews
  }

  /** Shows the changed fold, and watches the commands that it depends on. */
  #drawn(): void {
    this.#feed.watch(this.fold.withoutRow)
    this.#watcher.changed()
  }
}
