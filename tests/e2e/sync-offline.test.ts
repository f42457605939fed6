import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { until } from '#tests/e2e/clinic.ts'
import {
  chooseTab,
  everythingSent,
  expectCounted,
  expectEachOnce,
  expectOutcome,
  fillNewCount,
  fullNames,
  goToCounts,
  lastScan,
  openCount,
  openCountRoom,
  outboxOf,
  scansAt,
  sheetAt,
  startCount,
  waitForCountScreen,
  type CountRoom,
} from '#tests/e2e/count-room.ts'
import { scan, scanAll } from '#tests/e2e/wedge-scanner.ts'
import type { Tablet } from '#tests/support/browser.ts'

let room: CountRoom
let benTablet: Tablet
let ben: Page
let maya: Page

beforeAll(async () => {
  room = await openCountRoom()
  const seats = await Promise.all([room.seat('ben', room.line), room.seat('maya', room.server)])
  ;[{ tablet: benTablet, page: ben }, { page: maya }] = seats
})
afterEach(() => room.mendLine())
afterAll(() => room?.close())

const headline = (page: Page, text: string) => page.getByRole('banner').or(page.locator('header')).getByText(text).first().waitFor()

describe('A stockroom without the network', () => {
  test('offline, Ben makes a count, scans, reloads and scans on; back online everything is at the server once', async () => {
    await benTablet.context.setOffline(true)
    await ben.goto(`${room.line.origin}/inventory/count-sheets?new=1`)
    await ben.getByText('You are offline').waitFor()
    const id = await fillNewCount(ben, { notes: 'Made in the cellar' })
    await ben.getByRole('heading', { name: /^New count/ }).waitFor()

    await scanAll(ben, room.labels(0, 20))
    await expectCounted(ben, 20)
    await lastScan(ben).getByText('Saved', { exact: true }).waitFor()
    await headline(ben, 'Offline, 21 to send')
    await ben.getByRole('link', { name: /^Offline, 21 to send/ }).waitFor()

    await ben.reload()
    await waitForCountScreen(ben)
    await expectCounted(ben, 20)
    await scanAll(ben, room.labels(20, 30))
    await expectCounted(ben, 30)

    await goToCounts(ben)
    await ben.getByText('On this tablet only').waitFor()
    await ben.getByRole('region', { name: 'Open counts' }).getByText('31 to send', { exact: true }).waitFor()
    expect(await sheetAt(room.office, id)).toBeUndefined()

    await openCount(ben, room.line.origin, id)
    await benTablet.context.setOffline(false)
    await everythingSent(ben)
    await headline(ben, 'All sent')
    await ben.getByRole('heading', { name: /^Count #\d+/ }).waitFor()
    await chooseTab(ben, 'Counted')
    await ben.getByRole('tabpanel').getByText('Sent', { exact: true }).first().waitFor()
    await expect.poll(() => ben.getByRole('tabpanel').getByText('Saved', { exact: true }).count()).toBe(0)

    await expectEachOnce(room.office, id, room.labels(0, 30), fullNames.ben)
    expect(await sheetAt(room.office, id)).toMatchObject({ notes: 'Made in the cellar', created_by_name: fullNames.ben })
    await openCount(maya, room.server.origin, id)
    await expectCounted(maya, 30)
  })

  test('with the server stopped he continues to count, and the tablet says Saved until the server has it', async () => {
    const id = await startCount(ben, room.line.origin)
    await scan(ben, room.labels(30, 31)[0] ?? '')
    await lastScan(ben).getByText('Sent', { exact: true }).waitFor()

    await room.server.stop()
    await scanAll(ben, room.labels(31, 45))
    await expectCounted(ben, 15)
    await lastScan(ben).getByText('Saved', { exact: true }).waitFor()
    await ben.getByRole('link', { name: /^Offline, 14 to send/ }).waitFor()
    expect(await outboxOf(ben)).toHaveLength(14)

    await room.server.start()
    await lastScan(ben).getByText('Sent', { exact: true }).waitFor({ timeout: 60_000 })
    await everythingSent(ben)
    await expectEachOnce(room.office, id, room.labels(30, 45), fullNames.ben)
    await ben.getByRole('link', { name: /^Online/ }).waitFor()
  })

  test('Sent shows only when the tablet has the receipt, however long the server has had the scan', async () => {
    const id = await startCount(ben, room.line.origin)
    await everythingSent(ben)
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    room.line.answered = async (call) => {
      if (call.commands.length > 0) await held
    }
    const code = room.labels(45, 46)[0] ?? ''
    await scan(ben, code)
    await until(
      () => scansAt(room.office, id),
      (rows) => rows.length === 1,
      'The scan never arrived',
    )
    await expectOutcome(ben, 'Counted')
    await lastScan(ben).getByText('Saved', { exact: true }).waitFor()
    expect(await lastScan(ben).getByText('Sent', { exact: true }).count()).toBe(0)
    expect((await outboxOf(ben)).map((command) => command.state)).toEqual(['queued'])
    letGo()
    await lastScan(ben).getByText('Sent', { exact: true }).waitFor()
    expect(await outboxOf(ben)).toEqual([])
    await expectEachOnce(room.office, id, [code], fullNames.ben)
  })

  test('the tablet asks again after a lost answer, and nothing is counted twice', async () => {
    const id = await startCount(ben, room.line.origin)
    await everythingSent(ben)
    let lost = 0
    room.line.meet = (call) => (call.commands.length > 0 && lost++ < 3 ? 'lose-answer' : 'pass')
    await scanAll(ben, room.labels(46, 66))
    await until(
      async () => lost,
      (seen) => seen > 3,
      'It was not sent again',
    )
    await everythingSent(ben)
    await expectEachOnce(room.office, id, room.labels(46, 66), fullNames.ben)
    await expectCounted(ben, 20)
  })

  test('a café’s login page that answers 200 in the server’s place loses no scan', async () => {
    const id = await startCount(ben, room.line.origin)
    await everythingSent(ben)
    room.line.meet = (call) => (call.path.startsWith('/api/') ? 'captive-portal' : 'pass')
    await scanAll(ben, room.labels(66, 86))
    await expectCounted(ben, 20)
    await ben.getByRole('link', { name: /^Offline, 20 to send/ }).waitFor()
    await ben.reload()
    await waitForCountScreen(ben)
    await expectCounted(ben, 20)
    expect(await outboxOf(ben)).toHaveLength(20)
    expect(await scansAt(room.office, id)).toEqual([])

    room.line.meet = () => 'pass'
    await everythingSent(ben)
    await expectEachOnce(room.office, id, room.labels(66, 86), fullNames.ben)
  })
})
