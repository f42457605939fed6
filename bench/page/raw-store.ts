import type { Frame } from '#contract/stock/frames.ts'
import { chunksOf, hits, scanRows, type RowStore, type Scanning } from './row-store.ts'

function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => {
      const frames = request.result.createObjectStore('frames', { keyPath: 'id_inventory' })
      for (const column of ['serial', 'sku', 'upc', 'store_id']) frames.createIndex(column, column)
      request.result.createObjectStore('scans', { keyPath: 'id' })
      request.result.createObjectStore('outbox', { keyPath: 'id' })
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The database does not open'))
  })
}

/** The first rows, one step of a cursor after the other. */
export async function openCursorPage(name: string, count: number): Promise<Frame[]> {
  const database = await openDatabase(name)
  return await new Promise((resolve, reject) => {
    const rows: Frame[] = []
    const request = database.transaction('frames').objectStore('frames').index('sku').openCursor()
    request.onerror = () => reject(request.error ?? new Error('The cursor failed'))
    request.onsuccess = () => {
      const cursor = request.result
      if (!cursor) return resolve(rows)
      rows.push(cursor.value)
      if (rows.length === count) resolve(rows)
      else cursor.continue()
    }
  })
}

/** All rows at once. */
export async function readAll(name: string): Promise<Frame[]> {
  const database = await openDatabase(name)
  try {
    return await result<Frame[]>(database.transaction('frames').objectStore('frames').getAll())
  } finally {
    database.close()
  }
}

/** Plain IndexedDB: one record a row, four indexes. The reference for all others. */
export async function openRaw(name = 'bench-raw'): Promise<RowStore & Scanning & { put: (frames: readonly Frame[]) => Promise<void> }> {
  const database = await openDatabase(name)
  let scans = 0

  async function put(frames: readonly Frame[]) {
    const transaction = database.transaction('frames', 'readwrite')
    const store = transaction.objectStore('frames')
    for (const frame of frames) store.put(frame)
    await done(transaction)
  }

  const reading = () => database.transaction('frames').objectStore('frames')
  return {
    async fill({ frames }) {
      for (const chunk of chunksOf(frames)) await put(chunk)
    },
    count: () => result(reading().count()),
    get: (serial) => result(reading().index('serial').get(serial)),
    beginning: (typed) =>
      result(
        reading()
          .index('serial')
          .getAll(IDBKeyRange.bound(typed, `${typed}\uffff`), hits),
      ),
    put,
    async scan(serial) {
      const transaction = database.transaction(['frames', 'scans', 'outbox'], 'readwrite', { durability: 'strict' })
      const frame: Frame | undefined = await result(transaction.objectStore('frames').index('serial').get(serial))
      const { scan, entry } = scanRows(frame, serial, ++scans)
      transaction.objectStore('scans').put(scan)
      transaction.objectStore('outbox').put(entry)
      await done(transaction)
    },
    async close() {
      database.close()
    },
  }
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The request failed'))
  })
}

function done(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted'))
  })
}
