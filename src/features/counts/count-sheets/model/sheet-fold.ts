import { CountLedger } from '#contract/counts/count-ledger.ts'
import type { CountDecision, CountItem, CountScan, CountSheet } from '#contract/counts/count-sheets.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { readDecision, readEvent, type Knowledge } from './command-reading.ts'
import { capturedAtOf, isKind, sheetFromCommand, snapshotOf } from './sheet-commands.ts'
import type { SheetRecords } from './sheet-feed.ts'
import type { Delivery } from './sheet-state.ts'

/**
 * One sheet on this device: the fold of the server's rows and the outbox, and of nothing else. It reads nothing. Taking
 * an entry costs only as much as that entry.
 */
export class SheetFold {
  readonly ledger: CountLedger
  /** The server's row with the unsent changes on top. Null when this device knows no such sheet. */
  sheet: CountSheet | null = null
  /** True while its deletion waits to be sent. */
  deletion = false
  readonly #knowledge: Knowledge
  #row: CountSheet | null
  readonly #itemsAreLocal: boolean
  /** Revisions of the server's rows by id. A row in here has been received. */
  readonly #received = new Map<string, number>()
  /** Scans and undos that the server has not confirmed. There may be thousands. */
  readonly #pending = new Map<string, OutboxCommand>()
  /** All other unsent commands of this sheet: its creation, notes, decisions. A handful. */
  readonly #others = new Map<string, OutboxCommand>()
  readonly #attention = new Set<string>()
  /**
   * Pending events whose row a pull brought before the receipt. The server has them, but they do not count as sent yet.
   */
  readonly #unreceipted = new Set<string>()

  constructor({ row, pages, scans, decisions, commands }: SheetRecords, knowledge: Knowledge) {
    this.#knowledge = knowledge
    this.#row = row
    const creation = commands.find((command) => isKind(command, 'count.create'))
    const sheet = row ?? (creation ? sheetFromCommand(creation) : null)
    this.#itemsAreLocal = pages.length === 0 && sheet !== null && !row
    this.ledger = new CountLedger(sheet?.walk)
    this.ledger.addItems(this.#itemsAreLocal && sheet ? snapshotOf(sheet, knowledge.frames) : pages.flatMap((page) => page.items))
    this.#refold()
    for (const scan of scans) this.takeScan(scan)
    this.takeDecisions(decisions)
    for (const command of commands) this.takeCommand(command)
  }

  /**
   * True while this device guessed the expected frames. The server's list then replaces them instead of adding to them.
   */
  get itemsAreLocal(): boolean {
    return this.#itemsAreLocal
  }
  get onlyHere(): boolean {
    return this.#row === null && this.sheet !== null
  }
  /** The number of this sheet's commands that this device still holds, without those that need attention. */
  get unsent(): number {
    return this.waiting - this.#attention.size
  }
  get attention(): number {
    return this.#attention.size
  }
  get waiting(): number {
    return this.#pending.size + this.#others.size
  }
  get received(): ReadonlyMap<string, number> {
    return this.#received
  }
  /**
   * Commands without a row of their own, and commands that wait only for a receipt. Only the outbox shows when they
   * settle.
   */
  get withoutRow(): string[] {
    return [...this.#others.keys(), ...this.#unreceipted]
  }

  knows(id: string): boolean {
    return this.#pending.has(id) || this.#others.has(id) || this.#received.has(id)
  }

  deliveryOf(id: string): Delivery {
    if (this.#received.has(id) && !this.#pending.has(id)) return 'sent'
    return this.#attention.has(id) ? 'attention' : 'saved'
  }

  get row(): CountSheet | null {
    return this.#row
  }

  /**
   * Takes the server's row of the sheet, and the commands that left the outbox at the same moment, settled or given up.
   * Without the row, a sheet would disappear once its creation settles, and would refuse scans.
   * Returns false when everything must be read again: the expected list has arrived, or a recount has moved scans to
   * its walk.
   */
  takeSheet(row: CountSheet | null, left: readonly string[] = []): boolean {
    for (const id of left) {
      this.#pending.delete(id)
      this.#others.delete(id)
      this.#attention.delete(id)
      this.#unreceipted.delete(id)
      this.ledger.decisions.removePending(id)
      if (!this.#received.has(id)) this.ledger.remove(id)
    }
    const before = this.#row
    this.#row = row
    this.#refold()
    return !row || (before ? before.walk === row.walk : !this.#itemsAreLocal)
  }

  /** Adds more expected frames. */
  takeItems(items: Iterable<CountItem>): void {
    this.ledger.addItems(items)
  }

  /** Returns true when the row was new. */
  takeScan(row: CountScan): boolean {
    if (this.#received.get(row.id) === row.revision) return false
    this.#received.set(row.id, row.revision)
    if (this.#pending.has(row.id)) this.#unreceipted.add(row.id)
    this.#attention.delete(row.id)
    this.ledger.add(row)
    return true
  }

  takeDecisions(decisions: CountDecision[]): void {
    for (const decision of decisions) this.ledger.decisions.add(decision)
  }

  takeCommand(command: OutboxCommand): void {
    const isEvent = isKind(command, 'count.scan') || isKind(command, 'count.undo')
    const waiting = isEvent ? this.#pending : this.#others
    const isNew = !waiting.has(command.id)
    waiting.set(command.id, command)
    if (!isEvent) this.#refold()
    if (this.#received.has(command.id)) {
      if (isEvent) this.#unreceipted.add(command.id)
      return
    }
    if (command.state === 'needs-attention') this.#attention.add(command.id)
    if (!isNew) return
    if (isEvent) this.ledger.add(readEvent(command, this.ledger, this.sheet, this.#knowledge))
    else if (isKind(command, 'count.decide')) this.ledger.decisions.addPending(command.id, readDecision(command))
  }

  /** Takes all commands that need attention now. Returns those that no longer do. */
  takeAttention(commands: OutboxCommand[]): string[] {
    const now = new Set(commands.map((command) => command.id))
    const gone = [...this.#attention].filter((id) => !now.has(id))
    for (const id of gone) this.#attention.delete(id)
    for (const command of commands) this.takeCommand(command)
    return gone
  }

  /** Forgets a row that the mirror no longer has. */
  forgetRow(id: string): void {
    this.#received.delete(id)
    if (!this.#pending.has(id)) this.ledger.remove(id)
  }

  #refold(): void {
    const commands = [...this.#others.values()]
    const creation = commands.find((command) => isKind(command, 'count.create'))
    let sheet = this.#row ?? (creation ? sheetFromCommand(creation) : null)
    this.deletion = false
    for (const command of commands) {
      if (!sheet || command.state === 'needs-attention') continue
      if (isKind(command, 'count.note')) sheet = { ...sheet, notes: command.body.notes }
      if (isKind(command, 'count.recount'))
        sheet = { ...sheet, phase: 'recounting', walk: sheet.walk + 1, walk_started_at: capturedAtOf(command) }
      if (isKind(command, 'count.delete')) this.deletion = true
    }
    if (sheet && this.#itemsAreLocal) sheet = { ...sheet, expected_count: this.ledger.expectedTotal }
    if (sheet) this.ledger.startWalk(sheet.walk)
    this.sheet = sheet
  }
}
