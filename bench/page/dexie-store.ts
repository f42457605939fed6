import { Dexie, type Table } from 'dexie'
import type { Frame } from '#contract/stock/frames.ts'
import { chunksOf, hits, scanRows, type RowStore, type Scanning } from './row-store.ts'

type Scan = ReturnType<typeof scanRows>['scan']
type Entry = ReturnType<typeof scanRows>['entry']

class RowDatabase extends Dexie {
  declare frames: Table<Frame, number>
  declare scans: Table<Scan, string>
  declare outbox: Table<Entry, string>

  constructor(name: string) {
    super(name, { chromeTransactionDurability: 'strict' })
    this.version(1).stores({ frames: 'id_inventory, serial, sku, upc, store_id', scans: 'id', outbox: 'id' })
  }
}

/** Row tables of Dexie, as its documentation shows them. */
export async function openDexie(name = 'bench-dexie'): Promise<RowStore & Scanning> {
  const database = new RowDatabase(name)
  await database.open()
  let scans = 0
  return {
    async fill({ frames }) {
      for (const chunk of chunksOf(frames)) await database.frames.bulkPut(chunk)
    },
    count: async () => await database.frames.count(),
    get: async (serial) => await database.frames.where('serial').equals(serial).first(),
    beginning: async (typed) => await database.frames.where('serial').startsWith(typed).limit(hits).toArray(),
    async scan(serial) {
      await database.transaction('rw', database.frames, database.scans, database.outbox, async () => {
        const frame = await database.frames.where('serial').equals(serial).first()
        const { scan, entry } = scanRows(frame, serial, ++scans)
        await Promise.all([database.scans.put(scan), database.outbox.put(entry)])
      })
    },
    async close() {
      database.close()
    },
  }
}
