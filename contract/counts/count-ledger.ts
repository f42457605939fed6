import { CountDecisions } from '#contract/counts/count-decisions.ts'
import type { CountItem } from '#contract/counts/count-sheets.ts'
import type { ScanOutcome } from '#contract/counts/counting.ts'
import { PersonTotals, type PersonTotal } from '#contract/counts/person-totals.ts'
import { earlier, type LedgerScan, pieceOf, ScanLists, type Standing } from '#contract/counts/scan-lists.ts'
import { SortedList } from '#contract/core/sorted-list.ts'

/**
 * A sheet is a set of events that only grows, and its state is the fold of that set. The order of events, repeats, and
 * the tablet that sent them do not matter.
 */

/** The order of the shelves as well as we know it: brand, board, model, color, then the store tag. */
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

export type BrandProgress = { brand_name: string; expected: number; counted: number }

/**
 * The running fold of one sheet. `add` takes an event once or many times with the same result. An event costs the work
 * of its piece, not of the sheet. So a sheet of 10,000 lines takes 10 scans a second without noticing.
 *
 * Every event updates the lists (`inShelfOrder`, those of `scans` and `scansOf`). Screens read them by position.
 */
export class CountLedger {
  readonly items = new Map<number, CountItem>()
  readonly decisions = new CountDecisions()
  /** All events of all walks, by id. */
  readonly events = new Map<string, LedgerScan>()
  /** Pieces still to be found, in the order of the shelves. */
  readonly inShelfOrder = new SortedList<CountItem>(shelfOrder)
  /**
   * Each piece that entered or left `inShelfOrder`, in sequence. A list in another order reads on from its last
   * position.
   */
  readonly toFindChanges: CountItem[] = []
  /** The scans of everybody. */
  readonly scans = new ScanLists()

  #walk: number
  /** The events that undo each scan. Two people may undo one scan; it stays undone when one of them is withdrawn. */
  #undoings = new Map<string, Set<string>>()
  /** Scans by piece, earliest first. Scans of other walks and undone ones are included. */
  #byPiece = new Map<number, SortedList<LedgerScan>>()
  /** Scans of pieces by the tablet that made them, earliest first: the way along the boards. */
  #byDevice = new Map<string, SortedList<LedgerScan>>()
  #byBrand = new Map<string, BrandProgress>()
  /** Only for the people whose lists somebody has requested. */
  #byPerson = new Map<number, ScanLists>()
  #people = new PersonTotals()
  /** How each piece stands on the sheet, with the scan that counts for it. */
  #standing = new Map<number, { scan: LedgerScan; as: Standing }>()
  #spare = new Map<number, number>()
  #spareTotal = 0

  constructor(walk = 1) {
    this.#walk = walk
  }

  get walk(): number {
    return this.#walk
  }

  /** Adds expected pieces. Known ones are skipped. */
  addItems(items: Iterable<CountItem>): void {
    const toFind: CountItem[] = []
    for (const item of items) {
      if (this.items.has(item.id_inventory)) continue
      this.items.set(item.id_inventory, item)
      const brand = this.#byBrand.get(item.brand_name) ?? { brand_name: item.brand_name, expected: 0, counted: 0 }
      this.#byBrand.set(item.brand_name, brand)
      brand.expected += 1
      // A scan may arrive before the list of expected pieces.
      if (this.isToFind(item)) toFind.push(item)
      else brand.counted += 1
    }
    this.inShelfOrder.putAll(toFind)
    for (const item of toFind) this.toFindChanges.push(item)
  }

  /** Adds an event, or replaces the device's own reading of it with the server's. */
  add(event: LedgerScan): void {
    const known = this.events.get(event.id)
    if (known) this.#takeOut(known)
    this.events.set(event.id, event)
    for (const lists of this.#listsOf(event)) lists.log.put(event)
    this.#people.note(event)
    if (event.negates !== null) {
      const undoings = this.#undoings.get(event.negates) ?? new Set()
      undoings.add(event.id)
      this.#undoings.set(event.negates, undoings)
      this.#judge(this.events.get(event.negates))
      return
    }
    const piece = pieceOf(event)
    if (piece !== null) {
      putUnder(this.#byPiece, piece, event)
      putUnder(this.#byDevice, event.device_id, event)
    }
    this.#judge(event)
  }

  /** Removes an event. Only for one that was never saved or that its author discarded. */
  remove(id: string): void {
    const event = this.events.get(id)
    if (!event) return
    this.#takeOut(event)
    this.events.delete(id)
    this.#people.noteAgain(event.author_id, this.events.values())
  }

  isUndone(id: string): boolean {
    return this.#undoings.has(id)
  }

  /** Returns true when an event counts: it is a scan of this walk, and nobody undid it. */
  isLive(event: LedgerScan): boolean {
    return event.negates === null && event.walk === this.#walk && !this.#undoings.has(event.id)
  }

  /** Returns true when an expected piece was not counted yet. */
  isToFind(item: Pick<CountItem, 'id_inventory'>): boolean {
    return this.#standing.get(item.id_inventory)?.as !== 'counted'
  }

  /** Returns the scan that counts for a piece: the earliest live one. */
  scanOf(idInventory: number): LedgerScan | null {
    return this.#earliest(idInventory, this.#walk)
  }

  /** Returns how a piece stands through the scan that counts for it; null when nobody scanned it. */
  standingOf(idInventory: number): Exclude<Standing, 'unknown'> | null {
    const as = this.#standing.get(idInventory)?.as
    return as === undefined || as === 'unknown' ? null : as
  }

  /** Returns the outcome of this scan for the screen, given everything known now. */
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
    return this.scans.counted.length
  }
  get setAsideTotal(): number {
    return this.scans.setAside.length
  }
  get unknownTotal(): number {
    return this.scans.unknown.length
  }
  get toFindTotal(): number {
    return this.inShelfOrder.length
  }
  /** How many live scans are of a piece that an earlier scan already counts. */
  get duplicateTotal(): number {
    return this.#spareTotal
  }

  brands(): BrandProgress[] {
    return [...this.#byBrand.values()].sort((a, b) => compareText(a.brand_name, b.brand_name))
  }

  brand(name: string): BrandProgress | undefined {
    return this.#byBrand.get(name)
  }

  /** Returns how many pieces each person has counted (set-aside ones included), and their last activity. Most first. */
  people(): PersonTotal[] {
    return this.#people.list()
  }

  /** Returns how many pieces one person has counted. */
  countedBy(author: number | undefined): number {
    return this.#people.countedBy(author)
  }

  /** Returns the scans of one person. The first call collects them; events then keep them up to date. */
  scansOf(author: number): ScanLists {
    const own = this.#byPerson.get(author) ?? this.scans.by(author)
    this.#byPerson.set(author, own)
    return own
  }

  /** Starts a recount: only scans of the new walk count from now on. The former ones stay in the log. */
  startWalk(walk: number): void {
    if (walk === this.#walk) return
    this.#walk = walk
    for (const id of this.#byPiece.keys()) this.#judgePiece(id)
    for (const event of this.events.values()) this.#judgeCode(event)
  }

  /**
   * Returns the pieces that the same tablet scanned just before and just after this scan. They show where on the board
   * it was.
   */
  neighboursOf(scan: LedgerScan): { before: LedgerScan | null; after: LedgerScan | null } {
    const way = this.#byDevice.get(scan.device_id)
    if (!way) return { before: null, after: null }
    const { place, found } = way.placeOf(scan)
    return { before: way.at(place - 1) ?? null, after: way.at(found ? place + 1 : place) ?? null }
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

  /** Returns the lists that a scan belongs to: everybody's, and its author's once somebody requested those. */
  #listsOf(scan: LedgerScan): ScanLists[] {
    const own = this.#byPerson.get(scan.author_id)
    return own ? [this.scans, own] : [this.scans]
  }

  #judge(event: LedgerScan | undefined): void {
    if (!event) return
    this.#judgeCode(event)
    const piece = pieceOf(event)
    if (piece !== null) this.#judgePiece(piece)
  }

  #judgeCode(event: LedgerScan): void {
    if (event.negates !== null || pieceOf(event) !== null || event.finding === 'model-only') return
    for (const lists of this.#listsOf(event))
      if (this.isLive(event)) lists.put(event, 'unknown')
      else lists.delete(event, 'unknown')
  }

  #judgePiece(id: number): void {
    const before = this.#standing.get(id)
    const scan = this.scanOf(id)
    this.#judgeSpare(id)
    if (before?.scan === (scan ?? undefined)) return
    if (before) {
      for (const lists of this.#listsOf(before.scan)) lists.delete(before.scan, before.as)
      this.#people.credit(before.scan, -1)
      this.#standing.delete(id)
    }
    const as: Standing = scan?.finding === 'expected' ? 'counted' : 'set-aside'
    if (scan) {
      for (const lists of this.#listsOf(scan)) lists.put(scan, as)
      this.#people.credit(scan, 1)
      this.#standing.set(id, { scan, as })
    }
    const item = this.items.get(id)
    if (!item) return
    const wasToFind = before?.as !== 'counted'
    if (wasToFind && !this.isToFind(item)) this.#tick(item, 1)
    if (!wasToFind && this.isToFind(item)) this.#tick(item, -1)
  }

  #tick(item: CountItem, by: 1 | -1): void {
    if (by === 1) this.inShelfOrder.delete(item)
    else this.inShelfOrder.put(item)
    this.toFindChanges.push(item)
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

  #takeOut(event: LedgerScan): void {
    for (const lists of this.#listsOf(event)) lists.log.delete(event)
    if (event.negates !== null) {
      const undoings = this.#undoings.get(event.negates)
      undoings?.delete(event.id)
      if (undoings?.size === 0) this.#undoings.delete(event.negates)
      this.#judge(this.events.get(event.negates))
      return
    }
    const piece = pieceOf(event)
    if (piece === null) {
      for (const lists of this.#listsOf(event)) lists.delete(event, 'unknown')
      return
    }
    this.#byDevice.get(event.device_id)?.delete(event)
    this.#byPiece.get(piece)?.delete(event)
    this.#judgePiece(piece)
  }
}

function putUnder<K>(lists: Map<K, SortedList<LedgerScan>>, key: K, scan: LedgerScan): void {
  const list = lists.get(key) ?? new SortedList<LedgerScan>(earlier)
  list.put(scan)
  lists.set(key, list)
}
