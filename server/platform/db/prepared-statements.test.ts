import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenedDatabase } from '#server/platform/db/open-database.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

let db: OpenedDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const prepared = async () =>
  (await sql<{ statement: string }>`select statement from pg_prepared_statements order by statement`.execute(db.pool)).rows.map(
    ({ statement }) => statement,
  )

async function often<T>(times: number, work: () => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  for (let left = times; left > 0; left -= 1) answers.push(await work())
  return answers
}

describe('statements', () => {
  test('are prepared when they repeat, and give the same answers as before', async () => {
    const ask = () => sql<{ n: number }>`select ${20}::int + ${1}::int as n`.execute(db.pool)
    expect((await often(8, ask)).map(({ rows }) => rows)).toEqual(Array.from({ length: 8 }, () => [{ n: 21 }]))
    expect((await prepared()).filter((statement) => statement.includes('::int as n'))).toHaveLength(1)
  })

  test('are not prepared when they run once, or have no values', async () => {
    await sql`select ${1}::int as once`.execute(db.pool)
    await often(5, () => sql`select 2 as plain`.execute(db.pool))
    expect((await prepared()).filter((statement) => /once|plain/.test(statement))).toEqual([])
  })

  test('answer for the new value each time', async () => {
    const answers: number[] = []
    for (let value = 1; value <= 6; value += 1) {
      const { rows } = await sql<{ n: number }>`select ${value}::int * 2 as n`.execute(db.pool)
      answers.push(rows[0]?.n ?? 0)
    }
    expect(answers).toEqual([2, 4, 6, 8, 10, 12])
  })

  test('are prepared again when a newer server has changed the tables, outside of a transaction and in one', async () => {
    await sql`create table changing (id int primary key)`.execute(db.pool)
    await sql`insert into changing values (7)`.execute(db.pool)
    const ask = () => sql`select * from changing where id = ${7}`.execute(db.pool)
    await often(4, ask)
    await sql`alter table changing add column color text default 'black'`.execute(db.pool)
    expect((await ask()).rows).toEqual([{ id: 7, color: 'black' }])

    const askInside = () => db.write(['chain'], ({ trx }) => sql`select * from changing where id = ${7}`.execute(trx))
    await often(4, askInside)
    await sql`alter table changing add column size int default 51`.execute(db.pool)
    expect((await askInside()).rows).toEqual([{ id: 7, color: 'black', size: 51 }])
    await sql`drop table changing`.execute(db.pool)
  })

  test('run again like any other after they were refused', async () => {
    await sql`create table refusing (id int primary key)`.execute(db.pool)
    const add = (id: number) => sql`insert into refusing values (${id})`.execute(db.pool)
    await add(1)
    for (let left = 5; left > 0; left -= 1) await expect(add(1)).rejects.toThrow(/duplicate key/)
    await add(2)
    await sql`drop table refusing`.execute(db.pool)
  })
})
