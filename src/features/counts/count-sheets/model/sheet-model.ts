import { createStore } from 'zustand/vanilla'
import { commandOf, normaliseCode } from '#contract/core/codes.ts'
import type { CommandBody } from '#contract/sync/commands.ts'
import type { CountItem, CountScan, ScanVia } from '#contract/counts/count-sheets.ts'
import type { CountLedger } from '#contract/counts/count-ledger.ts'
import { explainedByMovement } from '#contract/counts/unscanned.ts'
import type { ScanOutcome } from '#contract/counts/counting.ts'
import type { Frame } from '#contract/stock/frames.ts'
import type { LedgerScan, ScanLists } from '#contract/counts/scan-lists.ts'
import type { FrameMatch } from '#src/db/mirrors/frame-set.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { quietMoment } from '#src/ui/quiet-moment.ts'
import type { Device, NotSaved } from '#src/sync/device/device.ts'
import { knowledgeOf } from './command-reading.ts'
import { FollowedSheet } from './followed-sheet.ts'
import { laneOf } from './sheet-commands.ts'
import { blankState, type Delivery, type NotSavedScan, type SheetState } from './sheet-state.ts'

/** Within this time, a working disk has read the frames of a large chain, even on a slow tablet. */
const framesPatienceMs = 5000

/**
 * One open sheet on this device: the user's actions, and what the screen and the sounds say. Every action goes through
 * a `FollowedSheet`, whose fold it shows.
 */
export class SheetModel {
  readonly id: string
  readonly state = createStore<SheetState>(() => blankState)
  readonly #device: Device
  readonly #tell: (outcome: ScanOutcome) => void
  readonly #lane: `count:${string}`
  readonly #followed: FollowedSheet
  /** The outcome that the user heard for each scan made here. */
  #toldAs = new Map<string, ScanOutcome>()
  #work: Promise<unknown> = Promise.resolve()
  #previousScan: string | null = null
  #told = 0
  #problems = 0

  /** @param tell plays the outcome as sound and vibration, only after the scan is on the disk */
  constructor(device: Device, id: string, tell: (outcome: ScanOutcome) => void) {
    this.#device = device
    this.id = id
    this.#tell = tell
    this.#lane = laneOf(id)
    this.#followed = new FollowedSheet(device, id, {
      inTurn: (work) => this.#inTurn(work),
      changed: () => this.#show(),
      received: (row) => this.#compareWithTold(row),
      behind: (why) => this.state.setState({ behind: why }),
    })
  }

  /** The current ledger. Reading everything again makes a new one. */
  get ledger(): CountLedger {
    return this.#followed.fold.ledger
  }

  /**
   * Reads the sheet's records on this device, then follows the changes. A sheet has its own copy of the expected
   * frames, so it shows before the chain's frames are read. They wait for a quiet moment, because a change during a
   * draw causes another one.
   */
  async open(): Promise<void> {
    const { frames } = this.#device
    await this.#followed.open()
    if (frames.isReady()) return
    const came = frames.ready().then(quietMoment)
    came.then(
      () => this.#framesCame(),
      (error: unknown) =>
        this.state.setState({ behind: error instanceof Error ? error.message : 'Couldn’t read the frames on this tablet.' }),
    )
  }

  /** Unsent commands depend on the frames, so they are read again. Other entries only change their details. */
  #framesCame(): void {
    if (this.#followed.fold.waiting > 0) this.#followed.again().catch(() => undefined)
    else this.#show()
  }

  close(): void {
    this.#followed.close()
  }

  /** Reads everything again. */
  again(): Promise<void> {
    return this.#followed.again()
  }

  /** Returns true when this user may see the expected frames, and so the frames to find. */
  seesExpected(): boolean {
    const sheet = this.state.getState().sheet
    if (!sheet?.blind || sheet.phase === 'closed') return true
    return this.#may('count.see-expected-while-blind')
  }

  /** Returns the scans that this user may see: all, or only their own while counting blind. */
  scans(): ScanLists {
    const me = this.#device.session.state.getState().home?.id_user
    return this.seesExpected() ? this.ledger.scans : this.ledger.scansOf(me ?? 0)
  }

  deliveryOf(id: string): Delivery {
    return this.#followed.fold.deliveryOf(id)
  }

  /** Takes a code from the scanner or from a user. Codes are processed one by one, in order. */
  scan(raw: string, via: ScanVia = 'scanner'): Promise<void> {
    return this.#inTurn(() => this.#scan(raw, via))
  }

  /** Undoes a scan with an event that negates it. Without an id, it undoes this user's last scan. */
  undo(id?: string): Promise<void> {
    return this.#inTurn(() => this.#undo(id))
  }

  /** Tries again to save the scans that could not be saved. */
  retryNotSaved(): Promise<void> {
    return this.#inTurn(async () => {
      for (const waiting of this.state.getState().notSaved) await this.#scan(waiting.code, waiting.via, waiting)
    })
  }

  /** Drops a code that could not be saved, by the user's choice. */
  forgetNotSaved(key: number): void {
    this.state.setState(({ notSaved }) => ({ notSaved: notSaved.filter((scan) => scan.key !== key) }))
  }

  acknowledgeLate(): void {
    this.state.setState({ late: [] })
  }

  setPaused(paused: boolean): void {
    this.state.setState({ paused })
  }

  /** Returns true when this user may undo that event. */
  mayUndo(event: LedgerScan): boolean {
    if (event.negates !== null || this.ledger.isUndone(event.id) || this.state.getState().sheet?.phase === 'closed') return false
    return event.author_id === this.#device.session.state.getState().home?.id_user || this.#may('count.close')
  }

  /** Records another command of this sheet. It shows at once. */
  async record<K extends 'count.note' | 'count.decide' | 'count.recount' | 'count.delete'>(
    kind: K,
    body: CommandBody<K>,
    title: string,
  ): Promise<NotSaved | null> {
    const result = await this.#device.outbox.record(kind, this.#lane, body, { title, ...this.#ofItsStore() })
    if (!result.saved) return result.problem
    this.#followed.take(result.command)
    return null
  }

  /** Returns this device's data of a frame: the sheet's frozen copy, or the mirror's. */
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

  /** Returns why an uncounted piece will not become Missing, as this device knows it. Null when it is to be found. */
  explanationOf(item: Pick<CountItem, 'id_inventory' | 'status'>): string | null {
    const storeId = this.state.getState().sheet?.store_id
    if (storeId === undefined) return null
    return explainedByMovement(item, this.#device.frames.get(item.id_inventory), storeId, knowledgeOf(this.#device).storeName)
  }

  /** Returns this store's pieces of a UPC, or the piece that another code names. */
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

  /** @param again the unsaved scan of an earlier try; it stays on the list until it is saved */
  async #scan(raw: string, via: ScanVia, again?: NotSavedScan): Promise<void> {
    const command = via === 'scanner' || via === 'camera' ? commandOf(raw) : null
    if (command === 'undo') return this.#undo()
    if (command === 'pause') return this.setPaused(!this.state.getState().paused)
    const code = normaliseCode(raw).slice(0, 128)
    if (code === '') return
    const { sheet, paused, deletion } = this.state.getState()
    if (!sheet) return this.#say(null, code, 'not-recorded', 'This count sheet isn’t on this tablet')
    if (sheet.phase === 'closed') return this.#say(null, code, 'not-recorded', 'This count sheet is closed')
    if (deletion) return this.#say(null, code, 'not-recorded', 'This count sheet was deleted')
    if (!this.#may('count.scan')) return this.#say(null, code, 'not-recorded', 'You don’t have permission to count')
    if (paused) return this.#say(null, code, 'not-recorded', 'The count is paused')
    const match = await this.#matchSoon(code)
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
      again?.problem.id,
    )
    if ('reason' in saved) {
      const waiting: NotSavedScan = { key: again?.key ?? ++this.#problems, code, via, problem: saved }
      this.state.setState(({ notSaved }) => ({ notSaved: [...notSaved.filter(({ key }) => key !== waiting.key), waiting] }))
      return this.#say(null, code, 'not-recorded', saved.message)
    }
    if (again) this.forgetNotSaved(again.key)
    // The first scan asks too, if nobody pressed Start. Some browsers never answer, so nothing waits for it.
    void this.#device.storage.askToKeep()
    this.#followed.take(saved)
    const event = this.ledger.events.get(saved.id)
    if (!event) return
    const outcome = this.ledger.outcomeOf(event)
    if (event.id_inventory !== null) this.#previousScan = event.id
    this.#toldAs.set(event.id, outcome)
    this.#say(event.id, code, outcome, null)
  }

  /**
   * Waits only a short time for the frames, so that a scan is saved without them. The server then resolves the code.
   */
  async #matchSoon(code: string): Promise<FrameMatch | null> {
    const { frames } = this.#device
    if (frames.isReady()) return frames.find(code)
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<FrameMatch | null>((resolve) => {
      timer = setTimeout(() => resolve(frames.find(code)), framesPatienceMs)
    })
    return await Promise.race([frames.findSoon(code).catch(() => null), late]).finally(() => clearTimeout(timer))
  }

  async #undo(id?: string): Promise<void> {
    const target = id === undefined ? this.#lastOwn() : this.ledger.events.get(id)
    if (!target || !this.mayUndo(target)) return this.#say(null, '', 'not-recorded', 'You have no scan to undo')
    const saved = await this.#save('count.undo', { id_count_sheet: this.id, negates: target.id }, `Undo of the scan ${target.raw_code}`)
    if ('reason' in saved) return this.#say(null, target.raw_code, 'not-recorded', `The undo is NOT SAVED. ${saved.message}`)
    this.#followed.take(saved)
    this.#toldAs.set(target.id, 'undone')
    this.#say(target.id, target.raw_code, 'undone', null)
  }

  /** Also treats an unexpected failure of the outbox as an unsaved scan. */
  async #save<K extends 'count.scan' | 'count.undo'>(
    kind: K,
    body: CommandBody<K>,
    title: string,
    id?: string,
  ): Promise<OutboxCommand | NotSaved> {
    try {
      const result = await this.#device.outbox.record(kind, this.#lane, body, {
        title,
        ...this.#ofItsStore(),
        ...(id !== undefined && { id }),
      })
      return result.saved ? result.command : result.problem
    } catch (error) {
      return { reason: 'storage-closed', message: error instanceof Error ? error.message : 'Couldn’t save to this tablet.' }
    }
  }

  /** Work belongs to the sheet's store, even if its author works in another store now. */
  #ofItsStore(): { store_id?: number } {
    const store_id = this.state.getState().sheet?.store_id
    return store_id === undefined ? {} : { store_id }
  }

  #lastOwn(): LedgerScan | undefined {
    const me = this.#device.session.state.getState().home?.id_user
    const { log } = this.ledger.scans
    for (let place = log.length - 1; place >= 0; place--) {
      const event = log.at(place)
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

  /** The mirror was stale, and the server found another outcome. The user must hear it, even late. */
  #compareWithTold(row: CountScan): void {
    const was = this.#toldAs.get(row.id)
    if (was === undefined || was === 'undone') return
    const now = this.ledger.outcomeOf(row)
    // A colleague's earlier scan needs no action.
    if (now === was || now === 'duplicate' || now === 'undone' || was === 'duplicate') return
    this.#toldAs.set(row.id, now)
    this.state.setState(({ late }) => ({ late: [...late.filter((finding) => finding.id !== row.id), { id: row.id, was, now }] }))
    if (now !== 'counted') this.#tell(now)
  }

  #show(): void {
    const { fold } = this.#followed
    const last = this.state.getState().last
    const event = last?.id ? fold.ledger.events.get(last.id) : undefined
    this.state.setState((state) => ({
      status: fold.sheet ? 'ready' : 'missing',
      sheet: fold.sheet,
      onlyHere: fold.onlyHere,
      deletion: fold.deletion,
      version: state.version + 1,
      unsent: fold.unsent,
      attention: fold.attention,
      ...(last && event && { last: { ...last, outcome: fold.ledger.outcomeOf(event) } }),
    }))
  }
}
