import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { beginNewPast, numbersPeopleKnow, numbersSkipped } from '#server/db/begin-new-past.ts'
import type { OpenedDatabase } from '#server/db/open-database.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

let db: OpenedDatabase

beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

async function nextNumber(table: string, column: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence(${table}, ${column}))::int as id`.execute(db.reads)
  return rows[0]?.id ?? 0
}

const nextNumbers = () => Promise.all(numbersPeopleKnow.map(([table, column]) => nextNumber(table, column)))

test('a restored backup has a new epoch, and gives no piece and no patient a number that one may have whom it does not know', async () => {
  expect(numbersPeopleKnow.map(([table]) => table)).toEqual(['frames', 'patients'])
  const inTheBackup = await nextNumbers()
  const epoch = '00000000-0000-4000-8000-000000000001'
  await beginNewPast(db.reads, epoch)
  expect((await db.reads.selectFrom('server_state').select('epoch').executeTakeFirstOrThrow()).epoch).toBe(epoch)
  for (const [at, number] of (await nextNumbers()).entries()) expect(number).toBeGreaterThan((inTheBackup[at] ?? 0) + numbersSkipped)
})
