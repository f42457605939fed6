import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql, type Transaction } from 'kysely'
import { numberedDocuments } from '#server/platform/db/document-numbers.ts'
import type { OpenedDatabase } from '#server/platform/db/open-database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

let db: OpenedDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

/** The number that the next row of this table would have. */
async function takeNumber(trx: Transaction<Schema>, table: string, column: string): Promise<unknown> {
  const { rows } = await sql<{ taker: string }>`
    select column_default as taker from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and column_name = ${column}
  `.execute(trx)
  const taken = await sql<{ number: number }>`select ${sql.raw(rows[0]?.taker ?? 'null')} as number`.execute(trx)
  return taken.rows[0]?.number
}

test.each(Object.entries(numberedDocuments))('a failed transaction leaves no gap in the numbers of %s', async (table, column) => {
  const first = await db.write([], ({ trx }) => takeNumber(trx, table, column))
  const failing = db.write([], async ({ trx }) => {
    await takeNumber(trx, table, column)
    throw new Error('the disk is full')
  })
  await expect(failing).rejects.toThrow('the disk is full')
  expect(await db.write([], ({ trx }) => takeNumber(trx, table, column))).toBe(Number(first) + 1)
})

test('two who begin a document at once get two numbers', async () => {
  const taken = await Promise.all(Array.from({ length: 8 }, () => db.write([], ({ trx }) => takeNumber(trx, 'transfers', 'number'))))
  expect(new Set(taken).size).toBe(8)
  const numbers = taken.map(Number)
  expect(Math.max(...numbers) - Math.min(...numbers)).toBe(7)
})
