import type { RowId, StoredText, Tuple } from '#src/db/packed/packed-pages.ts'
import { resultOf } from '#src/db/indexed/request.ts'

/** The record that describes all others. Every writing transaction reads and writes it. */
export type MirrorState = {
  key: 'state'
  /** Raised by every write, so that another tab can tell that it missed one. */
  sequence: number
  /** The number of the complete set of rows; 0 when there is none yet. */
  generation: number
  /** The last number given to a set. No number is used twice. */
  lastGeneration: number
  columns: string[]
  epoch: string
  cursor: string
  nextPage: number
  /** Raised when pages are rewritten. A tab that remembers an older number must not rewrite any. */
  folds: number
  /** The pages contain the changes through this sequence. */
  folded: number
  /** A first load or a rebuild under way. The complete set stays unchanged until this one is whole. */
  replacing: Replacing | null
}

export type Replacing = {
  generation: number
  columns: string[]
  epoch: string | null
  cursor: string | null
  nextPage: number
  /** Raised with every stored part. A tab that remembers another number has missed a part. */
  steps: number
  /** Stored rows so far, and the estimated total. */
  done: number
  total: number
}

/** When both texts are joined, `keys` is empty and `rows` begins with the line of the keys. */
export type StoredPage = { generation: number; number: number; keys: StoredText; rows: StoredText; iv?: Uint8Array }
/** Changed rows and removed ids, with the columns of those rows. */
export type StoredChanges = { rows: Tuple[]; removed: RowId[]; columns: string[] }
export type StoredChange = { generation: number; sequence: number; text: StoredText }

export const emptyState: MirrorState = {
  key: 'state',
  sequence: 0,
  generation: 0,
  lastGeneration: 0,
  columns: [],
  epoch: '',
  cursor: '',
  nextPage: 0,
  folds: 0,
  folded: 0,
  replacing: null,
}

export const everything = ['state', 'pages', 'changes']

/** How many pages are read first when a user may wait for the first answer: some hundred rows, a tenth of a segment. */
export const soonPages = 4

export function changesIn(
  transaction: IDBTransaction,
  ranges: typeof IDBKeyRange,
  generation: number,
  after: number,
): Promise<StoredChange[]> {
  const range = ranges.bound([generation, after], [generation, Number.MAX_SAFE_INTEGER], true, false)
  const request: IDBRequest<StoredChange[]> = transaction.objectStore('changes').getAll(range)
  return resultOf(request)
}

export function pagesIn(
  transaction: IDBTransaction,
  ranges: typeof IDBKeyRange,
  generation: number,
  from: number,
  count: number,
): Promise<StoredPage[]> {
  const range = ranges.bound([generation, from], [generation, Number.MAX_SAFE_INTEGER])
  const request: IDBRequest<StoredPage[]> = transaction.objectStore('pages').getAll(range, count)
  return resultOf(request)
}

/** The state, the changes over the complete set and its first pages, still encoded. */
export type FirstRecords = { state: MirrorState; changes: StoredChange[]; pages: StoredPage[] }

export async function firstRecordsIn(transaction: IDBTransaction, ranges: typeof IDBKeyRange, count: number): Promise<FirstRecords> {
  const state = await stateIn(transaction)
  const [changes, pages] = await Promise.all([
    changesIn(transaction, ranges, state.generation, state.folded),
    pagesIn(transaction, ranges, state.generation, 0, count),
  ])
  return { state, changes, pages }
}

/** An open database of a mirror, and the read under way. The mirror takes over both when it opens. */
export type BegunReading = { database: IDBDatabase; records: Promise<FirstRecords> }

export async function stateIn(transaction: IDBTransaction): Promise<MirrorState> {
  const request: IDBRequest<MirrorState | undefined> = transaction.objectStore('state').get('state')
  return (await resultOf(request)) ?? emptyState
}
