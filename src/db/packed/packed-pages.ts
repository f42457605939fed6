import { joinLines, type JoinedLines, type RowLines } from '#src/db/packed/row-lines.ts'

/**
 * Many rows are packed into one record: writing a chain's rows one by one takes many times as long, and scans wait
 * meanwhile. A page is two texts. The keys are all that the index needs at start. The rows are one line of JSON each,
 * and only a row that is looked at is parsed.
 */
const rowsPerSegment = 4096

export type Tuple = readonly unknown[]
export type RowId = number | string

export type StoredText = string | Uint8Array

/**
 * How texts are stored on the disk: plain for frames, encrypted for patients. Every page and every change passes
 * through here on its way out and in. That happens outside of a transaction, because Web Crypto is asynchronous.
 */
export type PageCodec = {
  encode(text: string): StoredText | Promise<StoredText>
  decode(stored: StoredText): string | Promise<string>
  /** The codec for pages with joined texts. */
  joined?: JoinedCodec
}

export type JoinedCodec = {
  encode(bytes: Uint8Array<ArrayBuffer>): Promise<SealedPage>
  /** Without `iv`, the iv is at the start of the rows, as older apps kept it. */
  decode(stored: { iv?: Uint8Array; rows: StoredText }): Promise<Uint8Array<ArrayBuffer>>
}

/** The iv is beside the encrypted bytes: putting it in front would copy every page once more. */
export type SealedPage = { iv: Uint8Array; rows: Uint8Array }

export const plainCodec: PageCodec = {
  encode: (text) => text,
  decode: (stored) => (typeof stored === 'string' ? stored : new TextDecoder().decode(stored)),
}

/**
 * The index's keys of the rows of a page. `made` spares the code that just packed the page from reading it back; each
 * layout has its own kind.
 */
export type PageKeys = { keys: string; made?: object }

export type Page = { number: number } & PageKeys & ({ rows: RowLines; joined?: undefined } | JoinedLines)

/** The columns in which a set of rows is kept. The app that loaded it chose them, and may be an older one. */
export abstract class RowLayout<Id extends RowId> {
  readonly columns: readonly string[]
  /** Keeps a page below 64 KB: Chromium puts larger records into files of their own, at several times the cost. */
  readonly rowsPerPage: number = 128
  /** Whether the two texts of a page are joined, to be encrypted as one. */
  readonly joinsPages: boolean = false
  readonly #revision: number

  constructor(columns: readonly string[]) {
    this.columns = columns
    this.#revision = columns.indexOf('revision')
  }

  /** About 4,096 rows. Their index is built in some 10 ms on a desktop, and in four times that on a phone. */
  get pagesPerSegment(): number {
    return Math.floor(rowsPerSegment / this.rowsPerPage)
  }

  /** @throws TypeError when a row has no id */
  abstract idOf(tuple: Tuple): Id

  abstract keysOfPage(tuples: readonly Tuple[]): PageKeys

  revisionOf(tuple: Tuple): number {
    const revision = tuple[this.#revision]
    return typeof revision === 'number' ? revision : 0
  }

  /** Turns rows in the order of `columns` into rows of this layout. Drops unknown columns; missing ones are null. */
  reader(columns: readonly string[]): (row: Tuple) => Tuple {
    if (columns.join() === this.columns.join()) return (row) => row
    const positions = this.columns.map((column) => columns.indexOf(column))
    return (row) => positions.map((position) => (position === -1 ? null : (row[position] ?? null)))
  }
}

export function packPage<Id extends RowId>(number: number, layout: RowLayout<Id>, tuples: readonly Tuple[]): Page {
  const keys = layout.keysOfPage(tuples)
  const rows = tuples.map((tuple) => JSON.stringify(tuple)).join('\n')
  return { number, ...keys, ...(layout.joinsPages ? joinLines(keys.keys, rows) : { rows }) }
}

export function* packPages<Id extends RowId>(first: number, layout: RowLayout<Id>, tuples: readonly Tuple[]): Generator<Page> {
  const { rowsPerPage } = layout
  for (let at = 0; at * rowsPerPage < tuples.length; at++) {
    yield packPage(first + at, layout, tuples.slice(at * rowsPerPage, (at + 1) * rowsPerPage))
  }
}

export function readTuple(line: string): Tuple {
  const tuple: unknown = JSON.parse(line)
  if (!Array.isArray(tuple)) throw new TypeError('A row on this device cannot be read')
  return tuple
}
