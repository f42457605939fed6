import { csv, type CsvColumn } from '#contract/core/csv.ts'
import type { FileTable } from './read-file.ts'

/** A row that was not imported, with the reasons. */
export type Skipped = { line: number; why: string }

/** Returns the skipped rows as a file to correct: the columns of the chosen file, and one with the reasons. */
export function skippedRows({ headers, lines }: FileTable, skipped: readonly Skipped[]): string {
  const whys = new Map<number, string[]>()
  for (const { line, why } of skipped) whys.set(line, [...(whys.get(line) ?? []), why])
  const rows = lines.flatMap(({ line, cells }) => {
    const reasons = whys.get(line)
    return reasons ? [{ cells, why: reasons.join('; ') }] : []
  })
  type Row = (typeof rows)[number]
  const columns = headers.map((header, at): CsvColumn<Row> => [header, (row) => row.cells[at] ?? ''])
  return csv([...columns, ['Problem', (row) => row.why]], rows)
}
