import { IDBDatabase, IDBFactory, IDBObjectStore, IDBRequest, IDBTransaction, forceCloseDatabase } from 'fake-indexeddb'
import type { Process } from './process.ts'
import { time } from './virtual-time.ts'

/**
 * The databases of one device, which its tabs and its worker share. The fake IndexedDB is a faithful one. This file
 * adds faults. A process dies or freezes between any two answers. A disk is full, slow or wiped. A browser closes
 * connections.
 */

type RawDatabase = {
  name: string
  version: number
  rawObjectStores: Map<string, RawStore>
  transactions: RawTransaction[]
  connections: RawConnection[]
  processTransactions: () => void
}
type RawRecords = { values(): Iterable<{ key: unknown; value: unknown }>; put(record: object): void }
type RawIndex = { name: string; keyPath: unknown; multiEntry: boolean; unique: boolean; initialized: boolean; records: RawRecords }
type RawStore = {
  name: string
  keyPath: unknown
  autoIncrement: boolean
  keyGenerator: { num: number } | null
  records: RawRecords
  rawIndexes: Map<string, RawIndex>
}
type RawConnection = { name: string; _rawDatabase: RawDatabase; _closed: boolean; _closePending: boolean }
type RawTransaction = {
  mode: string
  db: RawConnection
  error: unknown
  _state: string
  _started: boolean
  _requests: unknown[]
  _rollbackLog: unknown[]
  _prioritizedListeners: Map<string, () => void>
  _abort(name: string | null): void
  _start: (this: RawTransaction) => void
  _execRequestAsync(request: { source: unknown; operation: () => unknown }): unknown
}
type RawRequest = { source: unknown; readyState: string; transaction: RawTransaction | null; result: unknown }
type RawEvent = { type: string }
type RawTarget = { dispatchEvent: (this: RawTarget, event: RawEvent) => boolean }
type RawFactory = { _databases: Map<string, RawDatabase>; _connectionQueues: Map<string, Promise<unknown>> }

/** The fault of a device's disk. */
export type DiskTrouble = 'fine' | 'full-at-write' | 'full-at-commit' | 'hangs'

const diskOf = new WeakMap<object, Disk>()
const processOf = new WeakMap<object, Process>()
/** Longer than the app waits for a write. */
const hangMs = 7000

export class Disk {
  trouble: DiskTrouble = 'fine'
  readonly #shared = new IDBFactory() as unknown as RawFactory

  /** Returns the disk as one process sees it. */
  factoryFor(process: Process): IDBFactory {
    const factory = new IDBFactory()
    const raw = factory as unknown as RawFactory
    raw._databases = this.#shared._databases
    raw._connectionQueues = this.#shared._connectionQueues
    const open = factory.open.bind(factory)
    const claim = (request: object) => {
      processOf.set(request, process)
      diskOf.set(request, this)
    }
    factory.open = (name: string, version?: number) => {
      const request = open(name, version)
      claim(request)
      return request
    }
    const databases = factory.databases.bind(factory)
    factory.databases = () => process.answered('list of databases', databases())
    process.onEnd(() => this.#forget(process))
    return factory
  }

  claimConnection(connection: object, process: Process): void {
    processOf.set(connection, process)
    diskOf.set(connection, this)
  }

  /** The browser closes the connections of a process. */
  closeConnections(process: Process): void {
    for (const connection of this.#connectionsOf(process)) forceCloseDatabase(connection as never)
  }

  /** The browser deletes everything: the user cleared the site's data, or the disk needed the space. */
  wipe(): void {
    this.#shared._databases.clear()
    this.#shared._connectionQueues.clear()
  }

  /** Returns a disk with the same contents, without open connections. */
  copy(): Disk {
    const copy = new Disk()
    for (const [name, database] of this.#shared._databases) copy.#shared._databases.set(name, copyOf(database))
    return copy
  }

  /** Every record on the disk. */
  *records(): Iterable<{ database: string; store: string; key: unknown; value: unknown }> {
    for (const [database, { rawObjectStores }] of this.#shared._databases) {
      for (const [store, { records }] of rawObjectStores)
        for (const { key, value } of records.values()) yield { database, store, key, value }
    }
  }

  /** Returns true while a transaction is open that may still abort. */
  isBusy(): boolean {
    return [...this.#shared._databases.values()].some(({ transactions }) => transactions.some(({ _state }) => _state !== 'finished'))
  }

  isOpenIn(process: Process, name: string): boolean {
    return this.#connectionsOf(process).some((connection) => connection.name === name && !connection._closed && !connection._closePending)
  }

  versionOf(name: string): number {
    return this.#shared._databases.get(name)?.version ?? 0
  }

  setVersion(name: string, version: number): void {
    const database = this.#shared._databases.get(name)
    if (database) database.version = version
  }

  #connectionsOf(process: Process): RawConnection[] {
    return [...this.#shared._databases.values()].flatMap((database) =>
      database.connections.filter((connection) => processOf.get(connection) === process),
    )
  }

  /** A dead process leaves nothing half done: its uncommitted transactions abort. */
  #forget(process: Process): void {
    for (const connection of this.#connectionsOf(process)) {
      connection._closed = true
      connection._closePending = true
    }
    for (const database of this.#shared._databases.values()) {
      // This includes transactions on connections that it had already closed.
      const left = database.transactions.filter(({ db, _state }) => processOf.get(db) === process && _state !== 'finished')
      for (const transaction of left) transaction._abort(null)
      database.connections = database.connections.filter((connection) => processOf.get(connection) !== process)
      database.processTransactions()
    }
  }
}

/** Call this once in a process, before the first database opens. */
export function takeOverIndexedDb(): void {
  const targets = Object.getPrototypeOf(IDBTransaction.prototype) as RawTarget
  const dispatch = targets.dispatchEvent
  targets.dispatchEvent = function dispatchHere(this: RawTarget, event: RawEvent): boolean {
    const passOn = () => dispatch.call(this, event)
    if (this instanceof IDBTransaction) return dispatchToTransaction(this as unknown as RawTransaction, event, passOn)
    if (this instanceof IDBDatabase) {
      const process = processOf.get(this)
      if (!process) return passOn()
      process.enter(`database ${event.type}`, () => void passOn())
      return true
    }
    if (this instanceof IDBRequest) return dispatchToRequest(this as unknown as RawRequest, event, passOn)
    return passOn()
  }

  const transactions = IDBTransaction.prototype as unknown as RawTransaction
  const start = transactions._start
  transactions._start = function startHere(this: RawTransaction): void {
    const process = processOf.get(this.db)
    const disk = diskOf.get(this.db)
    if (!process || !disk || this.mode === 'versionchange') return start.call(this)
    if (!this._started) {
      if (process.isStruck('begin of a transaction')) return
      if (process.state === 'frozen') return setAside(this, (work) => process.whenThawed(work))
      if (disk.trouble === 'hangs' && this.mode === 'readwrite') return setAside(this, (work) => time.schedule(hangMs, work))
    }
    const isEnding = this._requests.length === 0 && this._state !== 'finished' && this._started
    if (isEnding && disk.trouble === 'full-at-commit' && this._rollbackLog.length > 0) {
      this._abort('QuotaExceededError')
      return
    }
    start.call(this)
  }

  for (const method of ['put', 'add'] as const) {
    const stores = IDBObjectStore.prototype as unknown as Record<string, (...args: unknown[]) => unknown>
    const original = stores[method]
    if (!original) continue
    stores[method] = function writeHere(this: { transaction: RawTransaction }, ...args: unknown[]): unknown {
      const { transaction } = this
      if (diskOf.get(transaction.db)?.trouble !== 'full-at-write' || transaction.mode === 'versionchange') return original.apply(this, args)
      return transaction._execRequestAsync({
        source: this,
        operation: () => {
          throw new DOMException('The disk is full', 'QuotaExceededError')
        },
      })
    }
  }
}

/** Lets others go first until this transaction may start. */
function setAside(transaction: RawTransaction, until: (work: () => void) => void): void {
  const database = transaction.db._rawDatabase
  database.transactions = database.transactions.filter((other) => other !== transaction)
  until(() => {
    if (transaction._state === 'finished') return
    if (processOf.get(transaction.db)?.state === 'dead') return
    database.transactions.push(transaction)
    database.processTransactions()
  })
  database.processTransactions()
}

function dispatchToTransaction(transaction: RawTransaction, event: RawEvent, passOn: () => boolean): boolean {
  const process = processOf.get(transaction.db)
  if (!process || transaction.mode === 'versionchange' || process.state === 'frozen') return passOn()
  if (!process.isStruck(`transaction ${event.type}`)) return passOn()
  // The listener is gone, but the database must go on.
  transaction._prioritizedListeners.get(event.type)?.()
  transaction.db._rawDatabase.processTransactions()
  return true
}

function dispatchToRequest(request: RawRequest & object, event: RawEvent, passOn: () => boolean): boolean {
  const opener = processOf.get(request)
  if (opener) {
    const connection = request.readyState === 'done' ? request.result : null
    const disk = diskOf.get(request)
    if (disk && connection instanceof IDBDatabase) disk.claimConnection(connection, opener)
    if (opener.state === 'dead') {
      // A dead process opened it, so the upgrade must not leave half the tables.
      if (event.type === 'upgradeneeded') request.transaction?._abort(null)
      if (connection instanceof IDBDatabase) connection.close()
      return true
    }
    if (event.type === 'upgradeneeded') return passOn()
    opener.enter(`open ${event.type}`, () => void passOn())
    return true
  }
  const { transaction } = request
  const process = transaction ? processOf.get(transaction.db) : undefined
  if (!process || !transaction || transaction.mode === 'versionchange' || process.state === 'frozen') return passOn()
  if (process.isStruck(`request ${event.type}`)) return true
  return passOn()
}

/** Returns a new object of the same class. */
function anotherLike<T extends object>(one: T, ...args: unknown[]): T {
  return new (one.constructor as new (...args: unknown[]) => T)(...args)
}

/** A change replaces the record, so copies can share records. */
function copyOf(database: RawDatabase): RawDatabase {
  const copy = anotherLike(database, database.name, database.version)
  for (const [name, store] of database.rawObjectStores) {
    const made = anotherLike(store, copy, store.name, store.keyPath, store.autoIncrement)
    if (made.keyGenerator && store.keyGenerator) made.keyGenerator.num = store.keyGenerator.num
    for (const record of store.records.values()) made.records.put(record)
    for (const [key, index] of store.rawIndexes) {
      const madeIndex = anotherLike(index, made, index.name, index.keyPath, index.multiEntry, index.unique)
      madeIndex.initialized = index.initialized
      for (const record of index.records.values()) madeIndex.records.put(record)
      made.rawIndexes.set(key, madeIndex)
    }
    copy.rawObjectStores.set(name, made)
  }
  return copy
}
