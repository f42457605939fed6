import { createStore } from 'zustand/vanilla'
import { commandOf, normaliseCode } from '#contract/codes.ts'
import type { CommandBody } from '#contract/commands.ts'
import type { CountDecision, CountItem, CountScan, CountSheet, ScanVia } from '#contract/count-sheets.ts'
import { CountLedger, type LedgerScan } from '#contract/count-ledger.ts'
import { explainedByMovement } from '#contract/closing.ts'
import type { ScanOutcome } from '#contract/counting.ts'
import type { Frame } from '#contract/frames.ts'
import type { OutboxCommand } from '#src/db/hot.ts'
import type { Device, NotSaved } from '#src/sync/device.ts'
import { readDecision, readEvent } from './command-reading.ts'
import { capturedAtOf, isKind, laneOf, sheetFromCommand, snapshotOf } from './sheet-commands.ts'
import { SheetFeed, type SheetFollower } from './sheet-feed.ts'
import { blankState, type Delivery, type NotSavedScan, type SheetState } from './sheet-state.ts'

/**
 * One open sheet on this device. Everything it holds is read once; after that an event costs what its piece costs.
 * The sheet is the fold of the server's rows and of what waits in the outbox, and of nothing else.
 */
export class SheetModel implements SheetFollower {
  readonly id: string
  readonly state = createStore<SheetState>(() => blankState)
  ledger = new CountLedger()
  readonly #device: Device
  readonly #tell: (outcome: ScanOutcome) => void
  readonly #lane: `count:${string}`
  readonly #feed: SheetFeed
  /** Revisions of the server's rows by id: whatever is in here has been received. */
  #received = new Map<string, number>()
  /** Scans and undoings that the server has not confirmed; there may be thousands. */
  #pending = new Map<string, OutboxCommand>()
  /** Everything else of this sheet that waits: its making, notes, decisions. A handful. */
  #others = new Map<string, OutboxCommand>()
  #attention = new Set<string>()
  /** Pending ones whose row a pull brought before the receipt came: the server has them, and they are not called sent yet. */
  #unreceipted = new Set<string>()
  #toldAs = new Map<string, ScanOutcome>()
  #row: CountSheet | null = null
  #itemsAreLocal = false
  #itemPages = 0
  #work: Promise<unknown> = Promise.resolve()
  #previousScan: string | null = null
  #told = 0
  #problems = 0

  /** @param tell gives the outcome to ear and hand; called only after the scan is on the disk */
  constructor(device: Device, id: string, tell: (outcome: ScanOutcome) => void) {
    this.#device = device
    this.id = id
    this.#tell = tell
    this.#lane = laneOf(id)
    this.#feed = new SheetFeed(device.hot, id, device.deviceId, this)
  }

  /** Reads what this device has, then follows what changes. */
  async open(): Promise<void> {
    await this.#device.frames.ready()
    await this.#load()
    this.#feed.follow()
    this.#watch()
  }

  close(): void {
    this.#feed.stop()
  }

  /** Whether this person may see what is expected, and so what is still to be found. */
  seesExpected(): boolean {
    const sheet = this.state.getState().sheet
    if (!sheet?.blind || sheet.phase === 'closed') return true
    return this.#may('count.see-expected-while-blind')
  }

  deliveryOf(id: string): Delivery {
    if (this.#received.has(id) && !this.#pending.has(id)) return 'sent'
    return this.#attention.has(id) ? 'attention' : 'saved'
  }

  /** Takes a code from the scanner or from a hand. Codes are worked off one after the other, in the order they came. */
  scan(raw: string, via: ScanVia = 'scanner'): Promise<void> {
    return this.#inTurn(() => this.#scan(raw, via))
  }

  /** Undoes a scan by an event that negates it; without an id, this person's last one. */
  undo(id?: string): Promise<void> {
    return this.#inTurn(() => this.#undo(id))
  }

  /** Tries once more to save what could not be saved. */
  retryNotSaved(): Promise<void> {
    return this.#inTurn(async () => {
      const waiting = this.state.getState().notSaved
      this.state.setState({ notSaved: [] })
      for (const { code, via } of waiting) await this.#scan(code, via)
    })
  }

  /** The person gives up a code that could not be saved. */
  forgetNotSaved(key: number): void {
    this.state.setState(({ notSaved }) => ({ notSaved: notSaved.filter((scan) => scan.key !== key) }))
  }

  acknowledgeLate(): void {
    this.state.setState({ late: [] })
  }

  setPaused(paused: boolean): void {
    this.state.setState({ paused })
  }

  /** Whether this person may undo that event. */
  mayUndo(event: LedgerScan): boolean {
    if (event.negates !== null || this.ledger.isUndone(event.id) || this.state.getState().sheet?.phase === 'closed') return false
    return event.author_id === this.#device.session.state.getState().home?.id_user || this.#may('count.close')
  }

  /** Records any other command of this sheet; it shows at once. */
  async record<K extends 'count.note' | 'count.decide' | 'count.recount' | 'count.delete'>(
    kind: K,
    body: CommandBody<K>,
    title: string,
  ): Promise<NotSaved | null> {
    const result = await this.#device.outbox.record(kind, this.#lane, body, { title })
    if (!result.saved) return result.problem
    this.#takeCommand(result.command)
    this.#show()
    return null
  }

  /** The frame as this device knows it: what the sheet froze, or what the mirror has. */
  pieceOf(
    idInventory: number | null,
  ): Pick<
    Frame,
    | 'id_inventory'
    | 'sku'
    | 'serial'
    | 'upc'
    | 'brand_name'
    | 'title_product'
    | 'title_variant'
    | 'size_lens_width'
    | 'size_bridge_width'
    | 'size_temple_length'
    | 'pb_selling_price'
    | 'board_location'
  > | null {
    if (idInventory === null) return null
    return this.ledger.items.get(idInventory) ?? this.#device.frames.get(idInventory)
  }

  /** Why a piece that was not found will not become Missing, as far as this device knows; null when it is to be found. */
  explanationOf(item: Pick<CountItem, 'id_inventory' | 'status'>): string | null {
    const storeId = this.state.getState().sheet?.store_id
    if (storeId === undefined) return null
    return explainedByMovement(item, this.#device.frames.get(item.id_inventory), storeId, (id) => this.#storeName(id))
  }

  /** Pieces of this store that a code without a piece may mean: all of one model, or labels that end like it. */
  candidatesFor(code: string): Frame[] {
    const storeId = this.state.getState().sheet?.store_id
    if (storeId === undefined) return []
    const match = this.#device.frames.find(code)
    if (match?.by === 'upc') return match.frames.filter((frame) => frame.store_id === storeId)
    return match ? [match.frame] : []
  }

  #may(permission: 'count.scan' | 'count.close' | 'count.see-expected-while-blind'): boolean {
    return this.#device.session.state.getState().home?.permissions.includes(permission) ?? false
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#work.then(work)
    this.#work = turn.catch(() => undefined)
    return turn
  }

  async #scan(raw: string, via: ScanVia): Promise<void> {
    const command = via === 'scanner' || via === 'camera' ? commandOf(raw) : null
    if (command === 'undo') return this.#undo()
    if (command === 'pause') return this.setPaused(!this.state.getState().paused)
    const code = normaliseCode(raw).slice(0, 128)
    if (code === '') return
    const { sheet, paused, deletion } = this.state.getState()
    if (!sheet) return this.#say(null, code, 'not-recorded', 'This count sheet is not on this tablet')
    if (sheet.phase === 'closed') return this.#say(null, code, 'not-recorded', 'The count sheet is closed')
    if (deletion) return this.#say(null, code, 'not-recorded', 'The count sheet is deleted')
    if (!this.#may('count.scan')) return this.#say(null, code, 'not-recorded', 'This account may not count')
    if (paused) return this.#say(null, code, 'not-recorded', 'The count is paused')
    const match = this.#device.frames.find(code)
    const piece = match && match.by !== 'upc' ? match.frame : null
    const saved = await this.#save(
      'count.scan',
      {
        id_count_sheet: this.id,
        raw_code: code,
        id_inventory: piece?.id_inventory ?? null,
        via,
        previous_scan: this.#previousScan,
      },
      `Scan ${code} on ${sheet.number === null ? 'a new count' : `count #${sheet.number}`}`,
    )
    if ('reason' in saved) {
      this.#problems += 1
      const waiting: NotSavedScan = { key: this.#problems, code, via, problem: saved }
      this.state.setState(({ notSaved }) => ({ notSaved: [...notSaved, waiting] }))
      return this.#say(null, code, 'not-recorded', saved.message)
    }
    this.#takeCommand(saved)
    const event = this.ledger.events.get(saved.id)
    if (!event) return
    const outcome = this.ledger.outcomeOf(event)
    if (event.id_inventory !== null) this.#previousScan = event.id
    this.#toldAs.set(event.id, outcome)
    this.#show()
    this.#say(event.id, code, outcome, null)
  }

  async #undo(id?: string): Promise<void> {
    const target = id === undefined ? this.#lastOwn() : this.ledger.events.get(id)
    if (!target || !this.mayUndo(target)) return this.#say(null, '', 'not-recorded', 'There is no scan of yours to undo')
    const saved = await this.#save('count.undo', { id_count_sheet: this.id, negates: target.id }, `Undo of the scan ${target.raw_code}`)
    if ('reason' in saved) return this.#say(null, target.raw_code, 'not-recorded', `The undo is NOT SAVED. ${saved.message}`)
    this.#takeCommand(saved)
    this.#toldAs.set(target.id, 'undone')
    this.#show()
    this.#say(target.id, target.raw_code, 'undone', null)
  }

  /** A failure that the outbox did not foresee is a scan that is not saved, too. */
  async #save<K extends 'count.scan' | 'count.undo'>(kind: K, body: CommandBody<K>, title: string): Promise<OutboxCommand | NotSaved> {
    try {
      const result = await this.#device.outbox.record(kind, this.#lane, body, { title })
      return result.saved ? result.command : result.problem
    } catch (error) {
      return { reason: 'storage-closed', message: error instanceof Error ? error.message : 'This tablet could not write it down.' }
    }
  }

  #lastOwn(): LedgerScan | undefined {
    const me = this.#device.session.state.getState().home?.id_user
    for (let place = this.ledger.logInTime.length - 1; place >= 0; place--) {
      const event = this.ledger.logInTime.at(place)
      if (event && event.author_id === me && event.device_id === this.#device.deviceId && this.ledger.isLive(event)) return event
    }
    return undefined
  }

  #say(id: string | null, code: string, outcome: ScanOutcome, reason: string | null): void {
    this.#told += 1
    this.state.setState({
      last: { told: this.#told, id, code, outcome, reason, at: new Date(this.#device.serverNow()).toISOString() },
    })
    this.#tell(outcome)
  }

  async #load(): Promise<void> {
    const { row, pages, scans, decisions, commands } = await this.#feed.read()
    this.#row = row
    this.#pending.clear()
    this.#others.clear()
    this.#received.clear()
    this.#attention.clear()
    this.#unreceipted.clear()
    this.#itemPages = pages.length
    const creation = commands.find((command) => isKind(command, 'count.create'))
    const sheet = this.#row ?? (creation ? sheetFromCommand(creation) : null)
    this.ledger = new CountLedger(sheet?.walk ?? 1)
    for (const page of pages) for (const item of page.items) this.ledger.addItem(item)
    this.#itemsAreLocal = pages.length === 0 && sheet !== null && !this.#row
    if (this.#itemsAreLocal && sheet) for (const item of snapshotOf(sheet, this.#device.frames)) this.ledger.addItem(item)
    for (const scan of scans) this.#takeScan(scan)
    for (const decision of decisions) this.ledger.addDecision(decision)
    for (const command of commands) this.#takeCommand(command)
    this.#show()
  }

  /** Reads everything anew, between two scans, so that none falls in between: its list of what is expected arrived, or the database is back. */
  again(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#load()
      this.#feed.follow()
      this.#watch()
      this.state.setState({ behind: null })
    })
  }

  failed(why: string): void {
    this.state.setState({ behind: why })
  }

  takePages(count: number): void {
    if (count !== this.#itemPages) this.#feed.aside(() => this.again())
  }

  takeDecisions(decisions: CountDecision[]): void {
    for (const decision of decisions) this.ledger.addDecision(decision)
    this.#show()
  }

  takeScans(total: number, rows: CountScan[]): void {
    let changed = false
    for (const row of rows) changed = this.#takeScan(row) || changed
    if (changed) this.#watch()
    // Something slipped past the overlap, or was taken away.
    if (total !== this.#received.size) this.#feed.aside(() => this.#catchUp())
    if (changed) this.#show()
  }

  async #catchUp(): Promise<void> {
    const { rows, gone } = await this.#feed.otherScans(this.#received)
    for (const id of gone) {
      this.#received.delete(id)
      if (!this.#pending.has(id)) this.ledger.remove(id)
    }
    for (const row of rows) this.#takeScan(row)
    this.#watch()
    this.#show()
  }

  takeCommands(total: number, commands: OutboxCommand[]): void {
    for (const command of commands) this.#takeCommand(command)
    if (commands.length > 0) this.#watch()
    // Work of another tablet that was read in here has numbers of its own, which may lie before ours.
    if (total > this.#pending.size + this.#others.size) this.#feed.aside(() => this.#catchUpCommands())
    if (commands.length > 0) this.#show()
  }

  async #catchUpCommands(): Promise<void> {
    const commands = await this.#feed.otherCommands((id) => this.#pending.has(id) || this.#others.has(id) || this.#received.has(id))
    if (commands.length === 0) return
    for (const command of commands) this.#takeCommand(command)
    this.#watch()
    this.#show()
  }

  #takeScan(row: CountScan): boolean {
    if (this.#received.get(row.id) === row.revision) return false
    this.#received.set(row.id, row.revision)
    if (this.#pending.has(row.id)) this.#unreceipted.add(row.id)
    this.#attention.delete(row.id)
    this.#feed.passedRevision(row.revision)
    this.ledger.add(row)
    this.#compareWithTold(row)
    return true
  }

  /** The mirror was stale: what we called counted is something else. The person must hear it, late as it is. */
  #compareWithTold(row: CountScan): void {
    const was = this.#toldAs.get(row.id)
    if (was === undefined || was === 'undone') return
    const now = this.ledger.outcomeOf(row)
    // That a colleague was earlier is no news that needs a hand.
    if (now === was || now === 'duplicate' || now === 'undone' || was === 'duplicate') return
    this.#toldAs.set(row.id, now)
    this.state.setState(({ late }) => ({ late: [...late.filter((finding) => finding.id !== row.id), { id: row.id, was, now }] }))
    if (now !== 'counted') this.#tell(now)
  }

  #takeCommand(command: OutboxCommand): void {
    this.#feed.passedCommand(command)
    const isEvent = isKind(command, 'count.scan') || isKind(command, 'count.undo')
    const waiting = isEvent ? this.#pending : this.#others
    if (this.#received.has(command.id)) {
      waiting.set(command.id, command)
      if (isEvent) this.#unreceipted.add(command.id)
      return
    }
    const isNew = !waiting.has(command.id)
    waiting.set(command.id, command)
    if (command.state === 'needs-attention') this.#attention.add(command.id)
    if (!isNew) return
    if (isKind(command, 'count.scan') || isKind(command, 'count.undo')) {
      const { sheet } = this.#folded()
      const { frames } = this.#device
      this.ledger.add(readEvent(command, { ledger: this.ledger, sheet, frames, storeName: (id) => this.#storeName(id) }))
    } else {
      if (isKind(command, 'count.decide')) this.ledger.addPendingDecision(command.id, readDecision(command))
      this.#watch()
    }
  }

  /** What leaves no row of its own, and what waits for its receipt alone, is watched until it leaves the outbox. */
  #watch(): void {
    this.#feed.watch([...this.#others.keys(), ...this.#unreceipted])
  }

  #storeName(id: number): string {
    const home = this.#device.session.state.getState().home
    return home?.locations.find((store) => store.store_id === id)?.store_name ?? 'another store'
  }

  takeAttention(commands: OutboxCommand[]): void {
    const now = new Set(commands.map((command) => command.id))
    const gone = [...this.#attention].filter((id) => !now.has(id))
    for (const command of commands) {
      this.#takeCommand(command)
      if (!this.#received.has(command.id)) this.#attention.add(command.id)
    }
    for (const id of gone) this.#attention.delete(id)
    if (gone.length > 0) this.#feed.aside(() => this.#checkPending(gone))
    if (gone.length > 0 || commands.length > 0) this.#show()
  }

  /** Commands leave the outbox settled or given up. */
  async #checkPending(ids: string[]): Promise<void> {
    for (const { id, scan, waits } of await this.#feed.fateOf(ids)) {
      if (scan) this.#takeScan(scan)
      else if (!waits) this.#forget(id)
    }
    this.#watch()
    this.#show()
  }

  #forget(id: string): void {
    this.#pending.delete(id)
    this.#others.delete(id)
    this.#attention.delete(id)
    this.#unreceipted.delete(id)
    this.ledger.removePendingDecision(id)
    if (!this.#received.has(id)) this.ledger.remove(id)
  }

  takeLeft(ids: string[]): void {
    for (const id of ids) this.#forget(id)
    this.#watch()
    this.#show()
  }

  takeSheet(row: CountSheet | null): void {
    const hadLocalItems = this.#itemsAreLocal && row !== null && !this.#row
    this.#row = row
    if (hadLocalItems) this.#feed.aside(() => this.again())
    else this.#show()
  }

  /** The sheet as it is now: the server's row with what waits here on top of it. */
  #folded(): { sheet: CountSheet | null; deletion: boolean } {
    const commands = [...this.#others.values()]
    const creation = commands.find((command) => isKind(command, 'count.create'))
    let sheet = this.#row ?? (creation ? sheetFromCommand(creation) : null)
    let deletion = false
    for (const command of commands) {
      if (!sheet || command.state === 'needs-attention') continue
      if (isKind(command, 'count.note')) sheet = { ...sheet, notes: command.body.notes }
      if (isKind(command, 'count.recount'))
        sheet = { ...sheet, phase: 'recounting', walk: sheet.walk + 1, walk_started_at: capturedAtOf(command) }
      if (isKind(command, 'count.delete')) deletion = true
    }
    return { sheet, deletion }
  }

  #show(): void {
    const { sheet: folded, deletion } = this.#folded()
    let sheet = folded
    if (sheet) {
      this.ledger.startWalk(sheet.walk)
      if (this.#itemsAreLocal) sheet = { ...sheet, expected_count: this.ledger.expectedTotal }
    }
    const last = this.state.getState().last
    const event = last?.id ? this.ledger.events.get(last.id) : undefined
    this.state.setState((state) => ({
      status: sheet ? 'ready' : 'missing',
      sheet,
      onlyHere: this.#row === null && sheet !== null,
      deletion,
      version: state.version + 1,
      unsent: this.#pending.size + this.#others.size - this.#attention.size,
      attention: this.#attention.size,
      ...(last && event && { last: { ...last, outcome: this.ledger.outcomeOf(event) } }),
    }))
  }
}
