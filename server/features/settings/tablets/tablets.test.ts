import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { type Tablet, tablet as tabletShape, tabletEndpoints } from '#contract/people/tablets.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

let server: TestServer
let maya: string
let tablet: WireTablet
/** Tablets of the current test. Earlier tests' tablets are left out. */
let known: Set<string>
const begun = '2026-11-20T14:00:00.000Z'

beforeAll(async () => {
  server = await startTestServer()
  maya = (await server.signIn('maya')).access_token
})
beforeEach(async () => {
  known = new Set((await listed(maya, () => true)).map(({ id_tablet }) => id_tablet))
  tablet = await seat('Tablet A')
})
afterEach(() => server.clock.set(begun))
afterAll(() => server.close())

async function seat(name: string): Promise<WireTablet> {
  const one = new WireTablet(server, name)
  await one.signIn('ben')
  return one
}

const path = '/api/settings/tablets'
const isNew = ({ id_tablet }: Tablet) => !known.has(id_tablet)
const listed = async (token = maya, which = isNew): Promise<Tablet[]> =>
  v.parse(tabletEndpoints.listTablets.response, await (await server.request('GET', path, { token })).json()).tablets.filter(which)
const revoke = (id: string, token = maya) => server.request('POST', `${path}/${id}/revoke`, { token })
const refusalOf = async (answer: Response) => [answer.status, v.parse(errorBody, await answer.json()).code]
const moveTo = (token: string, store_id: number) => server.request('POST', '/api/home/set_store', { token, body: { store_id } })

describe('the list of tablets', () => {
  test('shows a tablet’s last report: name, person, store, version, and unsent work with its age', async () => {
    await tablet.push([], {
      app_version: '1.2.3',
      holds: [
        { lane: 'count:x', unsent: 2 },
        { lane: 'punch:ben', unsent: 1 },
      ],
      oldest_unsent_s: 90,
    })
    expect(await listed()).toEqual([
      {
        id_tablet: tablet.deviceId,
        name: 'Tablet A',
        store_id: 1,
        store_name: 'Downtown',
        person_name: 'Ben Halvorsen',
        last_seen_at: begun,
        unsent: 3,
        oldest_unsent_at: '2026-11-20T13:58:30.000Z',
        app_version: '1.2.3',
        session: 'open',
      },
    ])
  })

  test('a report that arrives after a newer one changes nothing', async () => {
    await tablet.push([], { report: 10, app_version: '2', device_name: 'New name' })
    server.clock.advance(60_000)
    await tablet.push([], { report: 9, app_version: '1', device_name: 'Old name', holds: [{ lane: 'x', unsent: 9 }], oldest_unsent_s: 5 })
    expect(await listed()).toMatchObject([{ name: 'New name', app_version: '2', unsent: 0, oldest_unsent_at: null, last_seen_at: begun }])
  })

  test('shows the person who signed in last as the user', async () => {
    await tablet.push([])
    await tablet.signIn('ana')
    await tablet.push([])
    expect(await listed()).toMatchObject([{ id_tablet: tablet.deviceId, person_name: 'Ana Teixeira' }])
  })

  test('an app that reports neither version nor age is listed too', async () => {
    await tablet.push([], { holds: [{ lane: 'x', unsent: 4 }] })
    expect(await listed()).toMatchObject([{ unsent: 4, oldest_unsent_at: null, app_version: null }])
  })

  test.each([
    ['app_version', ['x'.repeat(41), 'a\u0000b', 7]],
    ['oldest_unsent_s', [-1, 1.5, 315_360_001, '5']],
  ])('a %s out of bounds is refused', async (field, values) => {
    for (const value of values) expect((await tablet.pushRaw([], { [field]: value })).status).toBe(422)
  })

  test('senseless numbers are stored within limits', async () => {
    await tablet.push([], {
      holds: [
        { lane: 'x', unsent: 1e300 },
        { lane: 'y', unsent: -5 },
      ],
      oldest_unsent_s: 315_360_000,
    })
    expect(await listed()).toMatchObject([{ unsent: 1_000_000, oldest_unsent_at: '2016-11-22T14:00:00.000Z' }])
  })

  test('has only the tablets of the manager’s own stores, wherever the manager works now', async () => {
    await moveTo(tablet.session.access_token, 2)
    await tablet.push([])
    expect(await listed()).toMatchObject([{ store_name: 'Eastside' }])
    await server.db.pool.deleteFrom('user_stores').where('id_user', '=', 1).where('store_id', '=', 2).execute()
    expect(await listed()).toEqual([])
    expect(await refusalOf(await revoke(tablet.deviceId))).toEqual([404, 'tablet-unknown'])
    expect((await tablet.pushRaw([])).status).toBe(200)
    await server.db.pool.insertInto('user_stores').values({ id_user: 1, store_id: 2 }).execute()
  })

  test('is for managers', async () => {
    const { access_token: token } = tablet.session
    expect(await refusalOf(await server.request('GET', path, { token }))).toEqual([403, 'permission-missing'])
    await tablet.push([])
    expect(await refusalOf(await revoke(tablet.deviceId, token))).toEqual([403, 'permission-missing'])
    expect(await listed()).toMatchObject([{ session: 'open' }])
  })

  test('drops tablets after 90 silent days, except those that held work', async () => {
    const holder = await seat('Holder')
    await holder.push([], { holds: [{ lane: 'x', unsent: 1 }] })
    await tablet.push([])
    server.clock.advance(91 * 86_400_000)
    const { access_token } = await server.signIn('maya')
    expect(await listed(access_token)).toMatchObject([{ name: 'Holder', session: 'ended' }])
    // That sign-in removed her former sessions.
    server.clock.set(begun)
    maya = (await server.signIn('maya')).access_token
  })

  test('keeps its order by store and name, whichever tablet reported last', async () => {
    const names = ['C', 'A', 'B']
    for (const name of names) {
      const one = await seat(name)
      await one.push([])
    }
    await tablet.push([])
    expect((await listed()).map(({ name }) => name)).toEqual(['A', 'B', 'C', 'Tablet A'])
  })
})

describe('revoking a tablet', () => {
  test('ends all its sessions: the next call and the next refresh get the specification’s message', async () => {
    const ben = tablet.session
    const ana = await tablet.signIn('ana')
    await tablet.push([])
    const answer = await revoke(tablet.deviceId)
    expect([answer.status, v.parse(tabletShape, await answer.json()).session]).toEqual([200, 'revoked'])
    for (const { access_token, refresh_token } of [ben, ana]) {
      const call = await server.request('GET', '/api/home/home', { token: access_token })
      expect([call.status, v.parse(errorBody, await call.json()).error]).toEqual([401, 'Token has been revoked'])
      const refresh = await server.request('POST', '/api/auth/token/refresh', { body: { refresh_token } })
      expect([refresh.status, v.parse(errorBody, await refresh.json()).error]).toEqual([401, 'Token has been revoked'])
    }
  })

  test('leaves other tablets of the same person alone', async () => {
    const other = await seat('Tablet B')
    await tablet.push([])
    await other.push([])
    await revoke(tablet.deviceId)
    expect((await tablet.pushRaw([])).status).toBe(401)
    expect((await other.pushRaw([])).status).toBe(200)
    expect((await listed()).map(({ name, session }) => [name, session])).toEqual([
      ['Tablet A', 'revoked'],
      ['Tablet B', 'open'],
    ])
  })

  test('gives it another mark and another key for patients, even when nobody was signed in; no other tablet gets one', async () => {
    const other = await seat('Tablet B')
    const maya2 = await tablet.signIn('maya')
    await tablet.push([])
    const of = async (token: string) =>
      await Promise.all(
        ['/api/sync/tablet-mark', '/api/sync/patients-key'].map(
          async (path) => await (await server.request('GET', path, { token })).text(),
        ),
      )
    const before = await of(maya2.access_token)
    expect(await of((await tablet.signIn('maya')).access_token)).toEqual(before)
    const [otherMark] = await of(other.session.access_token)
    expect(otherMark).not.toBe(before[0])
    await server.request('POST', '/api/auth/logout', { token: maya2.access_token })
    server.clock.advance(1000)
    await revoke(tablet.deviceId)
    const after = await of((await tablet.signIn('maya')).access_token)
    expect(after[0]).not.toBe(before[0])
    expect(after[1]).not.toBe(before[1])
    expect((await of(other.session.access_token))[0]).toBe(otherMark)
  })

  test('discards nothing that it held: that waits for a manager after the next sign-in', async () => {
    const sheet = await tablet.createSheet()
    const scan = tablet.scan(sheet, 'DT-000001')
    await revoke(tablet.deviceId)
    expect((await tablet.pushRaw([scan])).status).toBe(401)
    await tablet.signIn('ana')
    const [receipt] = await tablet.push([scan])
    expect(receipt?.error?.code).toBe('work-held')
    const row = await server.db.pool.selectFrom('held_commands').selectAll().where('command_id', '=', scan.id).executeTakeFirst()
    expect(row).toMatchObject({ author_id: server.seed.users.ben.id_user, deliverer_id: server.seed.users.ana.id_user })
    expect(await listed()).toMatchObject([{ session: 'open', person_name: 'Ana Teixeira' }])
  })

  test('is over after the next sign-in there, even when that user signed out again', async () => {
    await tablet.push([])
    await revoke(tablet.deviceId)
    server.clock.advance(1000)
    await tablet.signIn('ben')
    expect(await listed()).toMatchObject([{ session: 'open' }])
    await server.request('POST', '/api/auth/logout', { token: tablet.session.access_token })
    expect(await listed()).toMatchObject([{ session: 'ended' }])
  })

  test('a session without a device is a tablet of its own', async () => {
    const { access_token } = await server.signIn('ben')
    await tablet.push([])
    const nameless = await server.request('POST', '/api/sync/push', {
      token: access_token,
      body: { device_id: uuidv7(), device_name: 'Nameless', protocol: 1, report: 1, commands: [], holds: [], open_sheets: [] },
    })
    expect(nameless.status).toBe(200)
    const { id_tablet = '' } = (await listed()).find(({ name }) => name === 'Nameless') ?? {}
    expect((await revoke(id_tablet)).status).toBe(200)
    expect((await server.request('GET', '/api/home/home', { token: access_token })).status).toBe(401)
    expect((await tablet.pushRaw([])).status).toBe(200)
  })

  test('an unknown tablet is refused, and so is a text that is no id', async () => {
    expect(await refusalOf(await revoke(uuidv7()))).toEqual([404, 'tablet-unknown'])
    expect((await revoke('all')).status).toBe(422)
  })

  test('twice changes nothing', async () => {
    await tablet.push([])
    await revoke(tablet.deviceId)
    expect(await (await revoke(tablet.deviceId)).json()).toMatchObject({ session: 'revoked' })
  })
})
