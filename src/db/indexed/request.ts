/** The database belongs to a newer app now, or was closed by us: nothing can be read or written any more. */
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
