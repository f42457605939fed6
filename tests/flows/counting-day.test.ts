import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Device } from '#src/sync/device/device.ts'
import { ClinicDay, isEmpty, newSheet, scan } from '#tests/support/clinic-day.ts'
import { type FakeTablet, until } from '#tests/support/test-device.ts'

let day: ClinicDay

beforeEach(async () => {
  day = await ClinicDay.begin()
})
afterEach(() => day.end())

async function signedIn(tablet: FakeTablet, username: string): Promise<Device> {
  const device = await tablet.open()
  await day.signIn(device, username)
  return device
}

describe('a day of counting', () => {
  test('scans without a network are at the server exactly once when it is back', async () => {
    const tablet = day.tablet()
    const device = await signedIn(tablet, 'ben')
    tablet.network.online = false
    const sheet = await newSheet(device)
    const codes = day.server.seed.frames.downtown.slice(0, 20).map((frame) => frame.sku)
    for (const code of codes) await scan(device, sheet, code)
    await device.drain()
    expect(await device.hot.outbox.count()).toBe(21)

    tablet.network.online = true
    await device.drain()
    await until('everything was sent', isEmpty(device))
    const scans = await day.scansAtServer(sheet)
    expect(scans.map((row) => row.raw_code)).toEqual(codes)
    expect(await device.hot.settled.count()).toBe(21)
    expect(await device.hot.scans.where('[id_count_sheet+revision]').between([sheet, 0], [sheet, Infinity]).count()).toBe(20)
    expect(tablet.surprises).toEqual([])
  })

  test('two tablets on one sheet see each other’s scans', async () => {
    const [first, second] = [day.tablet(), day.tablet()]
    const [ben, ana] = [await signedIn(first, 'ben'), await signedIn(second, 'ana')]
    const sheet = await newSheet(ben)
    await until('the sheet came to the second tablet', async () => (await ana.hot.sheets.get(sheet)) !== undefined)
    const frames = day.server.seed.frames.downtown
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

  test('an access token that expires during sending is renewed once, and nothing is lost', async () => {
    const tablet = day.tablet()
    const device = await signedIn(tablet, 'ben')
    await until('the first pull is through', () => device.mirror.progress.getState().lastPulledAt !== null)
    const sheet = await newSheet(device)
    await until('the sheet was sent', isEmpty(device))
    const before = tablet.network.callsTo('/api/auth/token/refresh').length
    day.server.clock.advance(16 * 60_000)
    for (const frame of day.server.seed.frames.downtown.slice(0, 5)) await scan(device, sheet, frame.sku)
    await device.drain()
    await until('everything was sent', isEmpty(device))
    expect(await day.scansAtServer(sheet)).toHaveLength(5)
    expect(tablet.network.callsTo('/api/auth/token/refresh').length - before).toBe(1)
    expect(device.session.state.getState().status).toBe(1)
    expect(tablet.stored.get('AccessToken')).toBe((await device.hot.session.get('session'))?.access_token)
  })

  test('a session that ended keeps the queue, which leaves after the next sign-in', async () => {
    const tablet = day.tablet()
    const device = await signedIn(tablet, 'ben')
    tablet.network.online = false
    const sheet = await newSheet(device)
    await scan(device, sheet, day.server.seed.frames.downtown[0]?.sku ?? '')
    day.server.clock.advance(40 * 86_400_000)
    tablet.network.online = true
    await device.drain()
    await until('the session is over', () => device.session.state.getState().status === 0)
    expect(await device.hot.outbox.count()).toBe(2)
    await until('the user sees it', () => device.connection.getState().waitsForSignIn)
    expect(tablet.stored.has('RefreshToken')).toBe(false)

    await day.signIn(device, 'ben')
    await until('everything was sent', isEmpty(device))
    expect(await day.scansAtServer(sheet)).toHaveLength(1)
  })

  test('Ana’s scans on a shared tablet leave in Ben’s session and stay Ana’s', async () => {
    const tablet = day.tablet()
    const device = await signedIn(tablet, 'ana')
    tablet.network.online = false
    const sheet = await newSheet(device)
    await scan(device, sheet, day.server.seed.frames.downtown[0]?.sku ?? '')
    await device.session.signOut()
    expect(await device.hot.outbox.count()).toBe(2)
    tablet.network.online = true
    await day.signIn(device, 'ben')
    await until('everything was sent', isEmpty(device))
    const [row] = await day.scansAtServer(sheet)
    expect(row?.author_id).toBe(day.server.seed.users.ana.id_user)
  })

  test('answers that get lost on the way back make no duplicates', async () => {
    const tablet = day.tablet()
    const device = await signedIn(tablet, 'ben')
    const sheet = await newSheet(device)
    await until('the sheet was sent', isEmpty(device))
    tablet.network.answersToLose = 3
    for (const frame of day.server.seed.frames.downtown.slice(0, 6)) await scan(device, sheet, frame.sku)
    await until('everything was sent', isEmpty(device))
    expect(tablet.network.answersToLose).toBe(0)
    expect(await day.scansAtServer(sheet)).toHaveLength(6)
  })

  test('a browser that dies while sending continues where it was', async () => {
    const tablet = day.tablet()
    const device = await signedIn(tablet, 'ben')
    const sheet = await newSheet(device)
    await until('the sheet was sent', isEmpty(device))
    tablet.network.answersToLose = Infinity
    for (const frame of day.server.seed.frames.downtown.slice(0, 4)) await scan(device, sheet, frame.sku)
    await until('the server has what the tablet does not know of', async () => (await day.scansAtServer(sheet)).length === 4)
    expect(await device.hot.outbox.count()).toBe(4)
    await device.close()
    tablet.network.answersToLose = 0
    const again = await tablet.open()
    expect(again.session.state.getState().home?.username).toBe('ben')
    await until('everything was sent', isEmpty(again))
    expect(await day.scansAtServer(sheet)).toHaveLength(4)
  })
})
