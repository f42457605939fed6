import PouchDB from 'pouchdb-browser'
import type { Frame } from '#contract/stock/frames.ts'
import { chunksOf, type RowStore } from './row-store.ts'

/** PouchDB over IndexedDB, by its `_id` alone: without any further index, which helps it. */
export async function openPouch(name = 'bench-pouch'): Promise<RowStore> {
  const database = new PouchDB<Frame>(name, { auto_compaction: true })
  return {
    async fill({ frames }) {
      for (const chunk of chunksOf(frames)) await database.bulkDocs(chunk.map((frame) => ({ ...frame, _id: frame.serial })))
    },
    count: async () => (await database.info()).doc_count,
    get: (serial) => database.get(serial),
    async close() {
      await database.close()
    },
  }
}
