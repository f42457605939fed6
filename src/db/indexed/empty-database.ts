/**
 * Deletes all rows of a database but keeps the database. Deleting it would wait for every window to close it, and a
 * sleeping window does not.
 */
export function emptyDatabase(factory: IDBFactory, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = factory.open(name)
    opening.onerror = () => reject(opening.error ?? new Error('A database could not be opened'))
    opening.onsuccess = () => {
      const database = opening.result
      database.onversionchange = () => database.close()
      const stores = [...database.objectStoreNames]
      if (stores.length === 0) {
        database.close()
        return resolve()
      }
      const emptying = database.transaction(stores, 'readwrite')
      for (const store of stores) emptying.objectStore(store).clear()
      const end = (settle: () => void) => () => {
        database.close()
        settle()
      }
      emptying.oncomplete = end(resolve)
      emptying.onabort = end(() => reject(emptying.error ?? new Error('A database could not be emptied')))
    }
  })
}

/** Empties all databases with this beginning of the name, except one. When a browser does not list them, they stay. */
export async function emptyDatabasesBut(factory: IDBFactory, begin: string, kept: string): Promise<void> {
  for (const { name } of (await factory.databases?.()) ?? []) {
    if (name?.startsWith(begin) && name !== kept) await emptyDatabase(factory, name)
  }
}
