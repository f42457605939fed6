import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { IndexedStore, resultOf } from '#src/db/indexed-store.ts'

const open = () =>
  new IndexedStore({ name: 'store', version: 1, indexedDB, upgrade: (database) => void database.createObjectStore('rows') })

test('closing undoes what has not been committed, and lets the next one in', async () => {
  const left = open()
  let begun = 0
  let isOver = false
  const writing = left.transaction(['rows'], 'readwrite', async (transaction) => {
    const rows = transaction.objectStore('rows')
    await resultOf(rows.put(1, 'half'))
    // A frozen page never comes to its end; here it ends with the test.
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
