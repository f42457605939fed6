import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { endpoints } from '#contract/core/endpoints.ts'
import { errorBody } from '#contract/core/errors.ts'
import { homeInfo } from '#contract/people/session.ts'
import { verifyCaptureToken } from '#server/platform/http/tokens.ts'
import { forgetSignIns } from '#tests/support/forget-sign-ins.ts'
import { seedPassword } from '#tests/support/seed-clinic.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

const tablet = '0199f0a0-0000-7000-8000-000000000001'
let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const homeOf = async (token: string, query = '') => {
  const answer = await server.request('GET', `/api/home/home${query}`, { token })
  expect(answer.status).toBe(200)
  return v.parse(homeInfo, await answer.json())
}
const setStore = (token: string, body: unknown) => server.request('POST', '/api/home/set_store', { token, body })
const code = async (answer: Response) => `${answer.status} ${v.parse(errorBody, await answer.json()).code}`

describe('home', () => {
  test('tells Ben who he is, what he may do and where he may go', async () => {
    const { access_token } = await server.signIn('ben')
    const home = await homeOf(access_token)
    expect(home).toMatchObject({
      username: 'ben',
      email: 'ben@lorgnette.example',
      first_name: 'Ben',
      role_ids: ['stock_clerk'],
      store_name: 'Downtown',
    })
    expect(home.permissions.toSorted()).toEqual([
      'count.scan',
      'frame.add',
      'frame.change-state',
      'frame.label',
      'frame.look-up',
      'frame.transfer',
      'library.write',
      'patient-return.read',
      'time.punch',
      'vendor-invoice.read',
      'vendor-invoice.write',
    ])
  })

  test('lists the pages that a clerk may use, and the time review and the settings for a manager too', async () => {
    const urlsOf = async (username: string) => {
      const { access_token } = await server.signIn(username)
      return (await homeOf(access_token)).home_navigation.map((item) => item.url)
    }
    expect(await urlsOf('ben')).toEqual([
      '/',
      '/inventory',
      '/inventory/count-sheets',
      '/inventory/labels',
      '/transfer',
      '/receipts',
      '/returns',
      '/frame-library',
      '/time-clock',
    ])
    const stock = [
      '/inventory',
      '/inventory/count-sheets',
      '/inventory/labels',
      '/transfer',
      '/receipts',
      '/returns',
      '/frame-library',
      '/price-book',
    ]
    const work = [...stock, '/time-clock', '/time-clock/review', '/settings/inventory']
    expect(await urlsOf('maya')).toEqual(['/', '/pt-portal', '/pcp-list', ...work])
  })

  test('leaves the count sheets out for a biller, who does not count', async () => {
    const { access_token } = await server.signIn('ana')
    await server.db.pool
      .updateTable('users')
      .set({ role_ids: ['biller'] })
      .where('username', '=', 'ana')
      .execute()
    const { home_navigation } = await homeOf(access_token)
    await server.db.pool
      .updateTable('users')
      .set({ role_ids: ['optician'] })
      .where('username', '=', 'ana')
      .execute()
    expect(home_navigation.map((item) => item.title)).toEqual([
      'Home',
      'Patient portal',
      'Primary care',
      'Inventory',
      'Receipts',
      'Returns',
      'Time clock',
    ])
    for (const item of home_navigation) expect(item.icon).toMatch(/^[a-z]+(-[a-z0-9]+)*$/)
  })

  test('carries a capture token for the tablet that asks, or that signed in', async () => {
    const { access_token } = await server.signIn('ben', tablet)
    const deviceIn = async (query: string) =>
      (await verifyCaptureToken(server.services, (await homeOf(access_token, query)).capture_token)).device_id
    expect(await deviceIn('')).toBe(tablet)
    expect(await deviceIn('?device_id=0199f0a0-0000-7000-8000-000000000002')).toBe('0199f0a0-0000-7000-8000-000000000002')
  })

  test('carries the rules of the store, and the defaults when the store has none', async () => {
    const { access_token } = await server.signIn('ben')
    const settingsAre = async (settings: string) => {
      await server.db.pool.updateTable('stores').set({ settings }).where('store_id', '=', 1).execute()
      return (await homeOf(access_token)).store_settings
    }
    const usual = { blind_counts: false, control_preset: 'practice', coverage_percent: 85, scan_gap_ms: 35 }
    expect(await settingsAre('{}')).toEqual(usual)
    expect(await settingsAre('{"blind_counts":true,"control_preset":"specification","coverage_percent":90,"scan_gap_ms":50}')).toEqual({
      blind_counts: true,
      control_preset: 'specification',
      coverage_percent: 90,
      scan_gap_ms: 50,
    })
    expect(await settingsAre('{"blind_counts":"yes","coverage_percent":900,"scan_gap_ms":20,"unheard_of":1}')).toEqual({
      ...usual,
      scan_gap_ms: 20,
    })
  })
})

describe('changing the store', () => {
  test('Maya sees her three stores and works in the one she chose from the next call on', async () => {
    const { access_token } = await server.signIn('maya')
    const listed = await server.request('GET', '/api/home/set-stores-list', { token: access_token })
    const { stores } = v.parse(endpoints.storesToSet.response, await listed.json())
    expect(stores.map((store) => store.store_name)).toEqual(['Downtown', 'Eastside', 'Central Warehouse'])
    const answer = await setStore(access_token, { store_id: 2 })
    expect(await answer.json()).toMatchObject({ store_id: 2, store_name: 'Eastside' })
    expect((await homeOf(access_token)).store_id).toBe(2)
  })

  test('it changes one session, not the person', async () => {
    const [tabletSession, deskSession] = [await server.signIn('maya'), await server.signIn('maya')]
    await setStore(tabletSession.access_token, { store_id: 3 })
    expect((await homeOf(deskSession.access_token)).store_id).toBe(1)
  })

  test('the capture token of the answer is for the new store', async () => {
    const { access_token } = await server.signIn('maya', tablet)
    const home = v.parse(homeInfo, await (await setStore(access_token, { store_id: 2, device_id: tablet })).json())
    expect(await verifyCaptureToken(server.services, home.capture_token)).toMatchObject({ store_id: 2, device_id: tablet })
  })

  test('Ana, of Downtown, may not work in Eastside, and stays in Downtown', async () => {
    const { access_token } = await server.signIn('ana')
    expect(await code(await setStore(access_token, { store_id: 2 }))).toBe('403 store-foreign')
    const home = await homeOf(access_token)
    expect(home.store_id).toBe(1)
    expect(home.locations.map((location) => location.store_id)).toEqual([1])
  })

  test('an unknown store and a text that is no number get different refusals', async () => {
    const { access_token } = await server.signIn('maya')
    expect(await code(await setStore(access_token, { store_id: 99 }))).toBe('404 store-unknown')
    for (const store_id of ['2', 0, -1, 1.5, 2 ** 31, null])
      expect(await code(await setStore(access_token, { store_id }))).toBe('422 request-invalid')
  })
})

describe('a new PIN', () => {
  beforeEach(() => forgetSignIns(server))
  type Tablet = Awaited<ReturnType<typeof server.signIn>>
  const seat = async (): Promise<Tablet> => await server.signIn('ana', tablet)
  const proof = ({ device_token }: Tablet) => ({ 'lorgnette-tablet': device_token ?? '' })
  const pinLogIn = (on: Tablet, pin: string) =>
    server.request('POST', '/api/auth/login_with_pin', {
      body: { express_login: pin, recaptcha_token: 'development:login:test', device_id: tablet },
      headers: proof(on),
    })
  const ask = (on: Tablet, body: unknown) =>
    server.request('POST', '/api/home/express_pass', { token: on.access_token, headers: proof(on), body })
  const pinOf = async (answer: Response) => v.parse(endpoints.expressPass.response, await answer.json()).express_login

  test('has six digits, works at once, and ends the former one', async () => {
    const ana = await seat()
    const first = await pinOf(await ask(ana, { password: seedPassword }))
    expect(first).toMatch(/^\d{6}$/)
    expect(await (await pinLogIn(ana, first)).json()).toMatchObject({ username: 'ana' })
    expect((await pinLogIn(ana, '112233')).status).toBe(401)
    const second = await pinOf(await ask(ana, { express_login: first }))
    expect(second).not.toBe(first)
    expect((await pinLogIn(ana, first)).status).toBe(401)
    expect((await pinLogIn(ana, second)).status).toBe(200)
  })

  test('is refused for a session alone, a wrong password or somebody else’s PIN, and the current PIN stays', async () => {
    const ana = await seat()
    const { pin_lookup } = await server.db.pool
      .selectFrom('users')
      .select('pin_lookup')
      .where('username', '=', 'ana')
      .executeTakeFirstOrThrow()
    expect(await code(await ask(ana, {}))).toBe('422 request-invalid')
    expect(await code(await ask(ana, { password: 'wrong' }))).toBe('403 proof-wrong')
    expect(await code(await ask(ana, { express_login: '246810' }))).toBe('403 proof-wrong')
    const after = await server.db.pool.selectFrom('users').select('pin_lookup').where('username', '=', 'ana').executeTakeFirstOrThrow()
    expect(after.pin_lookup).toBe(pin_lookup)
  })

  test('three wrong proofs block the next one, even a right one', async () => {
    const ana = await seat()
    for (let slip = 0; slip < 3; slip++) await ask(ana, { express_login: `00000${slip}` })
    expect(await code(await ask(ana, { password: seedPassword }))).toBe('429 login-blocked')
  })

  test('is logged, alerts the managers of the person’s store, and is possible five times a day', async () => {
    // The log only grows, so it still has the PINs of earlier tests.
    server.clock.advance(2 * 86_400_000)
    const ana = await seat()
    for (let made = 0; made < 5; made++) expect((await ask(ana, { password: seedPassword })).status).toBe(200)
    expect(await code(await ask(ana, { password: seedPassword }))).toBe('429 request-too-frequent')
    const since = new Date(server.clock.now() - 60_000).toISOString()
    const events = await server.db.pool
      .selectFrom('security_log')
      .selectAll()
      .where('kind', '=', 'pin-changed')
      .where('at', '>', since)
      .execute()
    expect(events).toHaveLength(5)
    expect(events[0]).toMatchObject({ id_user: server.seed.users.ana.id_user, device_id: tablet, store_id: 1 })
    const { access_token } = await server.signIn('maya')
    const alerts = await (await server.request('GET', '/api/settings/security-log?view=pin-changed', { token: access_token })).json()
    expect(alerts.entries[0]).toMatchObject({ kind: 'pin-changed', by: { name: 'Ana Teixeira' }, is_new: true })
  })

  test('is refused to an administrator', async () => {
    const ana = await seat()
    const { pool } = server.db
    await pool
      .updateTable('users')
      .set({ role_ids: ['admin'] })
      .where('username', '=', 'ana')
      .execute()
    expect(await code(await ask(ana, { password: seedPassword }))).toBe('403 pin-forbidden')
    await pool
      .updateTable('users')
      .set({ role_ids: ['optician'] })
      .where('username', '=', 'ana')
      .execute()
  })
})
