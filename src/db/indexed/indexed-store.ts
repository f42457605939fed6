import { StorageClosed } from '#src/db/indexed/request.ts'

/**
 * A thin cover over one IndexedDB database. Its transactions are promises that resolve when the data is committed. Its
 * connection steps aside for an upgrade by another tab, and reopens after the browser closed it.
 */
type IndexedStoreOptions = {
  name: string
  version: number
  indexedDB: IDBFactory
  upgrade: (database: IDBDatabase, transaction: IDBTransaction, oldVersion: number) => void
  /** A connection that the caller has opened already. This store owns it from now on. */
  opened?: IDBDatabase | undefined
}

export class IndexedStore {
  readonly #options: IndexedStoreOptions
  #connection: Promise<IDBDatabase> | null = null
  #closed = false
  readonly #running = new Set<IDBTransaction>()

  constructor(options: IndexedStoreOptions) {
    this.#options = options
    const { opened, version } = options
    if (opened?.version === version) this.#connection = Promise.resolve(this.#adopt(opened))
    else opened?.close()
  }

  /**
   * Runs `work` in one transaction and resolves with its result. A write resolves once everything is committed. When
   * `work` throws or the browser aborts, nothing is kept and the promise rejects with the reason. Inside `work`, await
   * requests of this transaction only.
   */
  async transaction<T>(stores: string[], mode: 'readonly' | 'readwrite', work: (transaction: IDBTransaction) => Promise<T>): Promise<T> {
    const transaction = await this.#begin(stores, mode)
    this.#running.add(transaction)
    const committed = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new StorageClosed())
    }).finally(() => this.#running.delete(transaction))
    // Its rejection is awaited below. When `work` fails first, this rejection must not count as unhandled.
    committed.catch(() => undefined)
    let result: T
    try {
      result = await work(transaction)
    } catch (error) {
      abort(transaction)
      throw error
    }
    // A read result is valid before the transaction has ended.
    if (mode === 'readonly') return result
    commit(transaction)
    await committed
    return result
  }

  /** Undoes what is not committed: the transaction of a frozen page would block every other page. */
  close(): void {
    this.#closed = true
    for (const transaction of this.#running) abort(transaction)
    const connection = this.#connection
    this.#connection = null
    connection?.then(
      (database) => database.close(),
      () => undefined,
    )
  }

  async #begin(stores: string[], mode: 'readonly' | 'readwrite'): Promise<IDBTransaction> {
    // Relaxed is right here: rows and cursor share a transaction. What a power cut takes away is pulled again.
    const options: IDBTransactionOptions = { durability: 'relaxed' }
    const database = await this.#open()
    try {
      return database.transaction(stores, mode, options)
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'InvalidStateError') throw error
      // The browser closed the connection (memory pressure on a tablet): open it again, once.
      this.#connection = null
      return (await this.#open()).transaction(stores, mode, options)
    }
  }

  #open(): Promise<IDBDatabase> {
    if (this.#closed) return Promise.reject(new StorageClosed())
    this.#connection ??= this.#connect().catch((error: unknown) => {
      this.#connection = null
      throw error
    })
    return this.#connection
  }

  #connect(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const request = this.#options.indexedDB.open(this.#options.name, this.#options.version)
      request.onupgradeneeded = (event) => {
        if (request.transaction) this.#options.upgrade(request.result, request.transaction, event.oldVersion)
      }
      request.onerror = () => reject(request.error ?? new StorageClosed())
      request.onsuccess = () => resolve(this.#adopt(request.result))
    })
  }

  #adopt(database: IDBDatabase): IDBDatabase {
    database.onversionchange = () => {
      // A newer app wants to upgrade. An open connection would block it for as long as this tab lives.
      this.#closed = true
      database.close()
    }
    database.onclose = () => {
      this.#connection = null
    }
    return database
  }
}

/** Asks the browser to commit at once. Without this it first answers the requests. */
function commit(transaction: IDBTransaction): void {
  try {
    transaction.commit()
  } catch {
    // The transaction has ended already, or was aborted.
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // The transaction has ended already.
  }
}
