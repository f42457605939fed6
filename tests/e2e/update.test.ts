import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  everythingSent,
  expectCounted,
  expectEachOnce,
  fullNames,
  goToCounts,
  openCountRoom,
  startCount,
  type CountRoom,
} from '#tests/e2e/count-room.ts'
import { feelNetwork } from '#tests/e2e/screen.ts'
import { scanAll } from '#tests/e2e/wedge-scanner.ts'
import { bringNewVersion, takeUpdate, wakeWorker } from '#tests/e2e/worker.ts'

let room: CountRoom
let page: Page

beforeAll(async () => {
  room = await openCountRoom()
  ;({ page } = await room.seat('ana', room.line, ['background-sync']))
})
afterEach(() => room.mendLine())
afterAll(() => room?.close())

const never = new Promise<never>(() => undefined)

// A watched browser like this one never ends a hanging request. A user's browser gives up after five minutes.
describe('An update', () => {
  test('does not wait for a list that the old worker waits for', async () => {
    await page.goto(room.line.origin)
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => (asked = resolve))
    room.line.meet = (call) => {
      if (!call.path.startsWith('/api/inventory/brands')) return 'pass'
      asked()
      return never
    }
    await page.evaluate(() => void fetch('/api/inventory/brands').catch(() => undefined))
    await isAsked
    await bringNewVersion(page, room.line, (text) => `${text}\n// Beside a list.\n`)
    await takeUpdate(page)
  })

  test('does not wait for the old worker to send, and each scan arrives once', async () => {
    const id = await startCount(page, room.line.origin)
    await everythingSent(page)
    room.line.meet = (call) => (call.commands.length > 0 ? never : 'pass')
    await scanAll(page, room.labels(0, 5))
    await expectCounted(page, 5)
    await goToCounts(page)
    await wakeWorker(page, room.line.origin)
    // The page is sending, and the worker waits in line behind it.
    await page.waitForFunction(async () => (await navigator.locks.query()).pending?.some(({ name }) => name === 'lorgnette-drain'))
    await bringNewVersion(page, room.line, (text) => `${text}\n// Beside a push.\n`)
    // Pass before the new page sends. A hanging push of its own would test the network, and take a minute.
    room.line.meet = () => 'pass'
    await takeUpdate(page)

    await feelNetwork(page)
    await everythingSent(page)
    await expectEachOnce(room.office, id, room.labels(0, 5), fullNames.ana)
  })

  test('opens the page although the worker cannot delete the old files', async () => {
    await page.goto(room.line.origin)
    const stuck = 'CacheStorage.prototype.keys = Cache.prototype.keys = () => new Promise(() => undefined)'
    await bringNewVersion(page, room.line, (text) => `${stuck}\n${text}`)
    await takeUpdate(page)
    expect(await page.title()).toContain('Lorgnette')
  })

  test('opens the page from the server when the browser does not return the cached files', async () => {
    await page.goto(room.line.origin)
    const stuck = "addEventListener('activate', () => (CacheStorage.prototype.match = () => new Promise(() => undefined)))"
    await bringNewVersion(page, room.line, (text) => `${stuck}\n${text}`)
    await takeUpdate(page)
    expect(await page.title()).toContain('Lorgnette')
  })
})
