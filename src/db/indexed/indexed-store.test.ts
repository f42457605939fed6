import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { IndexedStore } from '#src/db/indexed/indexed-store.ts'
import { resultOf } from '#src/db/indexed/request.ts'

const open = () =>
  new IndexedStore({ name: 'store', version: 1, indexedDB, upgrade: (database) => void database.createObjectStore('rows') })

test('closing undoes what is not committed, and does not block the next store', async () => {
  const left = open()
  let begun = 0
  let isOver = false
  const writing = left.transaction(['rows'], 'readwrite', async (transaction) => {
    const rows = transaction.objectStore('rows')
    await resultOf(rows.put(1, 'half'))
    // On a frozen page this transaction never ends. Here it ends with the test.
    while (!isOver) begun += await resultOf(rows.count())
  })
  writing.catch(() => undefined)
  await expect.poll(() => begun).toBeGreaterThan(0)
  left.close()
  const next = open()
  const reading = next.transaction(['rows'], 'readonly', (transaction) => resultOf(transaction.objectStore('rows').getAll()))
  const kept = await Promise.race([reading, new Promise((resolve) => setTimeout(() => resolve('waits'), 1000))])
  isOver = true
  expect(kept).toEqual([])
  await expect(writing).rejects.toThrow()
  next.close()
})

test('uses a connection that is already open, unless its tables are older', async () => {
  const made = open()
  await made.transaction(['rows'], 'readwrite', (transaction) => resultOf(transaction.objectStore('rows').put(1, 'kept')))
  made.close()
  const opened = await resultOf(indexedDB.open('store'))
  let asked = 0
  const counting = { open: (...given: [string, number?]) => ((asked += 1), indexedDB.open(...given)) } as IDBFactory
  const options = { name: 'store', indexedDB: counting, upgrade: () => {} }
  const read = (store: IndexedStore) =>
    store.transaction(['rows'], 'readonly', (transaction) => resultOf(transaction.objectStore('rows').get('kept')))

  const adopting = new IndexedStore({ ...options, version: 1, opened })
  expect(await read(adopting)).toBe(1)
  expect(asked).toBe(0)
  adopting.close()

  const older = await resultOf(indexedDB.open('store'))
  const newer = new IndexedStore({ ...options, version: 2, opened: older })
  expect(await read(newer)).toBe(1)
  expect(asked).toBe(1)
  newer.close()
})
