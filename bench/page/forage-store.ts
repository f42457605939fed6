import localforage from 'localforage'
import type { RowStore } from './row-store.ts'

/** localForage: a value for a key, each in its own transaction. */
export async function openForage(name = 'bench-forage'): Promise<RowStore> {
  const store = localforage.createInstance({ name, driver: localforage.INDEXEDDB })
  await store.ready()
  return {
    async fill({ frames }) {
      for (let from = 0; from < frames.length; from += 100) {
        await Promise.all(frames.slice(from, from + 100).map((frame) => store.setItem(frame.serial, frame)))
      }
    },
    count: () => store.length(),
    get: (serial) => store.getItem(serial),
    close: async () => undefined,
  }
}
