import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { until } from '#tests/e2e/clinic.ts'
import {
  everythingSent,
  expectCounted,
  expectEachOnce,
  fullNames,
  openCount,
  openCountRoom,
  outboxOf,
  scansAt,
  startCount,
  waitForCountScreen,
  type CountRoom,
} from '#tests/e2e/count-room.ts'
import { feelNetwork } from '#tests/e2e/screen.ts'
import { scanAll } from '#tests/e2e/wedge-scanner.ts'
import { bringNewVersion, takeUpdate, wakeWorker } from '#tests/e2e/worker.ts'
import type { Tablet } from '#tests/support/browser.ts'
import type { PassingCall } from '#tests/support/wire-proxy.ts'

let room: CountRoom
let tablet: Tablet
let page: Page

beforeAll(async () => {
  room = await openCountRoom()
  ;({ tablet, page } = await room.seat('ana', room.line, ['background-sync']))
})
afterEach(() => room.mendLine())
afterAll(() => room?.close())

const isPush = (call: PassingCall) => call.commands.length > 0

describe('The worker behind the app', () => {
  test('with the app closed the worker sends the waiting scans under their author’s name', async () => {
    const id = await startCount(page, room.line.origin)
    await everythingSent(page)
    room.line.meet = (call) => (call.path.startsWith('/api/') ? 'lose-request' : 'pass')
    await scanAll(page, room.labels(0, 25))
    await expectCounted(page, 25)
    expect(await outboxOf(page)).toHaveLength(25)

    const blank = await tablet.context.newPage()
    await page.close()
    expect(await scansAt(room.office, id)).toEqual([])
    room.line.pushes.length = 0
    room.line.meet = () => 'pass'
    await wakeWorker(blank, room.line.origin)
    await expectEachOnce(room.office, id, room.labels(0, 25), fullNames.ana)
    expect(room.line.pushes.length).toBeGreaterThan(0)

    // The reopened app knows that everything has been sent.
    page = blank
    await openCount(page, room.line.origin, id)
    await everythingSent(page)
    await expectCounted(page, 25)
  })

  test('a new version is not offered during a count, and an update leaves a full outbox unchanged', async () => {
    const id = await startCount(page, room.line.origin)
    await everythingSent(page)
    room.line.meet = (call) => (isPush(call) ? 'lose-request' : 'pass')
    await scanAll(page, room.labels(25, 55))
    await expectCounted(page, 30)
    const before = (await outboxOf(page)).map((command) => command.id)
    expect(before).toHaveLength(30)

    await bringNewVersion(page, room.line, (text) => `${text}\n// A newer version.\n`)
    const offer = page.getByText('A new version of Lorgnette is ready')
    expect(await offer.count()).toBe(0)

    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await offer.waitFor()
    await takeUpdate(page)
    expect((await outboxOf(page)).map((command) => command.id)).toEqual(before)

    await openCount(page, room.line.origin, id)
    await waitForCountScreen(page)
    await expectCounted(page, 30)
    room.line.meet = () => 'pass'
    await feelNetwork(page)
    await everythingSent(page)
    await expectEachOnce(room.office, id, room.labels(25, 55), fullNames.ana)
  })

  test('page and worker that wake together send each scan once', async () => {
    const id = await startCount(page, room.line.origin)
    await everythingSent(page)
    room.line.meet = (call) => (isPush(call) ? 'lose-request' : 'pass')
    await scanAll(page, room.labels(55, 85))
    await expectCounted(page, 30)
    room.line.pushes.length = 0
    room.line.underWay.most = 0
    room.line.meet = () => 'pass'
    await Promise.all([wakeWorker(page, room.line.origin), page.evaluate(() => window.dispatchEvent(new Event('online')))])
    await until(
      async () => (await outboxOf(page)).length,
      (waiting) => waiting === 0,
      'Something stayed on the tablet',
    )
    expect(room.line.underWay.most).toBe(1)
    const sent = room.line.pushes.flatMap((push) => push.commands.map((command) => command.id))
    expect(sent.length).toBe(new Set(sent).size)
    await expectEachOnce(room.office, id, room.labels(55, 85), fullNames.ana)
  })
})
