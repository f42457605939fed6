import { csv, type CsvColumn, csvMoney } from '#contract/core/csv.ts'
import type { CountLine } from '#contract/counts/count-sheets.ts'

export type CsvChoice = 'all' | 'differences' | 'missing'

const columns: readonly CsvColumn<CountLine>[] = [
  ['sku', (line) => line.sku],
  ['serial', (line) => line.serial],
  ['upc', (line) => line.upc],
  ['brand', (line) => line.brand_name],
  ['model', (line) => line.title_product],
  ['color', (line) => line.title_variant],
  ['size', (line) => line.size],
  ['code', (line) => line.raw_code],
  ['expected_store', (line) => line.expected_store ?? null],
  ['expected', (line) => (line.expected ? 'yes' : 'no')],
  ['expected_status', (line) => line.expected_status],
  ['outcome', (line) => line.outcome],
  ['detail', (line) => line.detail],
  ['counted_by', (line) => line.counted_by],
  ['counted_at', (line) => line.counted_at],
  ['device', (line) => line.device ?? null],
  ['decision', (line) => line.decision],
  ['reason', (line) => line.reason],
  ['price', (line) => csvMoney(line.price)],
]

/** Only in the files of users who may see costs. */
const costColumn = ['cost', (line: CountLine) => csvMoney(line.cost ?? null)] as const

/** Returns the chosen lines as a CSV file. */
export function sheetCsv(lines: readonly CountLine[], choice: CsvChoice, withCost = false): string {
  const chosen = lines.filter((line) =>
    choice === 'all' ? true : choice === 'missing' ? line.outcome === 'missing' : line.outcome !== 'counted' || line.effect !== 'none',
  )
  return csv(withCost ? [...columns, costColumn] : columns, chosen)
}
