import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { beginNewPast, numbersPeopleKnow, numbersSkipped } from '#server/platform/db/begin-new-past.ts'
import type { OpenedDatabase } from '#server/platform/db/open-database.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

let db: OpenedDatabase
const inTheBackup = new Map<string, number>()
const epoch = '00000000-0000-4000-8000-000000000001'

beforeAll(async () => {
  db = await openTestDatabase()
  for (const [table, column] of numbersPeopleKnow) inTheBackup.set(table, await nextNumber(table, column))
  await beginNewPast(db.pool, epoch)
})
afterAll(() => db.close())

async function nextNumber(table: string, column: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence(${table}, ${column}))::int as id`.execute(db.pool)
  return rows[0]?.id ?? 0
}

describe('a restored backup', () => {
  test('has a new epoch', async () => {
    expect((await db.pool.selectFrom('server_state').select('epoch').executeTakeFirstOrThrow()).epoch).toBe(epoch)
  })

  test.each(numbersPeopleKnow)('gives nothing in %s a number that something may have that it does not know', async (table, column) => {
    expect(await nextNumber(table, column)).toBeGreaterThan((inTheBackup.get(table) ?? 0) + numbersSkipped)
  })

  test('leaves numbers out in every table whose numbers people know', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and is_identity = 'YES' and (column_name = 'number' or column_name ~ '_(no|inventory)$')
    `.execute(db.pool)
    // Nothing is done by the number of a count or of a command's receipt: it is only told.
    const onlyTold = ['count_sheets.number', 'receipts.number']
    const known = numbersPeopleKnow.map((place) => place.join('.'))
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...known, ...onlyTold].toSorted())
  })
})
