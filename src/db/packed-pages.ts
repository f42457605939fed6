import type { Frame } from '#contract/frame.ts'
import { frame } from '#contract/frame.ts'
import { gtin14, normaliseCode } from '#contract/codes.ts'

/**
 * Frames packed many to a record: writing a chain's rows one by one takes many times as long, and makes scans wait meanwhile.
 * A page is two texts: the keys, which are all that the index needs at start, and the rows, one line of JSON each, of which
 * only those that are looked at are ever parsed.
 */
const rowsPerPage = 128

export type Tuple = readonly unknown[]

export type StoredText = string | Uint8Array

/**
 * How texts become what lies on the disk. Plain for frames. The one place where encryption of patients goes: every page
 * and every change passes through here on its way out and in, always outside of a transaction, so that both ways
 * may be asynchronous as Web Crypto is.
 */
export type PageCodec = {
  encode(text: string): StoredText | Promise<StoredText>
  decode(stored: StoredText): string | Promise<string>
}

export const plainCodec: PageCodec = {
  encode: (text) => text,
  decode: (stored) => (typeof stored === 'string' ? stored : new TextDecoder().decode(stored)),
}

/** What the index wants to know of the rows of a page; codes are normalised already. */
type PageKeys = { ids: number[]; serials: string[]; skus: string[]; upcs: string[]; stores: number[] }

export type Page = { number: number; keys: string; rows: string }

/** The keys of one row. */
export type RowKeys = { id: number; serial: string; sku: string; upc: string; store: number }

/** The columns that today's app keeps, in the order in which it keeps them. */
export const frameColumns: readonly string[] = Object.keys(frame.entries)

/**
 * A UPC without its leading zeros, so that the same number compares equal however many of them the label, the file or
 * the scanner kept. What is no UPC stays as it is, normalised.
 */
export function upcKey(raw: string): string {
  return (gtin14(raw) ?? normaliseCode(raw)).replace(/^0+(?=\d)/, '')
}

/** The columns in which a set of rows is kept: those of the app that loaded it, which may be an older one. */
export class RowLayout {
  readonly columns: readonly string[]
  readonly #id: number
  readonly #serial: number
  readonly #sku: number
  readonly #upc: number
  readonly #store: number
  readonly #revision: number

  constructor(columns: readonly string[]) {
    this.columns = columns
    const position = (column: keyof Frame) => columns.indexOf(column)
    this.#id = position('id_inventory')
    this.#serial = position('serial')
    this.#sku = position('sku')
    this.#upc = position('upc')
    this.#store = position('store_id')
    this.#revision = position('revision')
  }

  /** @throws TypeError when a row has no number */
  idOf(tuple: Tuple): number {
    const id = tuple[this.#id]
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw new TypeError('A frame without its number came from the server')
    return id
  }

  keysOf(tuple: Tuple): RowKeys {
    const upc = textAt(tuple, this.#upc)
    const store = tuple[this.#store]
    return {
      id: this.idOf(tuple),
      serial: normaliseCode(textAt(tuple, this.#serial)),
      sku: normaliseCode(textAt(tuple, this.#sku)),
      upc: upc === '' ? '' : upcKey(upc),
      store: typeof store === 'number' ? store : 0,
    }
  }

  revisionOf(tuple: Tuple): number {
    const revision = tuple[this.#revision]
    return typeof revision === 'number' ? revision : 0
  }

  toFrame(tuple: Tuple): Frame {
    const row: Record<string, unknown> = {}
    for (const column of frameColumns) row[column] = null
    this.columns.forEach((column, at) => (row[column] = tuple[at] ?? null))
    if (!isFrame(row)) throw new TypeError('A frame on this device cannot be read')
    return row
  }

  /** How rows in the order of `columns` become rows of this layout: unknown columns are left out, missing ones are null. */
  reader(columns: readonly string[]): (row: Tuple) => Tuple {
    if (columns.join() === this.columns.join()) return (row) => row
    const positions = this.columns.map((column) => columns.indexOf(column))
    return (row) => positions.map((position) => (position === -1 ? null : (row[position] ?? null)))
  }
}

export function packPage(number: number, layout: RowLayout, tuples: readonly Tuple[]): Page {
  const keys: PageKeys = { ids: [], serials: [], skus: [], upcs: [], stores: [] }
  for (const tuple of tuples) {
    const row = layout.keysOf(tuple)
    keys.ids.push(row.id)
    keys.serials.push(row.serial)
    keys.skus.push(row.sku)
    keys.upcs.push(row.upc)
    keys.stores.push(row.store)
  }
  return {
    number,
    keys: JSON.stringify([keys.ids, keys.serials, keys.skus, keys.upcs, keys.stores]),
    rows: tuples.map((tuple) => JSON.stringify(tuple)).join('\n'),
  }
}

export function packPages(first: number, layout: RowLayout, tuples: readonly Tuple[]): Page[] {
  const pages: Page[] = []
  for (let from = 0; from < tuples.length; from += rowsPerPage) {
    pages.push(packPage(first + pages.length, layout, tuples.slice(from, from + rowsPerPage)))
  }
  return pages
}

export function readKeys(text: string): PageKeys {
  const [ids, serials, skus, upcs, stores]: [number[], string[], string[], string[], number[]] = JSON.parse(text)
  return { ids, serials, skus, upcs, stores }
}

export function readTuple(line: string): Tuple {
  const tuple: unknown = JSON.parse(line)
  if (!Array.isArray(tuple)) throw new TypeError('A row on this device cannot be read')
  return tuple
}

function isFrame(row: Record<string, unknown>): row is Frame {
  return typeof row.id_inventory === 'number' && typeof row.serial === 'string' && typeof row.sku === 'string'
}

function textAt(tuple: Tuple, position: number): string {
  const value = tuple[position]
  return typeof value === 'string' ? value : ''
}
