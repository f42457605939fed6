/** A column of a CSV file: its name, and how a row fills it. */
export type CsvColumn<Row> = readonly [name: string, read: (row: Row) => string | number | null]

/** A file for a spreadsheet: RFC 4180, with a byte order mark that says the text is UTF-8. */
export function csv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return csvHead(columns) + csvRows(columns, rows)
}

/** The beginning of a file that is written in parts. `csvRows` writes the parts that follow. */
export function csvHead<Row>(columns: readonly CsvColumn<Row>[]): string {
  return `\ufeff${line(columns.map(([name]) => cell(name)))}`
}

export function csvRows<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return rows.map((row) => line(columns.map(([, read]) => cell(read(row))))).join('')
}

/** Whole cents as a spreadsheet's number: `129.00`. */
export function csvMoney(cents: number | null): string | null {
  return cents === null ? null : (cents / 100).toFixed(2)
}

const line = (cells: readonly string[]) => `${cells.join(',')}\r\n`

/** Spreadsheets run a cell that begins with one of these; the last four are full-width. */
const formula = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

function cell(value: string | number | null): string {
  if (value === null) return ''
  let text = String(value)
  // A scanned code can begin with any character.
  if (formula.test(text)) text = `'${text}`
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
