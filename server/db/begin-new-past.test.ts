import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { beginNewPast, numbersSkipped } from '#server/db/begin-new-past.ts'
import type { OpenedDatabase } from '#server/db/open-database.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

let db: OpenedDatabase

beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

async function nextNumber(): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('frames', 'id_inventory'))::int as id`.execute(db.reads)
  return rows[0]?.id ?? 0
}

test('a restored backup has a new epoch, and gives no piece a number that one may have whose label it does not know', async () => {
  const inTheBackup = await nextNumber()
  const epoch = '00000000-0000-4000-8000-000000000001'
  await beginNewPast(db.reads, epoch)
  expect((await db.reads.selectFrom('server_state').select('epoch').executeTakeFirstOrThrow()).epoch).toBe(epoch)
  expect(await nextNumber()).toBeGreaterThan(inTheBackup + numbersSkipped)
})
