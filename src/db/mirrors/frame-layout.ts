import { gtin14, normaliseCode } from '#contract/core/codes.ts'
import type { Frame } from '#contract/stock/frame.ts'
import { frame } from '#contract/stock/frame.ts'
import type { PageKeys, Tuple } from '#src/db/packed/packed-pages.ts'
import { RowLayout } from '#src/db/packed/packed-pages.ts'

/** The index's keys of the rows of a page, in row order. Codes are normalized already. */
class FrameKeysOfPage {
  readonly ids: number[] = []
  readonly serials: string[] = []
  readonly skus: string[] = []
  readonly upcs: string[] = []
  readonly stores: number[] = []
}

/** The keys of one row. */
export type FrameKeys = { id: number; serial: string; sku: string; upc: string; store: number }

/** The columns that today's app keeps, in its order. */
export const frameColumns: readonly string[] = Object.keys(frame.entries)

/**
 * A UPC without its leading zeros. The same number then compares equal however many zeros the label, the file or the
 * scanner kept. A code that is not a UPC is only normalized.
 */
export function upcKey(raw: string): string {
  return (gtin14(raw) ?? normaliseCode(raw)).replace(/^0+(?=\d)/, '')
}

export class FrameLayout extends RowLayout<number> {
  readonly #id: number
  readonly #serial: number
  readonly #sku: number
  readonly #upc: number
  readonly #store: number

  constructor(columns: readonly string[] = frameColumns) {
    super(columns)
    const position = (column: keyof Frame) => columns.indexOf(column)
    this.#id = position('id_inventory')
    this.#serial = position('serial')
    this.#sku = position('sku')
    this.#upc = position('upc')
    this.#store = position('store_id')
  }

  idOf(tuple: Tuple): number {
    const id = tuple[this.#id]
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw new TypeError('A frame without its number came from the server')
    return id
  }

  keysOf(tuple: Tuple): FrameKeys {
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

  keysOfPage(tuples: readonly Tuple[]): PageKeys {
    const keys = new FrameKeysOfPage()
    for (const tuple of tuples) {
      const row = this.keysOf(tuple)
      keys.ids.push(row.id)
      keys.serials.push(row.serial)
      keys.skus.push(row.sku)
      keys.upcs.push(row.upc)
      keys.stores.push(row.store)
    }
    return { keys: JSON.stringify([keys.ids, keys.serials, keys.skus, keys.upcs, keys.stores]), made: keys }
  }

  toFrame(tuple: Tuple): Frame {
    const row: Record<string, unknown> = {}
    for (const column of frameColumns) row[column] = null
    this.columns.forEach((column, at) => (row[column] = tuple[at] ?? null))
    if (!isFrame(row)) throw new TypeError('A frame on this device cannot be read')
    return row
  }
}

export function readKeys({ keys, made }: PageKeys): FrameKeysOfPage {
  if (made instanceof FrameKeysOfPage) return made
  const [ids, serials, skus, upcs, stores]: [number[], string[], string[], string[], number[]] = JSON.parse(keys)
  return { ids, serials, skus, upcs, stores }
}

function isFrame(row: Record<string, unknown>): row is Frame {
  return typeof row.id_inventory === 'number' && typeof row.serial === 'string' && typeof row.sku === 'string'
}

function textAt(tuple: Tuple, position: number): string {
  const value = tuple[position]
  return typeof value === 'string' ? value : ''
}
