import type { CountDecision, CountItem, CountScan, ExceptionDecision } from '#contract/count-sheets.ts'
import type { ScanOutcome } from '#contract/counting.ts'
import { SortedList } from '#contract/sorted-list.ts'

/**
 * A sheet is a set of events that only grows. What a sheet says is the fold of that set, so it does not matter in
 * which order events arrive, how often, or from which tablet.
 */

/** A scan as the fold needs it: the server's row, or a command that is not settled yet. */
export type LedgerScan = Pick<
  CountScan,
  | 'id'
  | 'raw_code'
  | 'id_inventory'
  | 'finding'
  | 'finding_detail'
  | 'via'
  | 'negates'
  | 'previous_scan'
  | 'walk'
  | 'captured_at'
  | 'author_id'
  | 'author_name'
  | 'device_id'
>

/** Earlier first; the id decides between scans of the same millisecond, the same way everywhere. */
export function earlier(a: Pick<LedgerScan, 'captured_at' | 'id'>, b: Pick<LedgerScan, 'captured_at' | 'id'>): number {
  if (a.captured_at !== b.captured_at) return a.captured_at < b.captured_at ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** The order of the shelves as well as we know it: brand, board, model, colour, then the store tag. */
export function shelfOrder(a: CountItem, b: CountItem): number {
  return (
    compareText(a.brand_name, b.brand_name) ||
    compareText(a.board_location ?? '\uffff', b.board_location ?? '\uffff') ||
    compareText(a.title_product, b.title_product) ||
    compareText(a.title_variant, b.title_variant) ||
    compareText(a.sku, b.sku) ||
    a.id_inventory - b.id_inventory
  )
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The piece that a scan points at. Codes that name a model or nothing at all point at none. */
function pieceOf(scan: LedgerScan): number | null {
  return scan.finding === 'expected' || scan.finding === 'set-aside' ? scan.id_inventory : null
}

export type BrandProgress = { brand_name: string; expected: number; counted: number }
export type PersonTotal = { author_id: number; author_name: string; counted: number; last_at: string }

/** How a piece stands on the sheet because of the scan that counts for it. */
type Standing = { scan: LedgerScan; as: 'counted' | 'set-aside' }

/**
 * The running fold of one sheet. `add` takes an event once or many times with the same result; the cost of an event is
 * that of its piece, not of the sheet, so a sheet of 10,000 lines takes 10 scans a second without noticing.
 *
 * The ordered lists (`inShelfOrder`, `countedInTime`, …) are kept up to date with every event; screens read them by
 * place. The functions that return arrays (`toFind()`, `counted()`, …) copy, and are for where that does not matter.
 */
export class CountLedger {
  readonly items = new Map<number, CountItem>()
  /** The server's word on exceptions, by their key. What this device decided and has not sent lies on top of it. */
  readonly decisions = new Map<string, CountDecision>()
  /** All events of all walks, by id. */
  readonly events = new Map<string, LedgerScan>()
  /** Pieces still to be found, as they stand on the shelves. */
  readonly inShelfOrder = new SortedList<CountItem>(shelfOrder)
  /** The scans that count, oldest first. */
  readonly countedInTime = new SortedList<LedgerScan>(earlier)
  /** One scan for each piece that is set aside, oldest first. */
  readonly exceptionsInTime = new SortedList<LedgerScan>(earlier)
  /** Codes without a piece, oldest first. */
  readonly unknownInTime = new SortedList<LedgerScan>(earlier)
  /** Every event of every walk, oldest first. */
  readonly logInTime = new SortedList<LedgerScan>(earlier)

  #walk: number
  /** The events that undo a scan. Two people may undo the same one; it stays undone when one of them is withdrawn. */
  #undoings = new Map<string, Set<string>>()
  /** Scans by piece, earliest first, those of other walks and undone ones included. */
  #byPiece = new Map<number, SortedList<LedgerScan>>()
  #byBrand = new Map<string, BrandProgress>()
  #byPerson = new Map<number, PersonTotal>()
  #standing = new Map<number, Standing>()
  #spare = new Map<number, number>()
  #spareTotal = 0
  #pendingDecisions = new Map<string, CountDecision>()

  constructor(walk = 1) {
    this.#walk = walk
  }

  get walk(): number {
    return this.#walk
  }

  addItem(item: CountItem): void {
    if (this.items.has(item.id_inventory)) return
    this.items.set(item.id_inventory, item)
    this.inShelfOrder.put(item)
    const brand = this.#byBrand.get(item.brand_name)
    if (brand) brand.expected += 1
    else this.#byBrand.set(item.brand_name, { brand_name: item.brand_name, expected: 1, counted: 0 })
    // A scan may have come before the list of what is expected.
    if (this.#standing.get(item.id_inventory)?.as === 'counted') this.#tick(item, 1)
  }

  /** Takes the server's word. Of two for the same exception the one with the higher revision stands. */
  addDecision(decision: CountDecision): void {
    const known = this.decisions.get(decision.key)
    if (known && known.revision > decision.revision) return
    this.decisions.set(decision.key, decision)
  }

  /** Takes a decision that is saved here and not confirmed by the server. `id` is its command. */
  addPendingDecision(id: string, decision: CountDecision): void {
    this.#pendingDecisions.set(id, decision)
  }

  removePendingDecision(id: string): void {
    this.#pendingDecisions.delete(id)
  }

  /** The decision that stands on an exception, with who made it and why; null when nobody has decided. */
  decisionRowOn(key: string): CountDecision | null {
    let pending: { id: string; row: CountDecision } | null = null
    for (const [id, row] of this.#pendingDecisions)
      if (
        row.key === key &&
        (!pending || earlier({ id: pending.id, captured_at: pending.row.decided_at }, { id, captured_at: row.decided_at }) < 0)
      )
        pending = { id, row }
    return pending?.row ?? this.decisions.get(key) ?? null
  }

  decisionOn(key: string): ExceptionDecision {
    return this.decisionRowOn(key)?.decision ?? 'undecided'
  }

  /** Adds an event, or replaces the device's own reading of it with the server's. */
  add(event: LedgerScan): void {
    const known = this.events.get(event.id)
    if (known) this.#takeOut(known)
    this.events.set(event.id, event)
    this.logInTime.put(event)
    this.#noteActivity(event)
    if (event.negates !== null) {
      const undoings = this.#undoings.get(event.negates) ?? new Set()
      undoings.add(event.id)
      this.#undoings.set(event.negates, undoings)
      this.#judge(this.events.get(event.negates))
      return
    }
    const piece = pieceOf(event)
    if (piece !== null) {
      const scans = this.#byPiece.get(piece) ?? new SortedList<LedgerScan>(earlier)
      scans.put(event)
      this.#byPiece.set(piece, scans)
    }
    this.#judge(event)
  }

  /** Takes an event out again: only for one that was never saved or that its person discarded. */
  remove(id: string): void {
    const event = this.events.get(id)
    if (!event) return
    this.#takeOut(event)
    this.events.delete(id)
    this.#recountActivity(event.author_id)
  }

  isUndone(id: string): boolean {
    return this.#undoings.has(id)
  }

  /** Whether an event counts at all: it is a scan of this walk, and nobody undid it. */
  isLive(event: LedgerScan): boolean {
    return event.negates === null && event.walk === this.#walk && !this.#undoings.has(event.id)
  }

  /** The scan that counts for a piece: the earliest live one. */
  scanOf(idInventory: number): LedgerScan | null {
    return this.#earliest(idInventory, this.#walk)
  }

  /** What a person is told of this scan, given everything known now. */
  outcomeOf(event: LedgerScan): ScanOutcome {
    if (event.negates !== null || this.#undoings.has(event.id)) return 'undone'
    if (event.finding === 'model-only') return 'model-only'
    const piece = pieceOf(event)
    if (piece === null) return 'unknown'
    const first = this.#earliest(piece, event.walk)
    if (first && earlier(first, event) < 0) return 'duplicate'
    return event.finding === 'set-aside' ? 'set-aside' : 'counted'
  }

  get expectedTotal(): number {
    return this.items.size
  }
  get countedTotal(): number {
    return this.countedInTime.length
  }
  get setAsideTotal(): number {
    return this.exceptionsInTime.length
  }
  get unknownTotal(): number {
    return this.unknownInTime.length
  }
  get toFindTotal(): number {
    return this.inShelfOrder.length
  }
  /** Live scans that are on top of one that already counts. */
  get duplicateTotal(): number {
    return this.#spareTotal
  }

  brands(): BrandProgress[] {
    return [...this.#byBrand.values()].sort((a, b) => compareText(a.brand_name, b.brand_name))
  }

  /** Who has counted how many pieces (set-aside ones included), and when each was last at work. Most first. */
  people(): PersonTotal[] {
    return [...this.#byPerson.values()]
      .filter((person) => person.counted > 0)
      .sort((a, b) => b.counted - a.counted || a.author_id - b.author_id)
  }

  /** Pieces expected and not counted yet. */
  toFind(): CountItem[] {
    return this.inShelfOrder.toArray()
  }

  counted(): { item: CountItem; scan: LedgerScan }[] {
    const rows: { item: CountItem; scan: LedgerScan }[] = []
    for (const scan of this.countedInTime.toReversed()) {
      const item = scan.id_inventory === null ? undefined : this.items.get(scan.id_inventory)
      if (item) rows.push({ item, scan })
    }
    return rows
  }

  /** The scans that are exceptions: one for each piece that is set aside. */
  exceptions(): LedgerScan[] {
    return this.exceptionsInTime.toReversed()
  }

  unknown(): LedgerScan[] {
    return this.unknownInTime.toReversed()
  }

  /** Every event of every walk, newest first. */
  log(): LedgerScan[] {
    return this.logInTime.toReversed()
  }

  /** A recount: only scans of the new walk count from now on. The former ones stay in the log. */
  startWalk(walk: number): void {
    if (walk === this.#walk) return
    this.#walk = walk
    for (const id of this.#byPiece.keys()) this.#judgePiece(id)
    for (const event of this.events.values()) this.#judgeCode(event)
  }

  /** The pieces scanned just before and just after this scan by the same tablet: where on the board it happened. */
  neighboursOf(scan: LedgerScan): { before: LedgerScan | null; after: LedgerScan | null } {
    return { before: this.#neighbour(scan, -1), after: this.#neighbour(scan, 1) }
  }

  #neighbour(scan: LedgerScan, step: 1 | -1): LedgerScan | null {
    const { place } = this.logInTime.placeOf(scan)
    for (let at = place + step; at >= 0 && at < this.logInTime.length; at += step) {
      const other = this.logInTime.at(at)
      if (other && other.device_id === scan.device_id && other.negates === null && pieceOf(other) !== null) return other
    }
    return null
  }

  #earliest(idInventory: number, walk: number): LedgerScan | null {
    const scans = this.#byPiece.get(idInventory)
    if (!scans) return null
    for (let place = 0; place < scans.length; place++) {
      const scan = scans.at(place)
      if (scan && scan.walk === walk && !this.#undoings.has(scan.id)) return scan
    }
    return null
  }

  #judge(event: LedgerScan | undefined): void {
    if (!event) return
    this.#judgeCode(event)
    const piece = pieceOf(event)
    if (piece !== null) this.#judgePiece(piece)
  }

  #judgeCode(event: LedgerScan): void {
    if (event.negates !== null) return
    if (this.isLive(event) && pieceOf(event) === null && event.finding !== 'model-only') this.unknownInTime.put(event)
    else this.unknownInTime.delete(event)
  }

  #judgePiece(id: number): void {
    const before = this.#standing.get(id)
    const scan = this.scanOf(id)
    const after: Standing | undefined = scan ? { scan, as: scan.finding === 'expected' ? 'counted' : 'set-aside' } : undefined
    this.#judgeSpare(id)
    if (before?.scan === after?.scan) return
    if (before) {
      const list = before.as === 'counted' ? this.countedInTime : this.exceptionsInTime
      list.delete(before.scan)
      this.#creditPerson(before.scan, -1)
    }
    if (after) {
      const list = after.as === 'counted' ? this.countedInTime : this.exceptionsInTime
      list.put(after.scan)
      this.#creditPerson(after.scan, 1)
      this.#standing.set(id, after)
    } else this.#standing.delete(id)
    const item = this.items.get(id)
    if (!item) return
    if (after?.as === 'counted' && before?.as !== 'counted') this.#tick(item, 1)
    if (after?.as !== 'counted' && before?.as === 'counted') this.#tick(item, -1)
  }

  #tick(item: CountItem, by: 1 | -1): void {
    if (by === 1) this.inShelfOrder.delete(item)
    else this.inShelfOrder.put(item)
    const brand = this.#byBrand.get(item.brand_name)
    if (brand) brand.counted += by
  }

  #judgeSpare(id: number): void {
    const scans = this.#byPiece.get(id)
    let live = 0
    for (let place = 0; scans && place < scans.length; place++) {
      const scan = scans.at(place)
      if (scan && this.isLive(scan)) live += 1
    }
    const spare = Math.max(0, live - 1)
    this.#spareTotal += spare - (this.#spare.get(id) ?? 0)
    this.#spare.set(id, spare)
  }

  #creditPerson(scan: LedgerScan, by: 1 | -1): void {
    const person = this.#byPerson.get(scan.author_id)
    if (person) person.counted += by
    else
      this.#byPerson.set(scan.author_id, {
        author_id: scan.author_id,
        author_name: scan.author_name,
        counted: by,
        last_at: scan.captured_at,
      })
  }

  #noteActivity(event: LedgerScan): void {
    const person = this.#byPerson.get(event.author_id)
    if (!person)
      this.#byPerson.set(event.author_id, {
        author_id: event.author_id,
        author_name: event.author_name,
        counted: 0,
        last_at: event.captured_at,
      })
    else if (event.captured_at >= person.last_at) {
      person.last_at = event.captured_at
      person.author_name = event.author_name
    }
  }

  /** Only after an event was withdrawn, which is rare. */
  #recountActivity(author: number): void {
    const person = this.#byPerson.get(author)
    if (!person) return
    person.last_at = ''
    for (const event of this.events.values()) if (event.author_id === author) this.#noteActivity(event)
  }

  #takeOut(event: LedgerScan): void {
    this.logInTime.delete(event)
    if (event.negates !== null) {
      const undoings = this.#undoings.get(event.negates)
      undoings?.delete(event.id)
      if (undoings?.size === 0) this.#undoings.delete(event.negates)
      this.#judge(this.events.get(event.negates))
      return
    }
    this.unknownInTime.delete(event)
    const piece = pieceOf(event)
    if (piece === null) return
    this.#byPiece.get(piece)?.delete(event)
    this.#judgePiece(piece)
  }
}
