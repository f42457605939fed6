import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { allSent, ClinicDay, newSheet, scan } from '#tests/support/clinic-day.ts'
import { until } from '#tests/support/test-device.ts'

let day: ClinicDay

beforeEach(async () => {
  day = await ClinicDay.begin()
})
afterEach(() => day.end())

describe('a session that ends during a count', () => {
  test('loses and doubles no scan of a burst, and each scan is its author’s after the sign-in on the count', async () => {
    const { tablet, device } = await day.at('ben', { haste: 4 })
    const leave = device.session.holdWork('scans')
    const sheet = await newSheet(device)
    const codes = Array.from({ length: 20 }, (_, nth) => day.code(nth))
    for (const [nth, code] of codes.entries()) {
      // A manager ends the session during the scans.
      if (nth === 6) await day.server.request('POST', '/api/auth/logout', { token: tablet.stored.get('AccessToken') ?? '' })
      await scan(device, sheet, code)
      await device.drain()
    }
    await until('the tablet knows', () => device.session.state.getState().ended === 'scans')
    expect(tablet.stored.has('AccessToken') || tablet.stored.has('RefreshToken')).toBe(false)
    const before = await day.scansAtServer(sheet)
    expect(before.map((row) => row.raw_code)).toEqual(codes.slice(0, before.length))
    expect(before.length).toBeLessThan(20)

    await day.signIn(device, 'ben')
    await allSent(device)
    const rows = await day.scansAtServer(sheet)
    expect(rows.map((row) => row.raw_code)).toEqual(codes)
    expect(new Set(rows.map((row) => row.author_id))).toEqual(new Set([day.server.seed.users.ben.id_user]))
    leave()
    expect(device.session.state.getState()).toMatchObject({ status: 1, ended: null })
    expect(tablet.surprises).toEqual([])
  })

  test('Ben’s scans after his session ended are his, also when Ana’s session sends them', async () => {
    const { tablet, device } = await day.at('ben', { haste: 4 })
    const leave = device.session.holdWork('scans')
    const sheet = await newSheet(device)
    await allSent(device)
    await day.server.request('POST', '/api/auth/logout', { token: tablet.stored.get('AccessToken') ?? '' })
    for (let nth = 0; nth < 5; nth += 1) await scan(device, sheet, day.code(nth))
    await device.drain()
    await until('the tablet knows', () => device.session.state.getState().status === 0)
    for (let nth = 5; nth < 8; nth += 1) await scan(device, sheet, day.code(nth))
    // He leaves the count, and she signs in on the login screen.
    leave()
    await until('the count is left', () => device.session.state.getState().home === null)
    await device.session.deleteTokens()
    await day.signIn(device, 'ana')
    await scan(device, sheet, day.code(8))
    await allSent(device)
    const { ana, ben } = day.server.seed.users
    expect((await day.scansAtServer(sheet)).map((row) => row.author_id)).toEqual([...Array(8).fill(ben.id_user), ana.id_user])
  })
})
