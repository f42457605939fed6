import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { beginNewPast, sequencesPeopleKnow, numbersSkipped } from '#server/platform/db/begin-new-past.ts'
import { numberedDocuments } from '#server/platform/db/document-numbers.ts'
import type { OpenedDatabase } from '#server/platform/db/open-database.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

let db: OpenedDatabase
const inTheBackup = new Map<string, number>()
const epoch = '00000000-0000-4000-8000-000000000001'

beforeAll(async () => {
  db = await openTestDatabase()
  for (const [table, column] of sequencesPeopleKnow) inTheBackup.set(table, await nextNumber(table, column))
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

  test.each(sequencesPeopleKnow)('gives nothing in %s a number that something may have that it does not know', async (table, column) => {
    expect(await nextNumber(table, column)).toBeGreaterThan((inTheBackup.get(table) ?? 0) + numbersSkipped)
  })

  test('leaves numbers out in every table whose numbers people know', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and is_identity = 'YES' and (column_name = 'number' or column_name ~ '_(no|inventory)$')
    `.execute(db.pool)
    expect(rows.map(({ name }) => name).toSorted()).toEqual(sequencesPeopleKnow.map((place) => place.join('.')).toSorted())
  })

  test.each(Object.keys(numberedDocuments))('leaves numbers out for %s', async (document) => {
    expect(await lastNumber(document)).toBe(numbersSkipped)
  })
})

async function lastNumber(document: string): Promise<number | undefined> {
  const row = await db.pool.selectFrom('document_numbers').select('last').where('document', '=', document).executeTakeFirst()
  return row?.last
}
