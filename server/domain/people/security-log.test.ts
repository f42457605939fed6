import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seedPassword } from '#tests/support/seed-clinic.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'
import { forgetSignIns } from '#tests/support/forget-sign-ins.ts'
import { testPatient } from '#tests/support/test-patients.ts'

const device = '0199f0a0-0000-7000-8000-000000000001'
let server: TestServer
let seen = 0

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  await forgetSignIns(server)
  server.clock.advance(3_600_000)
  seen = (await rows()).at(-1)?.id ?? seen
})
afterAll(() => server.close())

const rows = () => server.db.pool.selectFrom('security_log').selectAll().where('id', '>', seen).orderBy('id').execute()
const kinds = async () => (await rows()).map(({ kind, times }) => [kind, times])
const logIn = (username: string, password: string, address = '10.0.0.1') =>
  server.request('POST', '/api/auth/login', {
    body: { username, password, recaptcha_token: 'development:login:test', device_id: device },
    address,
  })
const answeredLines = () => server.logged.filter(({ msg }) => msg === 'answered')

describe('the security log', () => {
  test('names who signed in, on which tablet, in which store and by which request', async () => {
    const answer = await logIn('maya', seedPassword)
    expect(await rows()).toMatchObject([
      {
        kind: 'signed-in',
        id_user: 1,
        store_id: 1,
        device_id: device,
        request_id: answer.headers.get('x-request-id'),
        address: '10.0.0.1',
        detail: 'password',
      },
    ])
  })

  test('names the account that a wrong password was tried on, and keeps no typed text', async () => {
    await logIn('maya', 'hunter2')
    await logIn('hunter2', 'hunter2', '10.0.0.2')
    const failed = await rows()
    expect(failed).toMatchObject([
      { kind: 'sign-in-failed', id_user: null, id_about: 1, store_id: 1, address: '10.0.0.1', detail: 'password' },
      { kind: 'sign-in-failed', id_user: null, id_about: null, store_id: null, address: '10.0.0.2' },
    ])
    expect(JSON.stringify(failed)).not.toContain('hunter2')
  })

  test('records that wrong passwords locked an account', async () => {
    for (let at = 0; at < 3; at++) await logIn('maya', 'wrong')
    expect((await kinds()).map(([kind]) => kind)).toEqual(['sign-in-failed', 'sign-in-failed', 'sign-in-failed', 'locked-out'])
    expect((await rows()).at(-1)).toMatchObject({ kind: 'locked-out', id_about: 1 })
  })

  test('records who made a new PIN, and who signed out', async () => {
    const { access_token: token } = await server.signIn('ana', device)
    await server.request('POST', '/api/home/express_pass', { token, body: { password: seedPassword } })
    await server.request('POST', '/api/auth/logout', { token })
    const ana = server.seed.users.ana.id_user
    expect(await rows()).toMatchObject([
      { kind: 'signed-in' },
      { kind: 'pin-changed', id_user: ana, device_id: device, address: null },
      { kind: 'signed-out', id_user: ana, device_id: device },
    ])
  })

  test('records that a used refresh token came again', async () => {
    const { refresh_token } = await server.signIn('maya', device)
    const refresh = (token: string) => server.request('POST', '/api/auth/token/refresh', { body: { refresh_token: token } })
    const next = (await (await refresh(refresh_token)).json()) as { refresh_token: string }
    await refresh(next.refresh_token)
    server.clock.advance(60_000)
    expect((await refresh(refresh_token)).status).toBe(401)
    expect((await rows()).at(-1)).toMatchObject({ kind: 'token-reused', id_user: 1, device_id: device, address: '127.0.0.1' })
  })

  test('records who ended which tablet', async () => {
    const tablet = new WireTablet(server, 'Back room')
    await tablet.signIn('ben')
    await tablet.push([])
    const { access_token: token } = await server.signIn('maya', device)
    await server.request('POST', `/api/settings/tablets/${tablet.deviceId}/revoke`, { token })
    expect((await rows()).at(-1)).toMatchObject({ kind: 'tablet-revoked', id_user: 1, device_id: device, detail: tablet.deviceId })
  })
})

describe('refusals', () => {
  test('are grouped by call, and the tenth in ten minutes alerts the managers once', async () => {
    const { access_token: token } = await server.signIn('ben', device)
    const ask = () => server.request('GET', '/api/settings/tablets', { token })
    for (let at = 0; at < 9; at++) expect((await ask()).status).toBe(403)
    expect(await kinds()).toEqual([
      ['signed-in', 1],
      ['refused', 1],
    ])
    for (let at = 0; at < 20; at++) await ask()
    expect((await kinds()).slice(1)).toEqual([
      ['refused', 1],
      ['refused', 9],
      ['refusals-repeated', 10],
    ])
    expect((await rows()).at(1)).toMatchObject({ id_user: 2, device_id: device, detail: 'GET /api/settings/tablets permission-missing' })
    server.clock.advance(600_000)
    await ask()
    expect((await kinds()).slice(4)).toEqual([['refused', 1]])
  })

  test('of different calls in a row alert as well', async () => {
    const { access_token: token } = await server.signIn('ben')
    for (let at = 0; at < 10; at++)
      await server.request('GET', at % 2 ? '/api/settings/tablets' : `/api/patient/${device}/audit?page=1`, { token })
    expect((await kinds()).filter(([kind]) => kind === 'refusals-repeated')).toEqual([['refusals-repeated', 10]])
  })

  test('of a command in a push are noted with the command', async () => {
    const tablet = new WireTablet(server, 'Desk')
    await tablet.signIn('ben')
    const sheet = await tablet.createSheet()
    await tablet.signIn('ana')
    const [receipt] = await tablet.push([tablet.command('count.delete', { id_count_sheet: sheet })])
    expect(receipt?.error?.code).toBe('permission-missing')
    expect((await rows()).at(-1)).toMatchObject({ kind: 'refused', detail: 'count.delete permission-missing', times: 1 })
  })
})

describe('reads of many patients', () => {
  beforeAll(async () => {
    const { access_token: token } = await server.signIn('maya')
    for (const nth of [1, 2]) {
      const { first_name, last_name } = testPatient(nth)
      const patient = { first_name, last_name, street_address: '12 Quarry Ln', city: 'Larkspur', state: 'NY', zip_code: '12345' }
      const answer = await server.request('POST', '/api/patient/add', { token, body: { ...patient, gender: 'Female', dob: '1980-02-28' } })
      expect(answer.status).toBe(200)
    }
  })

  test('a search is noted with the number of shown patients, and without the typed text', async () => {
    const { access_token: token } = await server.signIn('maya', device)
    const answer = await server.request('GET', '/api/patient/lookup?city=larkspur', { token })
    expect(answer.status).toBe(200)
    const noted = (await rows()).at(-1)
    expect(noted).toMatchObject({ kind: 'patients-searched', id_user: 1, device_id: device, times: 2 })
    expect(JSON.stringify(noted).toLowerCase()).not.toContain('larkspur')
  })

  test('a search that finds nobody is not noted', async () => {
    const { access_token: token } = await server.signIn('maya', device)
    await server.request('GET', '/api/patient/lookup?city=nowhere', { token })
    expect((await kinds()).map(([kind]) => kind)).toEqual(['signed-in'])
  })

  test('filling a tablet is noted once for each person, tablet and day', async () => {
    const pull = (token: string) => server.request('GET', '/api/sync/pull?collection=patients', { token })
    const maya = await server.signIn('maya', device)
    for (let at = 0; at < 3; at++) await (await pull(maya.access_token)).text()
    const ana = await server.signIn('ana', device)
    await (await pull(ana.access_token)).text()
    const mirrored = (await rows()).filter(({ kind }) => kind === 'patients-mirrored')
    expect(mirrored).toMatchObject([
      { id_user: 1, times: 2 },
      { id_user: server.seed.users.ana.id_user, times: 2 },
    ])
    server.clock.advance(86_400_000)
    await (await pull((await server.signIn('maya', device)).access_token)).text()
    expect((await rows()).filter(({ kind }) => kind === 'patients-mirrored')).toHaveLength(3)
  })
})

test('the log line of a call names person and tablet by id, and nobody when nobody is signed in', async () => {
  const { access_token: token } = await server.signIn('maya', device)
  expect(answeredLines().at(-1)).not.toHaveProperty('id_user')
  const answer = await server.request('GET', '/api/home/home', { token })
  expect(answeredLines().at(-1)).toMatchObject({ id_user: 1, device_id: device, request_id: answer.headers.get('x-request-id') })
})
