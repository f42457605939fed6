import { beginsAll, numberIn, type PatientQuery } from '#contract/patients/patient-search.ts'
import { compareCodes } from '#src/db/packed/code-column.ts'
import { soonPages } from '#src/db/packed/mirror-records.ts'
import type { Page } from '#src/db/packed/packed-pages.ts'
import { PackedSegment } from '#src/db/packed/packed-segment.ts'
import { PatientKeyLists, type PatientKeys } from '#src/db/mirrors/patient-layout.ts'
import { inOneGo, inSteps } from '#src/db/indexed/slices.ts'
import { TextLines } from '#src/db/packed/text-lines.ts'
import { WordIndex } from '#src/db/packed/word-index.ts'

/** The index of a segment's rows. `starts`: the first row of each page. */
type SegmentIndex = {
  starts: number[]
  keys: PatientKeyLists
  words: WordIndex
  phones: TextLines
  inOrder: Uint32Array
  places: Uint32Array
}

/** Builds the index in steps of a few ms at most. */
function* indexing(pages: readonly Page[]): Generator<undefined, SegmentIndex> {
  const starts: number[] = []
  const keys = new PatientKeyLists()
  for (const page of pages) {
    starts.push(keys.length)
    keys.pushPage(page)
    yield
  }
  const words = new WordIndex(keys.names)
  yield
  const phones = new TextLines(keys.phones)
  const { ids, orders } = keys
  const inOrder = Uint32Array.from(ids.keys()).sort((a, b) => compareCodes(orders[a]!, orders[b]!) || compareCodes(ids[a]!, ids[b]!))
  const places = new Uint32Array(keys.length)
  for (const [place, row] of inOrder.entries()) places[row] = place
  return { starts, keys, words, phones, inOrder, places }
}

/** Some patients, found by the words of their names, their numbers and their birth dates. */
export class PatientSegment extends PackedSegment<string> {
  readonly #keys: PatientKeyLists
  readonly #words: WordIndex
  readonly #phones: TextLines
  /** Row numbers in list order. */
  readonly #inOrder: Uint32Array
  /** The place of each row in list order. */
  readonly #places: Uint32Array
  #rows: Map<string, number> | null = null

  private constructor(pages: readonly Page[], { starts, keys, words, phones, inOrder, places }: SegmentIndex) {
    super(pages, starts, keys.length)
    this.#keys = keys
    this.#words = words
    this.#phones = phones
    this.#inOrder = inOrder
    this.#places = places
  }

  /** Lets other work run while it builds the index. */
  static async of(pages: readonly Page[]): Promise<PatientSegment> {
    const steps = indexing(pages)
    return new PatientSegment(pages, pages.length <= soonPages ? inOneGo(steps) : await inSteps(steps))
  }

  rowOf(id: string): number {
    if (!this.#rows) {
      this.#rows = new Map()
      for (const [row, id] of this.#keys.ids.entries()) this.#rows.set(id, row)
    }
    return this.#rows.get(id) ?? -1
  }

  *ids(): Generator<string> {
    yield* this.#keys.ids
  }

  keysOf(row: number): PatientKeys {
    return this.#keys.at(row)
  }

  /** Live rows whose keys fit the query, in list order. The caller checks the rest of the query. */
  *matching(query: PatientQuery): Generator<number> {
    const everybody = this.#inOrder
    for (const row of this.#candidates(query) ?? everybody) {
      if (this.isLive(row) && fitsKeys(this.#keys.at(row), query)) yield row
    }
  }

  /** The rows with the rarest word, or with the phone number, in list order. Null when they are too many to sort. */
  #candidates({ words, lastName, phone }: PatientQuery): Uint32Array | null {
    let rows: Iterable<number> | null = null
    let fewest = this.#few + 1
    for (const word of [...words, ...lastName]) {
      const withWord = this.#words.rowsBeginning(word)
      if (withWord.length >= fewest) continue
      rows = withWord
      fewest = withWord.length
    }
    // Without its leading zeros, it is a part of every number that has it.
    rows ??= phone === null ? null : this.#rowsWithPhone(phone.replace(/^0+(?=\d)/, ''))
    return rows && Uint32Array.from(new Set(rows)).sort((a, b) => this.#places[a]! - this.#places[b]!)
  }

  #rowsWithPhone(part: string): number[] | null {
    const rows: number[] = []
    for (const row of this.#phones.containing(part)) {
      if (rows.length === this.#few) return null
      rows.push(row)
    }
    return rows
  }

  /** With more rows than this, a pass through all rows in order soon meets the first match. */
  get #few(): number {
    return this.rowCount >>> 4
  }
}

/** Compares keys as `isMatch` does, or less strictly. Ignores the other fields of the query. */
export function fitsKeys(keys: PatientKeys, { words, lastName, dob, bornIn, phone, inactive }: PatientQuery): boolean {
  if (keys.inactive && !inactive) return false
  if (dob !== null && keys.dob !== dob) return false
  if (bornIn !== null && !keys.dob.startsWith(bornIn)) return false
  // Leading zeros of a patient's number do not count.
  if (phone !== null && !keys.phones.includes(phone) && !keys.phones.endsWith(` ${numberIn(phone)}`)) return false
  if (!beginsAll(keys.names, words)) return false
  return lastName.length === 0 || beginsAll(keys.order.slice(0, keys.order.indexOf('\u0001')), lastName)
}

export function compareKeys(a: PatientKeys, b: PatientKeys): number {
  return compareCodes(a.order, b.order) || compareCodes(a.id, b.id)
}
