/** A newer app has taken over the database, or this app closed it: no reads and writes are possible. */
export class StorageClosed extends Error {
  constructor(message = 'The storage of this device was closed') {
    super(message)
    this.name = 'StorageClosed'
  }
}

/** The result of one request, inside a transaction. */
export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new StorageClosed())
  })
}
