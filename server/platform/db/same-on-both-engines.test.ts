import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenedDatabase } from '#server/platform/db/open-database.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

// The everyday run tries the features on PostgreSQL and repeats on PGlite what is here. Both runs must see the same values.
let db: OpenedDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const names = ['van Dyk', 'Łukasz', 'O’Neil', 'Okonjo', 'Öz', 'okonjo', 'Zdenka', 'נועה', 'O-Neil', '10', '9']

test('names sort by their code points', async () => {
  const { rows } = await sql<{ name: string }>`select name from unnest(${names}::text[]) as name order by name`.execute(db.pool)
  const byCodePoint = names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  expect(rows.map(({ name }) => name)).toEqual(byCodePoint)
})

test('a search finds small and capital letters of English', async () => {
  const { rows } = await sql<{ name: string }>`select name from unnest(${names}::text[]) as name where name ilike 'o%'`.execute(db.pool)
  expect(rows.map(({ name }) => name)).toEqual(['O’Neil', 'Okonjo', 'okonjo', 'O-Neil'])
})

test('each type of column arrives as the same value', async () => {
  const { rows } = await sql`
    select 7::int4 as small, 9007199254740991::int8 as large, 12.50::numeric as money, true as yes, 1.5::float8 as part,
      timestamptz '2026-11-20T14:00:00.123Z' as moment, date '2026-11-20' as day, '{"a":[1]}'::jsonb as json, '{a,b}'::text[] as list,
      '\\x00ff'::bytea as bytes, null::text as nothing, count(*) as rows, sum(1) as total`.execute(db.pool)
  expect(rows).toMatchInlineSnapshot(`
    [
      {
        "bytes": {
          "data": [
            0,
            255,
          ],
          "type": "Buffer",
        },
        "day": "2026-11-20",
        "json": {
          "a": [
            1,
          ],
        },
        "large": 9007199254740991,
        "list": [
          "a",
          "b",
        ],
        "moment": "2026-11-20T14:00:00.123Z",
        "money": 12.5,
        "nothing": null,
        "part": 1.5,
        "rows": 1,
        "small": 7,
        "total": 1,
        "yes": true,
      },
    ]
  `)
})
