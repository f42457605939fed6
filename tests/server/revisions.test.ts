import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Insertable } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createChangeFeed } from '#server/platform/db/change-feed.ts'
import { type OpenedDatabase, openDatabase } from '#server/platform/db/open-database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { createPostgresDatabase, openTestDatabase, testEngine } from '#tests/support/test-database.ts'

const writers = 8
const transactionsEach = 30
const page = 40

/** Reads like a tablet: again and again, everything after a cursor of revision and id. */
function replicaOf(db: OpenedDatabase) {
  const rows = new Map<string, number | null>()
  let cursor = { revision: 0, id: '00000000-0000-0000-0000-000000000000' }
  return {
    rows,
    async catchUp() {
      for (;;) {
        const found = await db.pool
          .selectFrom('punches')
          .select(['id', 'revision', 'skew_ms'])
          .where((eb) => eb(eb.refTuple('revision', 'id'), '>', eb.tuple(cursor.revision, cursor.id)))
          .orderBy('revision')
          .orderBy('id')
          .limit(page)
          .execute()
        for (const row of found) {
          rows.set(row.id, row.skew_ms)
          cursor = { revision: row.revision, id: row.id }
        }
        if (found.length < page) return
      }
    },
  }
}

const at = '2026-11-20T14:00:00.000Z'
function punchRow(revision: number): Insertable<Schema['punches']> {
  return {
    direction: 'in',
    id: randomUUID(),
    id_user: null,
    username: 'maya',
    store_id: null,
    at,
    device_wall: at,
    received_at: at,
    offline_captured: false,
    skew_ms: 0,
    device_id: null,
    deliverer_id: null,
    supersedes: null,
    edited_by: null,
    edit_reason: null,
    in_review: false,
    revision,
  }
}

describe('a tablet that reads during the writes of eight others', () => {
  test('misses no row and no change', { timeout: 120_000 }, async () => {
    const db = await openTestDatabase()
    const replica = replicaOf(db)
    let isDone = false
    const reading = (async () => {
      while (!isDone) {
        await replica.catchUp()
        await wait(2)
      }
    })()
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        const mine: string[] = []
        for (let round = 0; round < transactionsEach; round++) {
          const isGivenUp = round % 11 === 10
          const row = await db
            .write(['user:1'], async ({ trx, revision }) => {
              const made = punchRow(revision('user:1'))
              await trx.insertInto('punches').values(made).execute()
              const old = mine[round % 3]
              if (old) {
                const changed = { skew_ms: round + writer * 1000, revision: revision('user:1') }
                await trx.updateTable('punches').set(changed).where('id', '=', old).execute()
              }
              if (testEngine === 'postgres') await wait((round * 7 + writer) % 9)
              if (isGivenUp) throw new Error('given up')
              return made
            })
            .catch((error: unknown) => {
              if (isGivenUp) return null
              throw error
            })
          if (row) mine.push(row.id)
        }
      }),
    )
    isDone = true
    await reading
    await replica.catchUp()
    const all = await db.pool.selectFrom('punches').select(['id', 'skew_ms']).execute()
    expect(all.length).toBe(writers * transactionsEach - writers * 2)
    expect(Object.fromEntries(replica.rows)).toEqual(Object.fromEntries(all.map((row) => [row.id, row.skew_ms])))
    await db.close()
  })

  test('writers of several scopes in opposite orders do not block each other', async () => {
    const db = await openTestDatabase()
    const orders = [['chain', 'store:1', 'store:2'] as const, ['store:2', 'store:1', 'chain'] as const]
    await Promise.all(Array.from({ length: 24 }, (_, at) => db.write(orders[at % 2] ?? [], async () => {})))
    const revisions = await db.pool.selectFrom('scope_revisions').selectAll().orderBy('scope').execute()
    expect(revisions).toEqual([
      { scope: 'chain', revision: 24 },
      { scope: 'store:1', revision: 24 },
      { scope: 'store:2', revision: 24 },
    ])
    await db.close()
  })
})

describe.skipIf(testEngine === 'pglite')('several servers on one PostgreSQL', () => {
  test('may start at once on an empty database: one makes the tables, the others wait', async () => {
    const { url, drop } = await createPostgresDatabase()
    const servers = await Promise.all(Array.from({ length: 4 }, () => openDatabase({ postgresUrl: url })))
    const epochs = await Promise.all(servers.map((db) => db.pool.selectFrom('server_state').select('epoch').executeTakeFirstOrThrow()))
    expect(new Set(epochs.map(({ epoch }) => epoch)).size).toBe(1)
    await Promise.all(servers.map((db) => db.close()))
    await drop()
  })

  test('tell each other about committed changes', async () => {
    const { url, drop } = await createPostgresDatabase()
    const [one, other] = [await openDatabase({ postgresUrl: url }), await openDatabase({ postgresUrl: url })]
    await one.write(['store:1'], async () => {})
    const feed = createChangeFeed({ readRevisions: () => other.pool.selectFrom('scope_revisions').selectAll().execute(), everyMs: 20 })
    const told: { scope: string; revision: number }[] = []
    const stop = feed.subscribe((change) => told.push(change))
    await expect.poll(() => told).toEqual([{ scope: 'store:1', revision: 1 }])
    await one.write(['store:1', 'chain'], async () => {})
    await expect.poll(() => told.length).toBe(3)
    expect(told.slice(1)).toEqual(
      expect.arrayContaining([
        { scope: 'chain', revision: 1 },
        { scope: 'store:1', revision: 2 },
      ]),
    )
    stop()
    feed.close()
    await Promise.all([one.close(), other.close()])
    await drop()
  })
})
