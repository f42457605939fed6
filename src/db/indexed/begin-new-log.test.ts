import { IDBFactory } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { beginNewLog } from '#src/db/indexed/begin-new-log.ts'

// That the browser then has a new log is looked at in tests/e2e/sync-kills.test.ts.
test('a database is made and deleted, and nothing is left of it', async () => {
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
