import { afterEach, beforeEach, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import type { Device } from '#src/sync/device/device.ts'
import { createPunching, type Punching } from '#src/sync/session/punching.ts'
import { seedPassword } from '#tests/support/seed-clinic.ts'
import { FakeTablet, until } from '#tests/support/test-device.ts'
import { startTestServer, type TestClock, type TestServer } from '#tests/support/test-server.ts'

const start = Date.parse('2026-11-20T14:00:00.000Z')
const haste = 10

/** The server's clock, as fast as the tablets' clocks. */
function runningClock(): TestClock {
  const begun = Date.now()
  let ahead = 0
  const now = () => Math.round(start + ahead + (Date.now() - begun) * haste)
  return { now, set: (instant) => void (ahead += new Date(instant).getTime() - now()), advance: (ms) => void (ahead += ms) }
}

let server: TestServer
let tablets: FakeTablet[]

beforeEach(async () => {
  server = await startTestServer({ clock: runningClock() })
  tablets = []
})
afterEach(async () => {
  await Promise.all(tablets.map((tablet) => tablet.close()))
  await server.close()
})

async function newTablet(): Promise<{ tablet: FakeTablet; device: Device; punching: Punching }> {
  const tablet = new FakeTablet(
    async (path, init) => await server.app.request(path, init, { connection: { remoteAddress: '127.0.0.1', encrypted: false } }),
    { start: server.clock.now(), haste },
  )
  tablets.push(tablet)
  const device = await tablet.open()
  // Measure the clock first: a manager would have to review a punch of a tablet without a measured clock.
  while (device.serverOffsetMs() === null) await device.probe()
  return { tablet, device, punching: punchingAt(tablet, device) }
}

function punchingAt(tablet: FakeTablet, device: Device): Punching {
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 2000))
  return createPunching(device, { now: () => tablet.now(), monotonic: () => tablet.now() - start, newId: () => uuidv7(), pause })
}

const punches = () => server.db.pool.selectFrom('punches').selectAll().orderBy('at').execute()
const ben = { username: 'ben', password: seedPassword }

test('Ben clocks in and out at the login screen without a sign-in, and his own tablet shows it', async () => {
  const { punching } = await newTablet()
  expect(await punching.punch({ ...ben, direction: 'auto' })).toMatchObject({ kind: 'done', direction: 'in', first_name: 'Ben' })
  expect(await punching.sessionStatus('ben')).toMatchObject({ known: true, session: true })
  expect(await punching.punch({ ...ben, direction: 'auto' })).toMatchObject({ kind: 'done', direction: 'out' })

  const own = await newTablet()
  await own.device.session.signIn(await server.signIn('ben', own.device.deviceId))
  await own.device.pull()
  await until('his punches are mirrored', async () => (await own.device.hot.punches.count()) === 2)
})

test('the answer gets lost and the browser dies: the kept punch is at the server once, at its real time', async () => {
  const { tablet, device, punching } = await newTablet()
  await punching.keepSealingKey()
  tablet.network.between = (path) => {
    if (path !== '/api/timecard/check') return null
    tablet.network.answersToLose = 1
    return null
  }
  const result = await punching.punch({ ...ben, direction: 'in' })
  expect(result.kind).toBe('saved')
  expect(await punches()).toHaveLength(1)
  const [first] = await punches()
  await device.close()

  tablet.network.between = null
  tablet.network.answersToLose = 0
  const again = await tablet.open()
  await again.drain()
  await until('nothing waits', async () => (await again.hot.outbox.count()) === 0)
  expect(await punches()).toEqual([first])
  expect((await again.hot.settled.toArray()).map((settled) => settled.outcome)).toEqual(['applied'])
  expect(tablet.surprises).toEqual([])
})

test('after a day without internet, in and out leave in order without a sign-in', async () => {
  const { tablet, device, punching } = await newTablet()
  await punching.keepSealingKey()
  tablet.network.online = false
  expect(await punching.punch({ ...ben, direction: 'auto' })).toEqual({ kind: 'ask-direction' })
  expect(await punching.punch({ ...ben, direction: 'in' })).toMatchObject({ kind: 'saved' })
  expect(await punching.sessionStatus('ben')).toMatchObject({ known: true, session: true, waiting: true })
  expect(await punching.punch({ ...ben, direction: 'auto' })).toMatchObject({ kind: 'saved', direction: 'out' })
  expect(await punches()).toEqual([])

  tablet.network.online = true
  await device.probe()
  await device.drain()
  await until('nothing waits', async () => (await device.hot.outbox.count()) === 0)
  expect((await punches()).map((row) => [row.direction, row.in_review, row.offline_captured])).toEqual([
    ['in', false, true],
    ['out', false, true],
  ])
})

test('a wrong password typed offline goes to the manager: the punch leaves the tablet and is not lost', async () => {
  const { tablet, device, punching } = await newTablet()
  await punching.keepSealingKey()
  tablet.network.online = false
  await punching.punch({ username: 'ben', password: 'mistyped', direction: 'in' })
  tablet.network.online = true
  await device.probe()
  await device.drain()
  await until('nothing waits', async () => (await device.hot.outbox.count()) === 0)
  const manager = await server.signIn('maya')
  const { entries } = await (await server.request('GET', '/api/timecard/review', { token: manager.access_token })).json()
  expect(entries).toMatchObject([{ username: 'ben', reasons: ['wrong-password'], resolved_at: null }])
})
