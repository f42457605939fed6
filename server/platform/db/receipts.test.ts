import { afterAll, beforeAll, expect, it } from 'vitest'
import { takeReceiptNumbers } from '#server/platform/db/receipts.ts'
import type { OpenedDatabase } from '#server/platform/db/open-database.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

let db: OpenedDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

it('numbers of receipts rise, and there are no more of them than were taken', async () => {
  const next = await db.write([], ({ trx }) => takeReceiptNumbers(trx, 3))
  const first = next()
  expect([next(), next()]).toEqual([first + 1, first + 2])
  expect(next).toThrow('receipt numbers')
  expect(await db.write([], ({ trx }) => takeReceiptNumbers(trx, 0))).toThrow('receipt numbers')
})
