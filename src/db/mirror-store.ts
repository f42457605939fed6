import type { PageCodec, Page, RowId, StoredText, Tuple } from '#src/db/packed-pages.ts'
import { IndexedStore, resultOf } from '#src/db/indexed-store.ts'
import { cutLines, textOf } from '#src/db/row-lines.ts'

/** The one record that says what the rest means. It is read and written in every writing transaction. */
export type MirrorState = {
  key: 'state'
  /** Raised by every write, so that another tab knows what it has not seen. */
  sequence: number
  /** The complete set of rows; 0 when there is none yet. */
  generation: number
  /** The last number that was given to a set; never given twice. */
  lastGeneration: number
  columns: string[]
  epoch: string
  cursor: string
  nextPage: number
  /** Raised when pages are rewritten: who remembers an older number must not rewrite any. */
  folds: number
  /** Changes up to this sequence are in the pages. */
  folded: number
  /** A first load or a rebuilding under way; the complete set stays what it was until this one is whole. */
  replacing: Replacing | null
}

export type Replacing = {
  generation: number
  columns: string[]
  epoch: string | null
  cursor: string | null
  nextPage: number
  /** Raised with every part that was stored: who remembers another number does not know all of it. */
  steps: number
  /** Rows that were stored, and about how many there will be. */
  done: number
  total: number
}

/** Where both texts are one, `keys` is empty and `rows` begins with the line of the keys. */
export type StoredPage = { generation: number; number: number; keys: StoredText; rows: StoredText; iv?: Uint8Array }
/** Rows that changed and ids that are gone, with the columns in which they were written. */
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

const everything = ['state', 'pages', 'changes']

export type MirrorStoreOptions = {
  name: string
  indexedDB: IDBFactory
  IDBKeyRange: typeof IDBKeyRange
  codec: PageCodec
}

/** Another tab rebuilds the mirror at this moment; its rows will be there soon. */
export class MirrorBusy extends Error {
  constructor() {
    super('The rows of this device are being rebuilt by another window')
    this.name = 'MirrorBusy'
  }
}

/** The disk of one packed collection: pages, the log of changes over them, and the state with the cursor. */
export class MirrorStore {
  readonly #store: IndexedStore
  readonly #ranges: typeof IDBKeyRange
  readonly #codec: PageCodec

  constructor(options: MirrorStoreOptions) {
    this.#ranges = options.IDBKeyRange
    this.#codec = options.codec
    this.#store = new IndexedStore({
      name: options.name,
      version: 1,
      indexedDB: options.indexedDB,
      upgrade: (database) => {
        database.createObjectStore('state', { keyPath: 'key' })
        database.createObjectStore('pages', { keyPath: ['generation', 'number'] })
        database.createObjectStore('changes', { keyPath: ['generation', 'sequence'] })
      },
    })
  }

  readState(): Promise<MirrorState> {
    return this.#store.transaction(['state'], 'readonly', stateIn)
  }

  /** The state, and the changes over a set of pages after a sequence, of one moment. */
  async readChanges(
    which: (state: MirrorState) => { generation: number; after: number },
  ): Promise<{ state: MirrorState; changes: StoredChanges[] }> {
    const { state, stored } = await this.#store.transaction(['state', 'changes'], 'readonly', async (transaction) => {
      const now = await stateIn(transaction)
      const { generation, after } = which(now)
      const range = this.#ranges.bound([generation, after], [generation, Number.MAX_SAFE_INTEGER], true, false)
      const records: StoredChange[] = await resultOf(transaction.objectStore('changes').getAll(range))
      return { state: now, stored: records }
    })
    const changes: StoredChanges[] = []
    for (const record of stored) {
      const change: StoredChanges = JSON.parse(await this.#codec.decode(record.text))
      changes.push(change)
    }
    return { state, changes }
  }

  /** Up to `count` pages of a set, from a page number on. */
  async readPages(generation: number, from: number, count: number): Promise<Page[]> {
    const range = this.#ranges.bound([generation, from], [generation, Number.MAX_SAFE_INTEGER])
    const stored = await this.#store.transaction(['pages'], 'readonly', (transaction) => {
      const request: IDBRequest<StoredPage[]> = transaction.objectStore('pages').getAll(range, count)
      return resultOf(request)
    })
    return await Promise.all(stored.map(async (page) => ({ number: page.number, ...(await this.#decodePage(page)) })))
  }

  /** Null when nothing changed. */
  async encodeChange(change: { rows: Tuple[]; removed: readonly RowId[] }, columns: readonly string[]): Promise<StoredText | null> {
    if (change.rows.length === 0 && change.removed.length === 0) return null
    return this.#codec.encode(JSON.stringify({ ...change, columns }))
  }

  async encodePage(generation: number, { number, keys, rows, joined }: Page): Promise<StoredPage> {
    const codec = this.#codec
    if (codec.joined && joined) return { generation, number, keys: '', ...(await codec.joined.encode(joined)) }
    return { generation, number, keys: await codec.encode(keys), rows: await codec.encode(textOf(rows)) }
  }

  /** Pages that an older app kept as two texts are read as well. */
  async #decodePage(stored: StoredPage): Promise<Pick<Page, 'keys' | 'rows'>> {
    const codec = this.#codec
    if (codec.joined && stored.keys === '') return cutLines(await codec.joined.decode(stored))
    const [keys, rows] = await Promise.all([codec.decode(stored.keys), codec.decode(stored.rows)])
    return { keys, rows }
  }

  /**
   * One writing transaction. `work` is given the state as it is on the disk and a pen, and returns the state as it shall
   * be; what it throws undoes everything. Returns the state that was written.
   *
   * @param given called when all of it lies with the browser, and only the disk is waited for
   */
  write(work: (state: MirrorState, pen: MirrorPen) => MirrorState, given = () => {}): Promise<MirrorState> {
    return this.#store.transaction(everything, 'readwrite', async (transaction) => {
      const before = await stateIn(transaction)
      const pages = transaction.objectStore('pages')
      const changes = transaction.objectStore('changes')
      const ofGeneration = (generation: number, through = Number.MAX_SAFE_INTEGER) =>
        this.#ranges.bound([generation, 0], [generation, through])
      const pen: MirrorPen = {
        putPage: (page) => void pages.put(page),
        deletePage: (generation, number) => void pages.delete([generation, number]),
        putChange: (change) => void changes.put(change),
        deleteChanges: (generation, through) => void changes.delete(ofGeneration(generation, through)),
        deleteGeneration: (generation) => {
          pages.delete(ofGeneration(generation))
          changes.delete(ofGeneration(generation))
        },
        clear: () => {
          pages.clear()
          changes.clear()
        },
      }
      const after = { ...work(before, pen), sequence: before.sequence + 1 }
      transaction.objectStore('state').put(after)
      given()
      return after
    })
  }

  close(): void {
    this.#store.close()
  }
}

export type MirrorPen = {
  putPage(page: StoredPage): void
  deletePage(generation: number, number: number): void
  putChange(change: StoredChange): void
  deleteChanges(generation: number, through: number): void
  deleteGeneration(generation: number): void
  clear(): void
}

async function stateIn(transaction: IDBTransaction): Promise<MirrorState> {
  const request: IDBRequest<MirrorState | undefined> = transaction.objectStore('state').get('state')
  return (await resultOf(request)) ?? emptyState
}
