/**
 * Opens a database in its present version, and never creates one. Resolves with null when it does not exist or does not
 * open. A caller that needs it opens it again, and reports the error.
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
