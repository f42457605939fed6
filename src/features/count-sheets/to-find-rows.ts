import type { CountItem } from '#contract/count-sheets.ts'

/** The orders in which the list of what is to be found can stand. */
export const toFindOrders = {
  shelf: 'By brand and board',
  place: 'By board',
  value: 'Most valuable first',
} as const
export type ToFindOrder = keyof typeof toFindOrders

/** A frame in the list; `head` stands above it where a group begins. */
export type ToFindRow = { item: CountItem; head: string | null; explanation: string | null }

/**
 * What is to be found, in groups: what was sold or moved meanwhile stands apart at the end, since nobody finds it.
 *
 * @param items       still not counted, in the order of the shelves
 * @param explanation why one will not become Missing
 */
export function toFindRows(
  items: readonly CountItem[],
  order: ToFindOrder,
  words: string,
  explanation: (item: CountItem) => string | null,
): { rows: ToFindRow[]; explained: number } {
  const searched = words.trim().toLowerCase()
  const open: CountItem[] = []
  const explained: ToFindRow[] = []
  for (const item of items) {
    const reason = explanation(item)
    if (searched !== '' && !textOf(item).includes(searched)) continue
    if (reason === null) open.push(item)
    else explained.push({ item, head: null, explanation: reason })
  }
  if (order === 'place') open.sort((a, b) => compareText(placeOf(a), placeOf(b)))
  if (order === 'value') open.sort((a, b) => (b.pb_selling_price ?? 0) - (a.pb_selling_price ?? 0))
  let former: string | null = null
  const rows: ToFindRow[] = open.map((item) => {
    const group = groupOf(item, order)
    const head = group === former ? null : group
    former = group
    return { item, head, explanation: null }
  })
  const first = explained[0]
  if (first) first.head = `Explained by movement (${explained.length})`
  return { rows: [...rows, ...explained], explained: explained.length }
}

function groupOf(item: CountItem, order: ToFindOrder): string | null {
  if (order === 'value') return null
  const place = item.board_location ?? 'No board known'
  return order === 'place' ? place : `${item.brand_name} · ${place}`
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
