import type { PageCodec, Page, RowId, StoredText, Tuple } from '#src/db/packed/packed-pages.ts'
import { IndexedStore } from '#src/db/indexed/indexed-store.ts'
import {
  type BegunReading,
  changesIn,
  everything,
  type FirstRecords,
  firstRecordsIn,
  type MirrorState,
  pagesIn,
  stateIn,
  type StoredChange,
  type StoredChanges,
  type StoredPage,
} from '#src/db/packed/mirror-records.ts'
import { cutLines, textOf } from '#src/db/packed/row-lines.ts'

export type MirrorStoreOptions = {
  name: string
  indexedDB: IDBFactory
  IDBKeyRange: typeof IDBKeyRange
  codec: PageCodec
  begun?: BegunReading | undefined
}

/** Another tab is rebuilding the mirror. Its rows will be there soon. */
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
  /** Records that the caller has read before; good for the first read only. */
  #begun: Promise<FirstRecords> | null

  constructor(options: MirrorStoreOptions) {
    this.#ranges = options.IDBKeyRange
    this.#codec = options.codec
    this.#begun = options.begun?.records ?? null
    this.#store = new IndexedStore({
      name: options.name,
      version: 1,
      indexedDB: options.indexedDB,
      opened: options.begun?.database,
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

  /** The state, and a set's changes after a sequence, read in one transaction. */
  async readChanges(
    which: (state: MirrorState) => { generation: number; after: number },
  ): Promise<{ state: MirrorState; changes: StoredChanges[] }> {
    const { state, stored } = await this.#store.transaction(['state', 'changes'], 'readonly', async (transaction) => {
      const now = await stateIn(transaction)
      const { generation, after } = which(now)
      return { state: now, stored: await changesIn(transaction, this.#ranges, generation, after) }
    })
    return { state, changes: await this.#decodeChanges(stored) }
  }

  /** The state, the changes over the complete set, and its first pages, read in one transaction. */
  async readFirst(count: number): Promise<{ state: MirrorState; changes: StoredChanges[]; pages: Page[] }> {
    const begun = this.#begun
    this.#begun = null
    const read = () => this.#store.transaction(everything, 'readonly', (transaction) => firstRecordsIn(transaction, this.#ranges, count))
    const { state, ...stored } = await (begun?.catch(read) ?? read())
    return { state, changes: await this.#decodeChanges(stored.changes), pages: await this.#decodePages(stored.pages) }
  }

  /** Up to `count` pages of a set, starting at a page number. */
  async readPages(generation: number, from: number, count: number): Promise<Page[]> {
    const stored = await this.#store.transaction(['pages'], 'readonly', (transaction) =>
      pagesIn(transaction, this.#ranges, generation, from, count),
    )
    return await this.#decodePages(stored)
  }

  async #decodeChanges(stored: readonly StoredChange[]): Promise<StoredChanges[]> {
    const changes: StoredChanges[] = []
    for (const record of stored) {
      const change: StoredChanges = JSON.parse(await this.#codec.decode(record.text))
      changes.push(change)
    }
    return changes
  }

  async #decodePages(stored: readonly StoredPage[]): Promise<Page[]> {
    return await Promise.all(stored.map(async (page) => ({ number: page.number, ...(await this.#decodePage(page)) })))
  }

  /** Returns null when nothing changed. */
  async encodeChange(change: { rows: Tuple[]; removed: readonly RowId[] }, columns: readonly string[]): Promise<StoredText | null> {
    if (change.rows.length === 0 && change.removed.length === 0) return null
    return this.#codec.encode(JSON.stringify({ ...change, columns }))
  }

  async encodePage(generation: number, { number, keys, rows, joined }: Page): Promise<StoredPage> {
    const codec = this.#codec
    if (codec.joined && joined) return { generation, number, keys: '', ...(await codec.joined.encode(joined)) }
    return { generation, number, keys: await codec.encode(keys), rows: await codec.encode(textOf(rows)) }
  }

  /** Also reads pages that an older app kept as two texts. */
  async #decodePage(stored: StoredPage): Promise<Pick<Page, 'keys' | 'rows'>> {
    const codec = this.#codec
    if (codec.joined && stored.keys === '') return cutLines(await codec.joined.decode(stored))
    const [keys, rows] = await Promise.all([codec.decode(stored.keys), codec.decode(stored.rows)])
    return { keys, rows }
  }

  /**
   * Runs one writing transaction. `work` gets the state on the disk and a pen, and returns the new state. When it
   * throws, everything is undone. Returns the state that was written.
   *
   * @param given called when the browser has all of the data and only the disk is left to wait for
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
