import type { PaperDocument } from '#contract/core/paper-document.ts'
import { sizeOf } from '#contract/stock/frame.ts'
import { checklist } from '#src/domain/print/checklist.ts'
import { formatDate, formatMoney } from '#src/ui/format.ts'
import type { ToFindRows } from './to-find-rows.ts'

/** Returns the frames to find for paper, in the order and groups of the screen. */
export function toFindPaper(title: string, list: ToFindRows, filter: string, timeZone: string | undefined): PaperDocument {
  const items = Array.from({ length: list.length }, (_, place) => list.at(place)).filter((item) => item !== undefined)
  return checklist({
    title,
    note: filter.trim() === '' ? null : `Filtered by “${filter.trim()}”`,
    ticked: 'Found',
    columns: [
      { head: 'Tag' },
      { head: 'Frame' },
      { head: 'Size' },
      { head: 'Board' },
      { head: 'Price', as: 'amount' },
      { head: 'Last seen' },
    ],
    rows: items.map((item, place) => ({
      head: list.headAt(place),
      cells: [
        item.sku,
        [item.brand_name, item.title_product, item.title_variant].join(' '),
        sizeOf(item) ?? '–',
        list.explanationOf(item) ?? item.board_location ?? '–',
        item.pb_selling_price === null ? '–' : formatMoney(item.pb_selling_price),
        item.last_seen_at ? formatDate(item.last_seen_at, timeZone) : 'never',
      ],
    })),
  })
}
