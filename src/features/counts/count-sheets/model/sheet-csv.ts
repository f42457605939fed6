import type { CountLine } from '#contract/counts/count-sheets.ts'

export type CsvChoice = 'all' | 'differences' | 'missing'

const columns: readonly (readonly [string, (line: CountLine) => string | number | null])[] = [
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
  ['price', (line) => inCurrency(line.price)],
]

/** Only in the files of those to whom the server tells costs. */
const costColumn = ['cost', (line: CountLine) => inCurrency(line.cost ?? null)] as const

function inCurrency(cents: number | null): string | null {
  return cents === null ? null : (cents / 100).toFixed(2)
}

/** The lines as a file for a spreadsheet: RFC 4180, with a mark by which it knows that the text is UTF-8. */
export function sheetCsv(lines: readonly CountLine[], choice: CsvChoice, withCost = false): string {
  const shown = withCost ? [...columns, costColumn] : columns
  const chosen = lines.filter((line) =>
    choice === 'all' ? true : choice === 'missing' ? line.outcome === 'missing' : line.outcome !== 'counted' || line.effect !== 'none',
  )
  const rows = [shown.map(([name]) => name), ...chosen.map((line) => shown.map(([, read]) => cell(read(line))))]
  return `\ufeff${rows.map((row) => row.join(',')).join('\r\n')}\r\n`
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  let text = String(value)
  // A spreadsheet would run what begins like a formula; a code that was scanned may begin like anything.
  if (/^[=+\-@\t\r]/.test(text)) text = `'${text}`
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
