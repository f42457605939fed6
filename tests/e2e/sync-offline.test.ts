import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { officeOf, openClinic, signIn, until, type Office, type PulledFrame } from '#tests/e2e/clinic.ts'
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
  outboxOf,
  pageOf,
  readyForOffline,
  scansAt,
  sheetAt,
  startCount,
  stockOf,
  waitForCountScreen,
} from '#tests/e2e/count-room.ts'
import { scan, scanAll } from '#tests/e2e/wedge-scanner.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'
import { openWireProxy, type WireProxy } from '#tests/support/wire-proxy.ts'

let server: LorgnetteServer
let line: WireProxy
let office: Office
let expected: PulledFrame[]
let benTablet: Tablet
let mayaTablet: Tablet
let ben: Page
let maya: Page

beforeAll(async () => {
  server = await openClinic()
  line = await openWireProxy(server)
  office = await officeOf(server)
  expected = (await stockOf(office)).expected
  ;[benTablet, mayaTablet] = await Promise.all([openTablet(), openTablet()])
  ;[ben, maya] = await Promise.all([pageOf(benTablet), pageOf(mayaTablet)])
  await Promise.all([signIn(ben, line, 'ben'), signIn(maya, server, 'maya')])
  await Promise.all([readyForOffline(ben, line.origin, expected.length), readyForOffline(maya, server.origin, expected.length)])
})

afterEach(() => {
  line.meet = () => 'pass'
  line.answered = () => undefined
})

afterAll(async () => {
  await Promise.all([benTablet?.close(), mayaTablet?.close()])
  await line?.close()
  await server?.remove()
})

/** Labels of frames that a count of the whole store expects. */
const labels = (from: number, to: number) => expected.slice(from, to).map((frame) => frame.sku)

const headline = (page: Page, text: string) => page.getByRole('banner').or(page.locator('header')).getByText(text).first().waitFor()

describe('A stockroom without the network', () => {
  test('in airplane mode Ben makes a count, scans, reloads and scans on; back in the net everything is at the server once', async () => {
    await benTablet.context.setOffline(true)
    await ben.goto(`${line.origin}/inventory/count-sheets?new=1`)
    await ben.getByText('You are offline').waitFor()
    const id = await fillNewCount(ben, { notes: 'Made in the cellar' })
    await ben.getByRole('heading', { name: /^New count/ }).waitFor()

    await scanAll(ben, labels(0, 20))
    await expectCounted(ben, 20)
    await lastScan(ben).getByText('Saved', { exact: true }).waitFor()
    await headline(ben, 'Offline, 21 to send')
    await ben.getByRole('link', { name: /^Offline, 21 to send/ }).waitFor()

    await ben.reload()
    await waitForCountScreen(ben)
    await expectCounted(ben, 20)
    await scanAll(ben, labels(20, 30))
    await expectCounted(ben, 30)

    await goToCounts(ben)
    await ben.getByText('On this tablet only').waitFor()
    await ben.getByText('31 to send', { exact: true }).waitFor()
    expect(await sheetAt(office, id)).toBeUndefined()

    await openCount(ben, line.origin, id)
    await benTablet.context.setOffline(false)
    await everythingSent(ben)
    await headline(ben, 'All sent')
    await ben.getByRole('heading', { name: /^Count #\d+/ }).waitFor()
    await chooseTab(ben, 'Counted')
    await ben.getByRole('tabpanel').getByText('Sent', { exact: true }).first().waitFor()
    expect(await ben.getByRole('tabpanel').getByText('Saved', { exact: true }).count()).toBe(0)

    await expectEachOnce(office, id, labels(0, 30), fullNames.ben)
    expect(await sheetAt(office, id)).toMatchObject({ notes: 'Made in the cellar', created_by_name: fullNames.ben })
    await openCount(maya, server.origin, id)
    await expectCounted(maya, 30)
  })

  test('with the server stopped he counts on, and the tablet says Saved until the server has it', async () => {
    const id = await startCount(ben, line.origin)
    await scan(ben, labels(30, 31)[0] ?? '')
    await lastScan(ben).getByText('Sent', { exact: true }).waitFor()

    await server.stop()
    await scanAll(ben, labels(31, 45))
    await expectCounted(ben, 15)
    await lastScan(ben).getByText('Saved', { exact: true }).waitFor()
    await ben.getByRole('link', { name: /^Offline, 14 to send/ }).waitFor()
    expect(await outboxOf(ben)).toHaveLength(14)

    await server.start()
    await lastScan(ben).getByText('Sent', { exact: true }).waitFor({ timeout: 60_000 })
    await everythingSent(ben)
    await expectEachOnce(office, id, labels(30, 45), fullNames.ben)
    await ben.getByRole('link', { name: /^Online/ }).waitFor()
  })

  test('Sent is said only when the receipt is on the tablet, however long the server has had the scan', async () => {
    const id = await startCount(ben, line.origin)
    await everythingSent(ben)
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    line.answered = async (call) => {
      if (call.commands.length > 0) await held
    }
    const code = labels(45, 46)[0] ?? ''
    await scan(ben, code)
    await until(
      () => scansAt(office, id),
      (rows) => rows.length === 1,
      'The scan never arrived',
    )
    await expectOutcome(ben, 'Counted')
    await lastScan(ben).getByText('Saved', { exact: true }).waitFor()
    expect(await lastScan(ben).getByText('Sent', { exact: true }).count()).toBe(0)
    expect((await outboxOf(ben)).map((command) => command.state)).toEqual(['sending'])
    letGo()
    await lastScan(ben).getByText('Sent', { exact: true }).waitFor()
    expect(await outboxOf(ben)).toEqual([])
    await expectEachOnce(office, id, [code], fullNames.ben)
  })

  test('an answer that is lost on its way back is asked for again, and nothing is counted twice', async () => {
    const id = await startCount(ben, line.origin)
    await everythingSent(ben)
    let lost = 0
    line.meet = (call) => (call.commands.length > 0 && lost++ < 3 ? 'lose-answer' : 'pass')
    await scanAll(ben, labels(46, 66))
    await until(
      async () => lost,
      (seen) => seen > 3,
      'It was not sent again',
    )
    await everythingSent(ben)
    await expectEachOnce(office, id, labels(46, 66), fullNames.ben)
    await expectCounted(ben, 20)
  })

  test('a café’s login page that answers 200 in the server’s place takes nothing', async () => {
    const id = await startCount(ben, line.origin)
    await everythingSent(ben)
    line.meet = (call) => (call.path.startsWith('/api/') ? 'captive-portal' : 'pass')
    await scanAll(ben, labels(66, 86))
    await expectCounted(ben, 20)
    await ben.getByRole('link', { name: /^Offline, 20 to send/ }).waitFor()
    await ben.reload()
    await waitForCountScreen(ben)
    await expectCounted(ben, 20)
    expect(await outboxOf(ben)).toHaveLength(20)
    expect(await scansAt(office, id)).toEqual([])

    line.meet = () => 'pass'
    await everythingSent(ben)
    await expectEachOnce(office, id, labels(66, 86), fullNames.ben)
  })
})
