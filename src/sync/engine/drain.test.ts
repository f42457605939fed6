import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Device } from '#src/sync/device/device.ts'
import { FakeClinic, json, person } from '#tests/support/fake-clinic.ts'
import { FakeTablet, until } from '#tests/support/test-device.ts'

let clinic: FakeClinic
let tablet: FakeTablet
let device: Device
const sheet = '0199d0f0-0000-7000-8000-000000000001'
const otherSheet = '0199d0f0-0000-7000-8000-000000000002'

beforeEach(async () => {
  clinic = new FakeClinic()
  tablet = new FakeTablet(clinic.answer, { haste: 200 })
  tablet.network.online = false
  device = await tablet.open()
  await device.session.signIn(person('ben'))
})
afterEach(() => tablet.close())

async function scan(code: string, on = sheet) {
  const made = await device.outbox.record(
    'count.scan',
    `count:${on}`,
    { id_count_sheet: on, raw_code: code, id_inventory: null, via: 'scanner', previous_scan: null },
    { title: `Scan ${code}` },
  )
  if (!made.saved) throw new Error(made.problem.message)
  return made.command.id
}

async function punch(username: string) {
  const body = { username, direction: 'in' as const, sealed_password: 'sealed', key_id: 'k', store_id: null }
  const made = await device.outbox.record('punch.record', `punch:${username}`, body, { title: `${username} clocked in` })
  if (!made.saved) throw new Error(made.problem.message)
  return made.command.id
}

const codes = () => [...clinic.applied.values()].map((command) => command.body['raw_code'])
const empty = async () => (await device.hot.outbox.count()) === 0
const bodyOf = (init: RequestInit) => (typeof init.body === 'string' ? init.body : '')
const stateOf = async (id: string) => (await device.hot.outbox.get(id))?.state

async function goOnline() {
  tablet.network.online = true
  await device.drain()
}

describe('failures that other offline queues have had', () => {
  test('1: work is deleted only after its receipt, never before it is sent, with any status', async () => {
    const id = await scan('A')
    tablet.network.between = (path) =>
      path === '/api/sync/push' ? json(500, { error: 'Something went wrong', code: 'server-failed' }) : null
    await goOnline()
    expect(await device.hot.outbox.get(id)).toBeDefined()
    tablet.network.between = null
    await device.drain()
    await until('it was sent', empty)
    expect(codes()).toEqual(['A'])
  })

  test('2: an expired token loses nothing and is renewed', async () => {
    await scan('A')
    clinic.accessToken = 'another'
    await goOnline()
    await until('it was sent', empty)
    expect(clinic.refreshes).toBe(1)
    expect(device.session.state.getState().home?.capture_token).toBe('capture-new')
  })

  test('4: many calls with an expired token renew it once', async () => {
    clinic.accessToken = 'another'
    await Promise.all(['A', 'B', 'C'].map((code) => scan(code)))
    const second = await tablet.open()
    tablet.network.online = true
    await Promise.all([device.drain(), second.drain()])
    await until('it was sent', empty)
    expect(clinic.refreshes).toBe(1)
    await until('the other tab knows', () => second.session.state.getState().home?.capture_token === 'capture-new')
  })

  test('5 and 6: with two tabs and lost answers, every scan arrives once', async () => {
    const second = await tablet.open()
    for (let number = 0; number < 10; number += 1) await scan(`${number}`)
    tablet.network.answersToLose = 2
    tablet.network.online = true
    await Promise.all([device.drain(), second.drain()])
    await until('it was sent', empty)
    expect(codes()).toEqual(Array.from({ length: 10 }, (_, number) => `${number}`))
  })

  test('7: one refused command does not hold up the others', async () => {
    const poison = await scan('A')
    clinic.refusals.set(poison, { status: 422, code: 'request-invalid' })
    await scan('B')
    await scan('C', otherSheet)
    await goOnline()
    await until('the others were sent', () => clinic.applied.size === 2)
    expect(await stateOf(poison)).toBe('needs-attention')
    await until('it needs attention', () => device.connection.getState().needsAttention === 1)
    expect((await device.hot.outbox.get(poison))?.last_error?.code).toBe('request-invalid')
  })

  test('7: a batch that the server rejects is halved until the bad command is alone', async () => {
    const ids = []
    for (let number = 0; number < 8; number += 1) ids.push(await scan(`${number}`))
    const poison = ids[5]
    tablet.network.between = (path, init) =>
      path === '/api/sync/push' && poison && bodyOf(init).includes(poison)
        ? json(422, { error: 'Some fields aren’t valid', code: 'request-invalid' })
        : null
    await goOnline()
    await until('seven were sent', () => clinic.applied.size === 7)
    expect(await device.hot.outbox.toCollection().primaryKeys()).toEqual([poison])
  })

  test('a refused sheet holds its scans back, and other sheets continue', async () => {
    clinic.refusals.set('count.create', { status: 422, code: 'count-scope-empty' })
    const scope = { brand_ids: [], vendor_ids: [], statuses: [], price_min_cents: null, price_max_cents: null }
    const body = { id_count_sheet: sheet, scope, notes: '', blind: false }
    const created = await device.outbox.record('count.create', `count:${sheet}`, body, { title: 'New count' })
    if (!created.saved) throw new Error('not saved')
    const orphan = await scan('A')
    await scan('B', otherSheet)
    clinic.refusals.set(orphan, { status: 404, code: 'count-unknown' })
    await goOnline()
    await until('the other sheet was sent', () => clinic.applied.size === 1)
    expect(await stateOf(created.command.id)).toBe('needs-attention')
    expect(await stateOf(orphan)).toBe('queued')

    clinic.refusals.clear()
    const before = clinic.batches.length
    await device.outbox.correct(created.command.id, { ...body, notes: 'again' })
    await until('all was sent', empty)
    const lane = clinic.batches
      .slice(before)
      .flat()
      .filter((command) => command.lane === `count:${sheet}` && clinic.applied.has(command.id))
    expect(lane.map((command) => command.kind)).toEqual(['count.create', 'count.scan'])
  })

  test('8: a failed send is tried again without another write', async () => {
    await scan('A')
    await goOnlineWithoutDraining()
    await until('it was sent', empty)
  })

  test('13: a captive portal that answers 200 confirms nothing', async () => {
    const id = await scan('A')
    tablet.network.between = () =>
      new Response('<html>Welcome to the guest network</html>', { status: 200, headers: { 'content-type': 'text/html' } })
    await goOnline()
    expect(await device.hot.outbox.get(id)).toMatchObject({ state: 'queued', attempts: 0 })
    expect(await device.probe()).toBe(false)
    tablet.network.between = () => new Response(null, { status: 302, headers: { location: 'https://portal.example' } })
    expect(await device.probe()).toBe(false)
    tablet.network.between = null
    await device.drain()
    await until('it was sent', empty)
  })

  test('14: a command keeps its hash after sending', async () => {
    const id = await scan('A')
    tablet.network.answersToLose = 1
    await goOnline()
    const frozen = (await device.hot.outbox.get(id))?.body_hash
    if (frozen !== undefined) expect(frozen).toMatch(/^[0-9a-f]{64}$/)
    await until('it was sent', empty)
    expect((await device.hot.settled.get(id))?.receipt?.body_hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('19: signing out and visiting the login screen keep the outbox', async () => {
    await scan('A')
    await device.drain()
    await device.session.signOut()
    await device.session.deleteTokens()
    expect(await device.hot.outbox.count()).toBe(1)
    await goOnline()
    expect(clinic.applied.size).toBe(0)
    await until('it waits for a sign-in', () => device.connection.getState().waitsForSignIn)
    await device.session.signIn(person('ana', 3))
    await until('it was sent', empty)
    expect([...clinic.applied.values()][0]?.author.name).toBe('ben Halvorsen')
  })
})

async function goOnlineWithoutDraining() {
  await device.drain()
  tablet.network.online = true
}

describe('the session while work waits', () => {
  test('3: a server that calls every token expired is not asked again and again without a pause', async () => {
    await scan('A')
    tablet.network.between = (path) => (path === '/api/sync/push' ? json(401, { error: 'Token has expired', code: 'token-expired' }) : null)
    await goOnline()
    expect(tablet.network.callsTo('/api/sync/push').length).toBeLessThanOrEqual(3)
    expect(clinic.refreshes).toBeLessThanOrEqual(3)
    expect(await device.hot.outbox.count()).toBe(1)
    tablet.network.between = null
    await device.drain()
    await until('it was sent', empty)
  })

  test('a user signs in while the answer to the former user is on its way: the work leaves at once', async () => {
    await scan('A')
    let answered = false
    tablet.network.between = async (path) => {
      if (path !== '/api/sync/push' || answered) return null
      answered = true
      await device.session.signIn({ ...person('ana', 3), access_token: 'access-ana', refresh_token: 'refresh-ana' })
      clinic.accessToken = 'access-ana'
      return json(401, { error: 'Token has been revoked', code: 'token-revoked' })
    }
    await goOnline()
    expect(await empty()).toBe(true)
    expect([...clinic.applied.values()][0]?.author.name).toBe('ben Halvorsen')
    expect(device.session.state.getState().home?.username).toBe('ana')
  })

  test('home info of the former user never becomes the name of the next user', async () => {
    const { access_token: _access, refresh_token: _refresh, ...bens } = person('ben')
    await device.session.signIn(person('ana', 3))
    await device.session.updateHome(bens)
    expect(device.session.state.getState().home?.username).toBe('ana')
  })

  test('with only a refresh token the session is renewed, and nobody is signed out', async () => {
    await scan('A')
    await device.hot.session.update('session', { access_token: null })
    await device.close()
    tablet.network.online = true
    device = await tablet.open()
    await until('it was sent', empty)
    expect(clinic.refreshes).toBe(1)
    expect(device.session.state.getState().status).toBe(1)
  })

  test('a call that the app itself canceled says nothing about the network', async () => {
    await goOnline()
    await device.probe()
    const seen: (boolean | null)[] = []
    device.connection.subscribe(({ online }) => seen.push(online))
    tablet.network.between = (path, init) =>
      path.startsWith('/api/sync/pull')
        ? new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
        : null
    void device.pull()
    await until('it pulls', () => tablet.network.callsTo('/api/sync/pull').length > 0)
    await device.session.signIn(person('ana', 3))
    await until('it pulls for the next person', () => tablet.network.callsTo('/api/sync/pull').length > 1)
    expect(seen).not.toContain(false)
  })
})

describe('answers of the server', () => {
  test('426 keeps everything and asks for the update', async () => {
    await scan('A')
    tablet.network.between = (path) => (path === '/api/sync/push' ? json(426, { error: 'too old', code: 'app-outdated' }) : null)
    await goOnline()
    expect(device.connection.getState().updateRequired).toBe(true)
    expect(await device.hot.outbox.count()).toBe(1)
  })

  test('429 waits as long as it says and does not count as an attempt', async () => {
    const id = await scan('A')
    tablet.network.between = (path) =>
      path === '/api/sync/push' ? json(429, { error: 'wait', code: 'request-too-frequent', retry_after_s: 30 }) : null
    await goOnline()
    const made = tablet.network.callsTo('/api/sync/push').length
    expect(await device.hot.outbox.get(id)).toMatchObject({ state: 'queued', attempts: 0 })
    expect(made).toBe(1)
  })

  test('413 halves the batch', async () => {
    for (let number = 0; number < 9; number += 1) await scan(`${number}`)
    tablet.network.between = (path, init) =>
      path === '/api/sync/push' && bodyOf(init).split('count.scan').length > 3
        ? new Response('too large', { status: 413, headers: { 'content-type': 'text/html' } })
        : null
    await goOnline()
    await until('all was sent', empty)
    expect(codes()).toEqual(Array.from({ length: 9 }, (_, number) => `${number}`))
  })

  test.each(['token-revoked', 'refresh-invalid', 'token-mismatch', 'refresh-expired'])(
    '%s ends the session and keeps the queue',
    async (code) => {
      await scan('A')
      clinic.accessToken = 'another'
      clinic.refreshRefusal = { status: 401, code, message: 'no' }
      await goOnline()
      expect(device.session.state.getState().status).toBe(0)
      expect(tablet.stored.has('AccessToken')).toBe(false)
      expect(await device.hot.outbox.count()).toBe(1)
    },
  )

  test('a network error while renewing signs nobody out', async () => {
    await scan('A')
    clinic.accessToken = 'another'
    tablet.network.between = (path) => {
      if (path === '/api/auth/token/refresh') throw new TypeError('Failed to fetch')
      return null
    }
    await goOnline()
    expect(device.session.state.getState().status).toBe(1)
    expect(tablet.stored.get('RefreshToken')).toBe('refresh-1')
  })

  test('a push that finds no server waits longer each time, and successful pulls do not shorten the wait', async () => {
    await scan('A')
    tablet.network.between = (path) => (path === '/api/sync/push' ? new Response('<html>Bad gateway</html>', { status: 502 }) : null)
    const seen: (boolean | null)[] = []
    device.connection.subscribe(({ online }) => seen.push(online))
    await goOnline()
    await device.pull()
    // A minute of the tablet's time: 1, 2, 4, 8, 16, and 32 seconds.
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(tablet.network.callsTo('/api/sync/push').length).toBeLessThanOrEqual(9)
    expect(device.connection.getState()).toMatchObject({ online: true, unsent: 1 })
    expect(seen.slice(seen.indexOf(true))).not.toContain(false)
    tablet.network.between = null
    await device.drain()
    await until('it was sent', empty)
  })

  test('a wait of more than five minutes is respected', async () => {
    await scan('A')
    tablet.network.between = (path) =>
      path === '/api/sync/push' ? json(429, { error: 'wait', code: 'request-too-frequent', retry_after_s: 1800 }) : null
    await goOnline()
    tablet.pass(6 * 60_000)
    await scan('B')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(tablet.network.callsTo('/api/sync/push')).toHaveLength(1)
    tablet.network.between = null
    tablet.pass(30 * 60_000)
    await until('both were sent', empty)
  })

  test('a drainer that lost its fence while frozen acknowledges nothing', async () => {
    const id = await scan('A')
    tablet.network.between = async (path) => {
      if (path !== '/api/sync/push') return null
      tablet.network.between = null
      await device.hot.facts.put({ key: 'drain', value: { epoch: 999, holder: 'another' } })
      return null
    }
    await goOnline()
    await until('it was brought again and confirmed', empty)
    expect(clinic.batches.filter((batch) => batch.some((command) => command.id === id)).length).toBe(2)
  })

  test('a restored server gets all work again that it had confirmed', async () => {
    await scan('A')
    await goOnline()
    await until('it was sent', empty)
    clinic.applied.clear()
    clinic.epoch = '0199d0f0-0000-7000-8000-0000000000ff'
    await device.probe()
    await until('it was sent again', () => clinic.applied.size === 1)
    await until('it is settled again', empty)
    expect((await device.hot.settled.toArray()).map((entry) => entry.epoch)).toEqual([clinic.epoch])
  })

  test('it does so after the tablet was off and its clock was set forward by months', async () => {
    await scan('A')
    await goOnline()
    await until('it was sent', empty)
    await device.close()
    tablet.pass(90 * 86_400_000)
    clinic.applied.clear()
    clinic.epoch = '0199d0f0-0000-7000-8000-0000000000ff'
    device = await tablet.open()
    await until('it was sent again', () => codes().includes('A'))
    await until('it is settled again', empty)
  })

  test('a receipt older than a month by the server clock is deleted', async () => {
    await scan('A')
    await goOnline()
    await until('it was sent', empty)
    const [proof] = await device.hot.settled.toArray()
    await device.hot.settled.put({ ...proof!, id: otherSheet, settled_at: new Date(Date.now() - 31 * 86_400_000).toISOString() })
    await device.close()
    device = await tablet.open()
    await until('it is gone', async () => (await device.hot.settled.count()) === 1)
    expect((await device.hot.settled.toArray()).map(({ id }) => id)).toEqual([proof!.id])
  })
})

describe('a punch that cannot be sent', () => {
  const check = '/api/timecard/check'

  test.each([
    ['cannot reach its call', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['meets a proxy that forbids its call', () => new Response('<html>Forbidden</html>', { status: 403 })],
    ['gets an unknown answer', () => json(200, { hello: 1 })],
    ['must wait', () => json(429, { error: 'wait', code: 'request-too-frequent', retry_after_s: 60 })],
    ['names a blocked account', () => json(429, { error: 'wait', code: 'login-blocked', retry_after_s: 60 })],
  ])('does not hold up a scan when it %s', async (_, answer) => {
    const id = await punch('ben')
    await scan('A')
    tablet.network.between = (path) => (path === check ? answer() : null)
    await goOnline()
    expect(codes()).toEqual(['A'])
    expect(device.connection.getState().online).not.toBe(false)
    // A scan made while the punch waits for its next try goes too.
    await scan('B')
    await until('the scan was sent', () => codes().length === 2, 2000)
    expect(await device.hot.outbox.get(id)).toMatchObject({ attempts: 0 })
    expect(await stateOf(id)).not.toBe('needs-attention')
  })

  test('with a blocked account waits alone; the punch of the next person is sent', async () => {
    const ids = [await punch('ana'), await punch('ben')]
    tablet.network.between = (path, init) => {
      if (path !== check) return null
      return bodyOf(init).includes('"ana"')
        ? json(429, { error: 'wait', code: 'login-blocked', retry_after_s: 60 })
        : json(401, { error: 'Wrong', code: 'punch-wrong' })
    }
    await goOnline()
    expect(await Promise.all(ids.map(stateOf))).toEqual(['retry-wait', 'needs-attention'])
  })

  test('is tried after the scans once its call has failed', async () => {
    await punch('ben')
    // Its next try is an hour away, so that none starts while this test looks.
    const busy = { error: 'wait', code: 'request-too-frequent', retry_after_s: 3600 }
    tablet.network.between = (path) => (path === check ? json(429, busy) : null)
    await goOnline()
    tablet.network.calls.length = 0
    tablet.network.online = false
    await scan('A')
    await goOnline()
    const sending = tablet.network.calls.filter(({ path }) => path === check || path.startsWith('/api/sync/push'))
    expect(sending.map(({ path }) => path)).toEqual(['/api/sync/push', check])
  })
})
