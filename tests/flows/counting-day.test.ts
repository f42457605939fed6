import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { wholeStore } from '#contract/counts/count-sheets.ts'
import type { Device } from '#src/sync/device/device.ts'
import { FakeTablet, until } from '#tests/support/test-device.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { v7 as uuidv7 } from 'uuid'

let server: TestServer
let tablets: FakeTablet[]

beforeEach(async () => {
  server = await startTestServer()
  tablets = []
})
afterEach(async () => {
  await Promise.all(tablets.map((tablet) => tablet.close()))
  await server.close()
})

function newTablet(): FakeTablet {
  const tablet = new FakeTablet(
    async (path, init) => await server.app.request(path, init, { connection: { remoteAddress: '127.0.0.1', encrypted: false } }),
    { start: server.clock.now(), signing: crypto.subtle },
  )
  tablets.push(tablet)
  return tablet
}

async function signedIn(tablet: FakeTablet, username: string): Promise<Device> {
  const device = await tablet.open()
  await signIn(device, username)
  return device
}

async function signIn(device: Device, username: string) {
  const key = await device.session.signingKey()
  await device.session.signIn(await server.signIn(username, device.deviceId, key))
}

async function newSheet(device: Device): Promise<string> {
  const id = uuidv7()
  const made = await device.outbox.record(
    'count.create',
    `count:${id}`,
    { id_count_sheet: id, scope: wholeStore, notes: '', blind: false },
    { title: 'New count' },
  )
  expect(made.saved).toBe(true)
  return id
}

async function scan(device: Device, sheet: string, code: string) {
  const made = await device.outbox.record(
    'count.scan',
    `count:${sheet}`,
    { id_count_sheet: sheet, raw_code: code, id_inventory: null, via: 'scanner', previous_scan: null },
    { title: `Scan ${code}` },
  )
  if (!made.saved) throw new Error(made.problem.message)
  return made.command
}

const serverScans = (sheet: string) =>
  server.db.pool.selectFrom('count_scans').selectAll().where('id_count_sheet', '=', sheet).orderBy('revision').execute()

const empty = (device: Device) => async () => (await device.hot.outbox.count()) === 0

describe('a day of counting', () => {
  test('what was counted without a network is at the server exactly once when it is back', async () => {
    const tablet = newTablet()
    const device = await signedIn(tablet, 'ben')
    tablet.network.online = false
    const sheet = await newSheet(device)
    const codes = server.seed.frames.downtown.slice(0, 20).map((frame) => frame.sku)
    for (const code of codes) await scan(device, sheet, code)
    await device.drain()
    expect(await device.hot.outbox.count()).toBe(21)

    tablet.network.online = true
    await device.drain()
    await until('everything was sent', empty(device))
    const scans = await serverScans(sheet)
    expect(scans.map((row) => row.raw_code)).toEqual(codes)
    expect(await device.hot.settled.count()).toBe(21)
    expect(await device.hot.scans.where('[id_count_sheet+revision]').between([sheet, 0], [sheet, Infinity]).count()).toBe(20)
    expect(tablet.surprises).toEqual([])
  })

  test('two tablets on one sheet see what the other counted', async () => {
    const [first, second] = [newTablet(), newTablet()]
    const [ben, ana] = [await signedIn(first, 'ben'), await signedIn(second, 'ana')]
    const sheet = await newSheet(ben)
    await until('the sheet came to the second tablet', async () => (await ana.hot.sheets.get(sheet)) !== undefined)
    const frames = server.seed.frames.downtown
    await Promise.all([
      ...frames.slice(0, 5).map((frame) => scan(ben, sheet, frame.sku)),
      ...frames.slice(5, 10).map((frame) => scan(ana, sheet, frame.sku)),
    ])
    const codes = async (device: Device) => (await device.hot.scans.toArray()).map((row) => row.raw_code).sort()
    const all = frames
      .slice(0, 10)
      .map((frame) => frame.sku)
      .sort()
    await until('both tablets have all ten', async () => {
      const [a, b] = [await codes(ben), await codes(ana)]
      return a.length === 10 && b.length === 10
    })
    expect(await codes(ben)).toEqual(all)
    expect(await codes(ana)).toEqual(all)
  })

  test('an access token that expires in the middle of sending is renewed once, and nothing is lost', async () => {
    const tablet = newTablet()
    const device = await signedIn(tablet, 'ben')
    await until('the first pull is through', () => device.mirror.progress.getState().lastPulledAt !== null)
    const sheet = await newSheet(device)
    await until('the sheet was sent', empty(device))
    const before = tablet.network.callsTo('/api/auth/token/refresh').length
    server.clock.advance(16 * 60_000)
    for (const frame of server.seed.frames.downtown.slice(0, 5)) await scan(device, sheet, frame.sku)
    await device.drain()
    await until('everything was sent', empty(device))
    expect(await serverScans(sheet)).toHaveLength(5)
    expect(tablet.network.callsTo('/api/auth/token/refresh').length - before).toBe(1)
    expect(device.session.state.getState().status).toBe(1)
    expect(tablet.stored.get('AccessToken')).toBe((await device.hot.session.get('session'))?.access_token)
  })

  test('a session that is over keeps the queue waiting, and it goes after the next sign-in', async () => {
    const tablet = newTablet()
    const device = await signedIn(tablet, 'ben')
    tablet.network.online = false
    const sheet = await newSheet(device)
    await scan(device, sheet, server.seed.frames.downtown[0]?.sku ?? '')
    server.clock.advance(40 * 86_400_000)
    tablet.network.online = true
    await device.drain()
    await until('the session is over', () => device.session.state.getState().status === 0)
    expect(await device.hot.outbox.count()).toBe(2)
    await until('the person is told', () => device.connection.getState().waitsForSignIn)
    expect(tablet.stored.has('RefreshToken')).toBe(false)

    await signIn(device, 'ben')
    await until('everything was sent', empty(device))
    expect(await serverScans(sheet)).toHaveLength(1)
  })

  test('what Ana counted on a shared tablet leaves under Ben’s session and is still Ana’s', async () => {
    const tablet = newTablet()
    const device = await signedIn(tablet, 'ana')
    tablet.network.online = false
    const sheet = await newSheet(device)
    await scan(device, sheet, server.seed.frames.downtown[0]?.sku ?? '')
    await device.session.signOut()
    expect(await device.hot.outbox.count()).toBe(2)
    tablet.network.online = true
    await signIn(device, 'ben')
    await until('everything was sent', empty(device))
    const [row] = await serverScans(sheet)
    expect(row?.author_id).toBe(server.seed.users.ana.id_user)
  })

  test('answers that are lost on the way back make no duplicates', async () => {
    const tablet = newTablet()
    const device = await signedIn(tablet, 'ben')
    const sheet = await newSheet(device)
    await until('the sheet was sent', empty(device))
    tablet.network.answersToLose = 3
    for (const frame of server.seed.frames.downtown.slice(0, 6)) await scan(device, sheet, frame.sku)
    await until('everything was sent', empty(device))
    expect(tablet.network.answersToLose).toBe(0)
    expect(await serverScans(sheet)).toHaveLength(6)
  })

  test('a browser that is killed while sending goes on where it was', async () => {
    const tablet = newTablet()
    const device = await signedIn(tablet, 'ben')
    const sheet = await newSheet(device)
    await until('the sheet was sent', empty(device))
    tablet.network.answersToLose = Infinity
    for (const frame of server.seed.frames.downtown.slice(0, 4)) await scan(device, sheet, frame.sku)
    await until('the server has what the tablet does not know of', async () => (await serverScans(sheet)).length === 4)
    expect(await device.hot.outbox.count()).toBe(4)
    await device.close()
    tablet.network.answersToLose = 0
    const again = await tablet.open()
    expect(again.session.state.getState().home?.username).toBe('ben')
    await until('everything was sent', empty(again))
    expect(await serverScans(sheet)).toHaveLength(4)
  })
})
