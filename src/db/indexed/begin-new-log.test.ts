import { IDBFactory } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { beginNewLog } from '#src/db/indexed/begin-new-log.ts'

// tests/e2e/sync-kills.test.ts checks that the browser then has a new log.
test('a database is made and deleted, and none of it remains', async () => {
  const factory = new IDBFactory()
  const deleted: string[] = []
  const remove = factory.deleteDatabase.bind(factory)
  factory.deleteDatabase = (name) => {
    deleted.push(name)
    return remove(name)
  }
  await Promise.all([beginNewLog(factory), beginNewLog(factory)])
  expect(new Set(deleted)).toEqual(new Set(['lorgnette-new-log']))
  expect(await factory.databases()).toEqual([])
})
