/**
 * Opens a database as it lies on the disk, of whatever version, and makes none. Null when it is not there or cannot be had now: who needs it
 * opens it again, and says why.
 */
export function openAsItIs(factory: IDBFactory, name: string): Promise<IDBDatabase | null> {
  return new Promise((resolve) => {
    const opening = factory.open(name)
    opening.onupgradeneeded = () => opening.transaction?.abort()
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = (event) => {
      event.preventDefault()
      resolve(null)
    }
  })
}
