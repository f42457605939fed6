import type { PaperDocument } from '#contract/core/paper-document.ts'
import type { CountLine, CountSheet } from '#contract/counts/count-sheets.ts'
import { checklist } from '#src/domain/print/checklist.ts'
import { formatDateTime, formatMoney } from '#src/ui/format.ts'

export const outcomeNames: Record<CountLine['outcome'], string> = {
  missing: 'Missing',
  'set-aside': 'Exceptions',
  unknown: 'Unknown',
  explained: 'Explained',
  counted: 'Counted',
}

/** Returns a list of a closed count for paper. */
export function closedSheetPaper(
  { number, closed_at }: Pick<CountSheet, 'number' | 'closed_at'>,
  outcome: CountLine['outcome'],
  lines: readonly CountLine[],
  timeZone: string | undefined,
): PaperDocument {
  return checklist({
    title: `Count #${number ?? ''}: ${outcomeNames[outcome]}`,
    note: closed_at && `Closed ${formatDateTime(closed_at, timeZone)}`,
    ticked: 'Found',
    columns: [{ head: 'Tag' }, { head: 'Frame' }, { head: 'Size' }, { head: 'What happened' }, { head: 'Price', as: 'amount' }],
    rows: lines.map((line) => ({
      head: null,
      cells: [
        line.sku ?? line.raw_code ?? '',
        [line.brand_name, line.title_product, line.title_variant].filter(Boolean).join(' '),
        line.size ?? '',
        [outcomeNames[line.outcome], line.detail, line.reason].filter(Boolean).join(' · '),
        line.price === null ? '–' : formatMoney(line.price),
      ],
    })),
  })
}
