import type { FakeTablet } from '#tests/support/test-device.ts'

/** Returns everything on the disk of a tablet, as text. */
export async function onDisk(tablet: FakeTablet): Promise<string> {
  const texts: string[] = []
  const latin = new TextDecoder('latin1')
  for (const { name } of await tablet.indexedDB.databases()) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = tablet.indexedDB.open(name ?? '')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('it could not be opened'))
    })
    for (const store of database.objectStoreNames) {
      const rows = await new Promise<unknown[]>((resolve) => {
        const request = database.transaction(store).objectStore(store).getAll()
        request.onsuccess = () => resolve(request.result)
      })
      texts.push(JSON.stringify(rows, (_key, value: unknown) => (value instanceof Uint8Array ? latin.decode(value) : value)))
    }
    database.close()
  }
  return texts.join('\n')
}
