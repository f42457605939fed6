import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { securityLogEndpoints } from '#contract/people/security-log.ts'
import { noteSecurityEvent } from '#server/domain/people/security-log.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let maya: string
const { listSecurityLog, securityAlerts } = securityLogEndpoints

beforeAll(async () => {
  server = await startTestServer()
  maya = (await server.signIn('maya')).access_token
  const by = { id_user: 2, store_id: 2, session_id: null, device_id: null }
  const note = (event: Omit<Parameters<typeof noteSecurityEvent>[1], 'by'>, more = {}) =>
    noteSecurityEvent(server.services, { by, ...event, ...more })
  // 11/20/2026 11:30 PM in New York.
  server.clock.set('2026-11-21T04:30:00.000Z')
  await note({ kind: 'exported', detail: 'data.csv' })
  server.clock.set('2026-11-21T05:30:00.000Z')
  await note({ kind: 'patients-searched', times: 3 })
  await note({ kind: 'refusals-repeated', times: 10 })
  await note({ kind: 'locked-out', detail: 'pin' }, { by: null })
  server.clock.set('2026-11-20T14:05:00.000Z')
})
afterAll(() => server.close())

const ask = (query: string, token = maya) => server.request('GET', `/api/settings/security-log?${query}`, { token })
const list = async (query = 'view=everything', token = maya) => v.parse(listSecurityLog.response, await (await ask(query, token)).json())
const kinds = async (query: string) => (await list(query)).entries.map(({ kind }) => kind)
const alerts = async (token = maya) =>
  v.parse(securityAlerts.response, await (await server.request('GET', '/api/settings/security-log/alerts', { token })).json())

describe('the security log', () => {
  test('lists the events newest first with person and place, and shows reads of many patients only on request', async () => {
    expect(await kinds('view=everything')).toEqual(['locked-out', 'refusals-repeated', 'patients-searched', 'exported', 'signed-in'])
    expect(await kinds('')).toEqual(['locked-out', 'refusals-repeated', 'exported', 'signed-in'])
    expect(await kinds('view=reads')).toEqual(['patients-searched'])
    expect(await kinds('view=exported')).toEqual(['exported'])
    const { entries, total, people } = await list()
    expect(total).toBe(5)
    expect(entries.at(-2)).toMatchObject({ by: { id_user: 2, name: 'Ben Halvorsen' }, store_name: 'Eastside', is_new: false })
    expect(people.map(({ name }) => name)).toEqual(['Ana Teixeira', 'Ben Halvorsen', 'Maya Okonjo'])
  })

  test('filters by person and by days of the store', async () => {
    expect(await kinds('person=1')).toEqual(['signed-in'])
    expect(await kinds('from=2026-11-21&view=everything')).toEqual(['locked-out', 'refusals-repeated', 'patients-searched'])
    expect(await kinds('to=2026-11-20')).toEqual(['exported', 'signed-in'])
    expect(await kinds('page=2')).toEqual([])
  })

  test.each(['from=2026-02-31', 'to=x', 'person=0', 'person=x', 'view=all', 'page=0', 'to=9999-12-31&person=999999999'])(
    'what is asked by %s is no fault of the server',
    async (query) => {
      expect([200, 422]).toContain((await ask(query)).status)
    },
  )

  test('is for managers, of their own stores; every manager sees events without a store', async () => {
    const { access_token: ben } = await server.signIn('ben')
    expect((await ask('', ben)).status).toBe(403)
    await server.db.pool.deleteFrom('user_stores').where('id_user', '=', 1).where('store_id', '=', 2).execute()
    expect(await kinds('view=everything')).not.toContain('exported')
    expect(await kinds('view=alerts')).toEqual(['locked-out'])
    await server.db.pool
      .updateTable('users')
      .set({ role_ids: ['admin'] })
      .where('id_user', '=', 1)
      .execute()
    expect(await kinds('view=everything')).toContain('exported')
    await server.db.pool.insertInto('user_stores').values({ id_user: 1, store_id: 2 }).execute()
    await server.db.pool
      .updateTable('users')
      .set({ role_ids: ['manager'] })
      .where('id_user', '=', 1)
      .execute()
  })
})

describe('alerts', () => {
  test('are new for each manager until that manager has seen them', async () => {
    const before = await alerts()
    expect(before.unseen).toBe(2)
    expect((await list('view=alerts')).entries.map(({ is_new }) => is_new)).toEqual([true, true])
    const seen = (up_to: number) => server.request('POST', '/api/settings/security-log/alerts/seen', { token: maya, body: { up_to } })
    expect((await seen(before.newest_id)).status).toBe(200)
    expect((await alerts()).unseen).toBe(0)
    // An outdated window takes nothing back, and a number that is too high hides no later alert.
    await seen(0)
    await seen(Number.MAX_SAFE_INTEGER)
    expect((await alerts()).unseen).toBe(0)
    await noteSecurityEvent(server.services, { kind: 'token-reused' })
    expect((await alerts()).unseen).toBe(1)
  })
})
