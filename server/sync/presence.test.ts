import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

let server: TestServer
let tablet: WireTablet

beforeAll(async () => {
  server = await startTestServer()
  tablet = new WireTablet(server, 'Tablet A')
  await tablet.signIn('ben')
})
afterAll(() => server.close())

const presenceOn = async (sheet: string) =>
  await server.db.pool.selectFrom('count_devices').select(['open', 'unsent']).where('id_count_sheet', '=', sheet).execute()

test('an older report does not undo a newer one, even when nothing is stored of the newer one', async () => {
  const sheet = await tablet.createSheet()
  const holds = [{ lane: `count:${sheet}`, unsent: 3 }]
  await tablet.push([], { report: 110 })
  await tablet.push([], { report: 109, open_sheets: [sheet], holds })
  expect(await presenceOn(sheet)).toEqual([])

  await tablet.push([], { report: 111, open_sheets: [sheet], holds })
  expect(await presenceOn(sheet)).toEqual([{ open: true, unsent: 3 }])
  await tablet.push([], { report: 113 })
  await tablet.push([], { report: 112, open_sheets: [sheet], holds })
  expect(await presenceOn(sheet)).toEqual([{ open: false, unsent: 0 }])
})

test('the newest of twenty reports at once wins', async () => {
  const sheet = await tablet.createSheet()
  const reports = Array.from({ length: 20 }, (_, place) => 1000 + place)
  await Promise.all(reports.map((report) => tablet.push([], { report, open_sheets: report % 2 === 0 ? [sheet] : [] })))
  expect((await presenceOn(sheet)).filter(({ open }) => open)).toEqual([])
  await tablet.push([], { report: 1020, open_sheets: [sheet] })
  expect(await presenceOn(sheet)).toEqual([{ open: true, unsent: 0 }])
})

test('a tablet whose data the browser deleted counts from one again, in the session that it still has', async () => {
  const sheet = await tablet.createSheet()
  await tablet.push([], { report: 2000 })
  await tablet.push([], { device_id: uuidv7(), report: 1, open_sheets: [sheet] })
  expect(await presenceOn(sheet)).toEqual([{ open: true, unsent: 0 }])
})
