import Papa from 'papaparse'

const mostBytes = 20 * 1024 * 1024
const mostRows = 50_000

/** A row and the line where it starts in the file. The first line is 1. */
export type Line = { line: number; cells: string[]; problem: string | null }
export type FileTable = { headers: string[]; lines: Line[]; encoding: string }

/** The file cannot be read as a table. The user sees the message. */
export class UnreadableFile extends Error {}

/** @throws UnreadableFile */
export async function readFile(file: Pick<Blob, 'size' | 'arrayBuffer'>): Promise<FileTable> {
  if (file.size > mostBytes) throw new UnreadableFile('This file is larger than 20 MB. Split it and try again.')
  const { text, encoding } = decoded(new Uint8Array(await file.arrayBuffer()))
  return { ...readTable(text), encoding }
}

/** @throws UnreadableFile */
export function readTable(text: string): Pick<FileTable, 'headers' | 'lines'> {
  if (text.includes('\u0000')) throw new UnreadableFile('This isn’t a CSV file. Open it in a spreadsheet program and save it as CSV.')
  const lines: Line[] = []
  let at = 0
  let line = 1
  Papa.parse<string[]>(text, {
    delimiter: separatorOf(text),
    step({ data, errors, meta }) {
      const problem = errors.some(({ type }) => type === 'Quotes') ? 'The quotation marks in this row don’t match' : null
      if (data.some((cell) => cell.trim() !== '')) lines.push({ line, cells: data, problem })
      line += newlines(text, at, meta.cursor)
      at = meta.cursor
    },
  })
  const [head, ...rows] = lines
  if (!head || rows.length === 0) throw new UnreadableFile('This file has no rows below the header.')
  if (rows.length > mostRows) throw new UnreadableFile('This file has more than 50,000 rows. Split it and try again.')
  const headers = head.cells.map((cell) => cell.trim())
  for (const row of rows) {
    if (row.cells.slice(headers.length).some((cell) => cell.trim() !== '')) row.problem ??= 'This row has more columns than the header'
  }
  return { headers, lines: rows }
}

/** Returns the most frequent separator of the header. Rows prove less: their text may hold any character. */
function separatorOf(text: string): string {
  const head = /^\s*(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0].replaceAll(/"(?:[^"]|"")*"/g, '') ?? ''
  const counted = [',', ';', '\t', '|'].map((separator) => ({ separator, count: head.split(separator).length }))
  return counted.reduce((most, other) => (other.count > most.count ? other : most)).separator
}

function newlines(text: string, from: number, to: number): number {
  return text.slice(from, to).match(/\r\n|\n|\r/g)?.length ?? 0
}

function decoded(bytes: Uint8Array): { text: string; encoding: string } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    // Spreadsheet programs on Windows write this by default.
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
  }
}
