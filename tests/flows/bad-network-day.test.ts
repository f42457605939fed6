import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { allSent, ClinicDay, isEmpty, newSheet, scan, stateOf } from '#tests/support/clinic-day.ts'
import type { Device } from '#src/sync/device/device.ts'
import { type FakeTablet, until } from '#tests/support/test-device.ts'

let day: ClinicDay
let tablet: FakeTablet
let device: Device
let sheet: string

beforeEach(async () => {
  day = await ClinicDay.begin()
  ;({ tablet, device } = await day.at('ben', { haste: 100 }))
  sheet = await newSheet(device)
  await allSent(device)
})
afterEach(() => day.end())

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

async function scanAll(count: number) {
  const commands = []
  for (let nth = 0; nth < count; nth += 1) commands.push(await scan(device, sheet, day.code(nth)))
  return commands
}

/** Replaces the next answers to a push. By then the server has done the work. */
function spoilAnswers(times: number, spoil: (answer: Response) => Response | Promise<Response>) {
  let left = times
  tablet.network.between = async (path, init) => {
    if (path !== '/api/sync/push' || left === 0) return null
    left -= 1
    return await spoil(await day.answer(path, init))
  }
}

async function expectOnce(count: number) {
  await until('everything was sent', async () => {
    await device.drain()
    return await isEmpty(device)()
  })
  const rows = await day.scansAtServer(sheet)
  expect(rows.map((row) => row.raw_code)).toEqual(Array.from({ length: count }, (_, nth) => day.code(nth)))
  expect((await day.receiptsAtServer()).length).toBe(count + 1)
  expect(await device.hot.settled.count()).toBe(count + 1)
}

describe('a day with a bad network', () => {
  test('the server dies after it has written: the answer never comes, and every scan is there once', async () => {
    spoilAnswers(3, () => {
      throw new TypeError('The connection was reset')
    })
    await scanAll(8)
    await expectOnce(8)
  })

  test('answers that break off in the middle confirm nothing', async () => {
    spoilAnswers(3, async (answer) => new Response((await answer.text()).slice(0, -25), { headers: answer.headers }))
    const [first] = await scanAll(8)
    expect(first && (await device.hot.settled.get(first.id))).toBeUndefined()
    await expectOnce(8)
  })

  test('an answer after the time-out counts as none, and does no harm', async () => {
    let late = 0
    const between = tablet.network.between
    tablet.network.between = async (path, init) => {
      if (path !== '/api/sync/push' || late === 2) return null
      late += 1
      const answer = await day.answer(path, init)
      // The tablet's clock runs fast: this is a minute and a half of its time.
      const hungUp = new Promise<never>((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
      return await Promise.race([new Promise<Response>((resolve) => setTimeout(() => resolve(answer), 900)), hungUp])
    }
    await scanAll(4)
    await until('two answers were late', () => late === 2)
    tablet.network.between = between
    await expectOnce(4)
  })

  test.each([
    ['500 of ours', () => json(500, { error: 'Something went wrong on the server', code: 'server-failed' })],
    ['502 of a proxy', () => new Response('Bad gateway', { status: 502, headers: { 'content-type': 'text/html' } })],
    ['503 that asks for patience', () => json(503, { error: 'Stopping', code: 'server-stopping', retry_after_s: 2 })],
  ])('a storm of %s loses nothing and sets nothing aside', async (_, answer) => {
    let storm = 6
    tablet.network.between = (path) => (path === '/api/sync/push' && storm-- > 0 ? answer() : null)
    await scanAll(6)
    await until('the storm is over', async () => {
      await device.drain()
      return storm <= 0
    })
    expect(device.connection.getState().needsAttention).toBe(0)
    await expectOnce(6)
  })

  test('the login page of a guest network is not our server: the app calls nothing sent, and says offline', async () => {
    tablet.network.between = () =>
      new Response('<html>Welcome, please sign in</html>', { status: 200, headers: { 'content-type': 'text/html' } })
    const [first] = await scanAll(3)
    await device.drain()
    expect(await device.probe()).toBe(false)
    expect(device.connection.getState()).toMatchObject({ online: false })
    expect(first && (await stateOf(device, first))).toBe('queued')
    expect(await device.hot.scans.count()).toBe(0)
    tablet.network.between = null
    await expectOnce(3)
  })

  test('an app that is too old for the server keeps everything and asks for the update', async () => {
    tablet.network.between = (path) =>
      path === '/api/sync/push' ? json(426, { error: 'This version of the app is too old for the server.', code: 'app-outdated' }) : null
    const commands = await scanAll(3)
    await until('the update is asked for', () => device.connection.getState().updateRequired)
    expect(await device.hot.outbox.count()).toBe(commands.length)
    expect(device.connection.getState().needsAttention).toBe(0)

    // After the update, an app that the server understands opens the same disk.
    await device.close()
    tablet.network.between = null
    device = await tablet.open()
    await expectOnce(3)
    expect(device.connection.getState().updateRequired).toBe(false)
  })

  test('one damaged entry needs attention, and everything else leaves', async () => {
    tablet.network.online = false
    const [first, second, third] = await scanAll(3)
    if (!first || !second || !third) throw new Error('Nothing was scanned')
    // A failed send writes its commands back, so the damage comes after it.
    await device.drain()
    await device.hot.outbox.update(second.id, { captured: { ...second.captured, wall: 'yesterday' } })
    await device.hot.outbox.put({ ...third, id: 'no id at all', lane: `count:${'x'.repeat(300)}`, lane_seq: 1 })
    tablet.network.online = true
    await device.probe()
    await until('the good ones were sent', async () => {
      await device.drain()
      return (await device.hot.outbox.filter(({ state }) => state !== 'needs-attention').count()) === 0
    })
    expect((await day.scansAtServer(sheet)).map((row) => row.raw_code)).toEqual([day.code(0), day.code(2)])
    expect(await stateOf(device, second)).toBe('needs-attention')
    await until('the user sees it', () => device.connection.getState().needsAttention === 2)
    expect(await device.outbox.exportUnsent()).toContain(second.id)
  })
})
