import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenedDatabase, RevisionChange } from '#server/platform/db/open-database.ts'
import { openTestDatabase, testEngine } from '#tests/support/test-database.ts'

let db: OpenedDatabase
const told: RevisionChange[][] = []

beforeAll(async () => {
  db = await openTestDatabase({ onCommit: (changes) => told.push(changes) })
})
afterAll(() => db.close())

const storeRow = {
  store_name: 'Downtown',
  short_name: 'DT',
  time_zone: 'America/New_York',
  is_warehouse: false,
  settings: JSON.stringify({ blind_counts: false, control_preset: 'practice', coverage_percent: 98, scan_gap_ms: 35 }),
} as const

describe('the database', () => {
  test('runs on the engine that the test project names', () => {
    expect(db.engine).toBe(testEngine)
  })

  test('has an epoch from its first start', async () => {
    const state = await db.pool.selectFrom('server_state').selectAll().executeTakeFirstOrThrow()
    expect(state.epoch).toMatch(/^[0-9a-f-]{36}$/)
    expect(state.is_demo).toBe(false)
  })

  test('reads instants as ISO texts, counters as numbers and settings parsed', async () => {
    const store = await db.pool.insertInto('stores').values(storeRow).returningAll().executeTakeFirstOrThrow()
    expect(store.settings.coverage_percent).toBe(98)
    expect(typeof store.store_id).toBe('number')
    const at = '2026-03-01T23:59:59.007Z'
    await db.pool.insertInto('sign_in_failures').values({ subject: 'a', failures: 1, last_at: at, blocked_until: null }).execute()
    const row = await db.pool.selectFrom('sign_in_failures').selectAll().where('last_at', '=', at).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ subject: 'a', failures: 1, last_at: at, blocked_until: null })
  })

  test('raises every scope by one in a writing transaction and tells of it after the commit', async () => {
    told.length = 0
    const seen = await db.write(['store:2', 'chain'], async ({ revision }) => {
      expect(told).toEqual([])
      return [revision('chain'), revision('store:2')]
    })
    expect(seen).toEqual([1, 1])
    await db.write(['chain'], async ({ revision }) => expect(revision('chain')).toBe(2))
    expect(told).toEqual([
      [
        { scope: 'chain', revision: 1 },
        { scope: 'store:2', revision: 1 },
      ],
      [{ scope: 'chain', revision: 2 }],
    ])
  })

  test('leaves nothing behind and tells nobody when the work fails', async () => {
    told.length = 0
    const before = await db.pool.selectFrom('scope_revisions').selectAll().orderBy('scope').execute()
    const failing = db.write(['chain'], async ({ trx }) => {
      await trx
        .insertInto('stores')
        .values({ ...storeRow, store_name: 'Nowhere' })
        .execute()
      throw new Error('the work failed')
    })
    await expect(failing).rejects.toThrow('the work failed')
    expect(await db.pool.selectFrom('scope_revisions').selectAll().orderBy('scope').execute()).toEqual(before)
    expect(await db.pool.selectFrom('stores').selectAll().where('store_name', '=', 'Nowhere').execute()).toEqual([])
    expect(told).toEqual([])
  })

  test('repeats the work when the database asks for it', async () => {
    let runs = 0
    await db.write(['chain'], async () => {
      if (++runs < 3) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    })
    expect(runs).toBe(3)
  })

  test('refuses the revision of a scope that was not asked for', async () => {
    await expect(db.write(['chain'], async ({ revision }) => revision('store:9'))).rejects.toThrow('store:9')
  })

  test('refuses a query beside the transaction, which on one connection would wait for itself', async () => {
    await expect(db.write(['chain'], () => db.pool.selectFrom('stores').selectAll().execute())).rejects.toThrow('through its `trx`')
  })
})
