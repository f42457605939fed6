import { beginsAll, type PatientQuery } from '#contract/patient-search.ts'
import { CodeColumn, compareCodes } from '#src/db/code-column.ts'
import type { Page } from '#src/db/packed-pages.ts'
import { PackedSegment } from '#src/db/packed-segment.ts'
import { type PatientKeys, readPatientKeys } from '#src/db/patient-layout.ts'
import { inSteps } from '#src/db/slices.ts'

/** By what the rows of a segment are found. `starts`: the first row of each page. */
type SegmentIndex = { starts: number[]; keys: PatientKeys[]; words: CodeColumn; phones: CodeColumn; inOrder: Uint32Array }

/** Made in steps of a few ms at most. */
function* indexing(pages: readonly Page[]): Generator<undefined, SegmentIndex> {
  const starts: number[] = []
  const keys: PatientKeys[] = []
  for (const page of pages) {
    starts.push(keys.length)
    keys.push(...readPatientKeys(page.keys))
    yield
  }
  const words: string[] = []
  const phones: string[] = []
  const ofWord: number[] = []
  const ofPhone: number[] = []
  for (const [row, key] of keys.entries()) {
    for (const word of key.names.split(' ')) {
      words.push(word)
      ofWord.push(row)
    }
    for (const phone of key.phones.split(' ')) {
      phones.push(phone)
      ofPhone.push(row)
    }
  }
  yield
  const wordColumn = new CodeColumn(words, ofWord)
  yield
  const phoneColumn = new CodeColumn(phones, ofPhone)
  yield
  const inOrder = Uint32Array.from(keys.keys()).sort((a, b) => compareKeys(keys[a]!, keys[b]!))
  return { starts, keys, words: wordColumn, phones: phoneColumn, inOrder }
}

/** Some patients, found by the words of their names, their numbers and their birth dates. */
export class PatientSegment extends PackedSegment<string> {
  readonly #keys: readonly PatientKeys[]
  readonly #words: CodeColumn
  readonly #phones: CodeColumn
  /** Rows as they stand in a list. */
  readonly #inOrder: Uint32Array
  #rows: Map<string, number> | null = null

  private constructor(pages: readonly Page[], { starts, keys, words, phones, inOrder }: SegmentIndex) {
    super(pages, starts, keys.length)
    this.#keys = keys
    this.#words = words
    this.#phones = phones
    this.#inOrder = inOrder
  }

  /** Lets others work while the index is made. */
  static async of(pages: readonly Page[]): Promise<PatientSegment> {
    return new PatientSegment(pages, await inSteps(indexing(pages)))
  }

  rowOf(id: string): number {
    this.#rows ??= new Map(this.#keys.map((key, row) => [key.id, row]))
    return this.#rows.get(id) ?? -1
  }

  keysOf(row: number): PatientKeys {
    return this.#keys[row]!
  }

  /** Live rows whose keys fit what is looked for, in the order of a list. What the keys do not tell is for the caller to see. */
  *matching(query: PatientQuery): Generator<number> {
    const candidates = this.#candidates(query)
    if (candidates?.size === 0) return
    for (const row of this.#inOrder) {
      if (candidates !== null && !candidates.has(row)) continue
      if (this.isLive(row) && fitsKeys(this.#keys[row]!, query)) yield row
    }
  }

  /** Rows that the longest word, or the number, leaves over; null when neither is asked for. */
  #candidates({ words, lastName, phone }: PatientQuery): Set<number> | null {
    const [word] = [...words, ...lastName].sort((a, b) => b.length - a.length)
    if (word !== undefined) return rowsOf(this.#words, this.#words.beginning(word))
    return phone === null ? null : rowsOf(this.#phones, this.#phones.containing(phone))
  }
}

function rowsOf(column: CodeColumn, entries: Iterable<number>): Set<number> {
  const rows = new Set<number>()
  for (const entry of entries) rows.add(column.rowAt(entry))
  return rows
}

/** As `isMatch` compares them; the other fields of the query are not looked at. */
export function fitsKeys(keys: PatientKeys, { words, lastName, dob, phone, inactive }: PatientQuery): boolean {
  if (keys.inactive && !inactive) return false
  if (dob !== null && keys.dob !== dob) return false
  if (phone !== null && !keys.phones.includes(phone)) return false
  if (!beginsAll(keys.names, words)) return false
  return lastName.length === 0 || beginsAll(keys.order.slice(0, keys.order.indexOf('\u0001')), lastName)
}

export function compareKeys(a: PatientKeys, b: PatientKeys): number {
  return compareCodes(a.order, b.order) || compareCodes(a.id, b.id)
}
