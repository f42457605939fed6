import { createRxDatabase, type RxJsonSchema } from 'rxdb/plugins/core'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import type { Frame } from '#contract/stock/frames.ts'
import { chunksOf, type RowStore } from './row-store.ts'

const text = (maxLength: number) => ({ type: 'string', maxLength })
const whole = { type: 'integer', minimum: 0, maximum: 100_000_000, multipleOf: 1 }

/** The searched columns; the others are kept unchanged. */
const schema: RxJsonSchema<Pick<Frame, 'serial' | 'sku' | 'store_id' | 'id_inventory'> & { upc: string }> = {
  version: 0,
  primaryKey: 'serial',
  type: 'object',
  properties: { serial: text(20), sku: text(20), upc: text(20), store_id: whole, id_inventory: whole },
  required: ['serial', 'sku', 'upc', 'store_id'],
  indexes: ['sku', 'upc', 'store_id'],
}

/** RxDB on its free storage, with the same indexes. */
export async function openRx(name = 'bench-rxdb'): Promise<RowStore> {
  const database = await createRxDatabase({ name, storage: getRxStorageDexie(), multiInstance: false, eventReduce: false })
  const { frames } = await database.addCollections({ frames: { schema } })
  if (!frames) throw new Error('RxDB made no collection')
  return {
    async fill(stock) {
      for (const chunk of chunksOf(stock.frames)) {
        const { error } = await frames.bulkInsert(chunk.map(withUpc))
        if (error.length > 0) throw new Error(`RxDB refused ${error.length} rows`)
      }
    },
    count: () => frames.count().exec(),
    get: (serial) => frames.findOne(serial).exec(),
    async close() {
      await database.close()
    },
  }
}

/** Its indexes take no null. */
function withUpc(frame: Frame): Frame {
  return { ...frame, upc: frame.upc ?? '' }
}
