import type { CountItem } from '#contract/counts/count-sheets.ts'
import { type CountLedger, shelfOrder } from '#contract/counts/count-ledger.ts'
import { type Rows, SortedList } from '#contract/core/sorted-list.ts'

/** The orders of the list To find. */
export const toFindOrders = {
  shelf: 'By brand and board',
  place: 'By board',
  value: 'Most valuable first',
} as const
export type ToFindOrder = keyof typeof toFindOrders

const compare: Record<ToFindOrder, (a: CountItem, b: CountItem) => number> = {
  shelf: shelfOrder,
  place: (a, b) => compareText(placeOf(a), placeOf(b)) || shelfOrder(a, b),
  value: (a, b) => (b.pb_selling_price ?? 0) - (a.pb_selling_price ?? 0) || shelfOrder(a, b),
}

/**
 * The frames to find, in groups. Frames that were sold or moved meanwhile are apart at the end, because nobody can find
 * them. The list is sorted once. After that it only removes counted frames and puts undone ones back.
 */
export class ToFindRows implements Rows<CountItem> {
  readonly #ledger: CountLedger
  readonly #order: ToFindOrder
  readonly #searched: string
  readonly #moved: ReadonlyMap<number, string>
  readonly #open: SortedList<CountItem>
  readonly #explained: SortedList<CountItem>
  /** The number of the ledger's changes that this list has read. */
  #read: number

  /**
   * @param words text that the name, the tag or the board must contain
   * @param moved why a piece will not become Missing, by id_inventory
   */
  constructor(ledger: CountLedger, order: ToFindOrder, words: string, moved: ReadonlyMap<number, string>) {
    this.#ledger = ledger
    this.#order = order
    this.#searched = words.trim().toLowerCase()
    this.#moved = moved
    this.#read = ledger.toFindChanges.length
    const items = ledger.inShelfOrder.toArray().filter((item) => this.#isShown(item))
    this.#open = new SortedList(
      compare[order],
      items.filter((item) => !moved.has(item.id_inventory)),
    )
    this.#explained = new SortedList(
      shelfOrder,
      items.filter((item) => moved.has(item.id_inventory)),
    )
  }

  get length(): number {
    this.#readOn()
    return this.#open.length + this.#explained.length
  }

  get changes(): number {
    this.#readOn()
    return this.#open.changes + this.#explained.changes
  }

  at(place: number): CountItem | undefined {
    this.#readOn()
    return this.#open.at(place) ?? this.#explained.at(place - this.#open.length)
  }

  /** Returns the group head above a piece, or null when it does not start a group. */
  headAt(place: number): string | null {
    this.#readOn()
    const item = this.#open.at(place)
    if (!item) return place === this.#open.length ? `Moved or sold during the count (${this.#explained.length})` : null
    const group = this.#groupOf(item)
    const former = this.#open.at(place - 1)
    return former && this.#groupOf(former) === group ? null : group
  }

  /** Returns why a piece will not become Missing, or null when it is to be found. */
  explanationOf(item: CountItem): string | null {
    return this.#moved.get(item.id_inventory) ?? null
  }

  #readOn(): void {
    const { toFindChanges } = this.#ledger
    for (; this.#read < toFindChanges.length; this.#read++) {
      const item = toFindChanges[this.#read]
      if (!item || !this.#isShown(item)) continue
      const list = this.#moved.has(item.id_inventory) ? this.#explained : this.#open
      if (this.#ledger.isToFind(item)) list.put(item)
      else list.delete(item)
    }
  }

  #isShown(item: CountItem): boolean {
    return this.#searched === '' || textOf(item).includes(this.#searched)
  }

  #groupOf(item: CountItem): string | null {
    if (this.#order === 'value') return null
    const place = item.board_location ?? 'No board'
    return this.#order === 'place' ? place : `${item.brand_name} · ${place}`
  }
}

function placeOf(item: CountItem): string {
  return item.board_location ?? '\uffff'
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function textOf(item: CountItem): string {
  return `${item.brand_name} ${item.title_product} ${item.title_variant} ${item.sku} ${item.serial} ${item.board_location ?? ''}`.toLowerCase()
}
