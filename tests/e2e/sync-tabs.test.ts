import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '#tests/e2e/clinic.ts'
import {
  everythingSent,
  expectCounted,
  expectEachOnce,
  fullNames,
  lastScan,
  openCount,
  openCountRoom,
  scansAt,
  startCount,
  type CountRoom,
} from '#tests/e2e/count-room.ts'
import { scan, scanAtPace } from '#tests/e2e/wedge-scanner.ts'
import type { Tablet } from '#tests/support/browser.ts'

let room: CountRoom
let benTablet: Tablet
let mayaTablet: Tablet
let ben: Page
let maya: Page

beforeAll(async () => {
  room = await openCountRoom()
  const seats = await Promise.all([room.seat('ben', room.line), room.seat('maya', room.server)])
  ;[{ tablet: benTablet, page: ben }, { tablet: mayaTablet, page: maya }] = seats
})
afterAll(() => room?.close())

describe('More than one at a time', () => {
  test('two tabs of one tablet scan at once: one tab sends at a time, and each scan is sent once', async () => {
    const id = await startCount(ben, room.line.origin)
    const second = await benTablet.context.newPage()
    await openCount(second, room.line.origin, id)
    await everythingSent(ben)
    room.line.pushes.length = 0
    room.line.underWay.most = 0
    await Promise.all([scanAtPace(ben, room.labels(0, 40), 10), scanAtPace(second, room.labels(40, 80), 10)])
    await everythingSent(ben)
    await expectEachOnce(room.office, id, room.labels(0, 80), fullNames.ben)
    await Promise.all([expectCounted(ben, 80), expectCounted(second, 80)])
    expect(room.line.underWay.most).toBe(1)
    const sent = room.line.pushes.flatMap((push) => push.commands.map((command) => command.id))
    expect(sent.length).toBe(new Set(sent).size)
    await second.close()
  })

  test('the sending tab closes midway, and the other tab sends the rest', async () => {
    const id = await startCount(ben, room.line.origin)
    const second = await benTablet.context.newPage()
    await openCount(second, room.line.origin, id)
    await everythingSent(ben)
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    let reached = false
    room.line.answered = async (call) => {
      if (call.commands.length === 0) return
      reached = true
      await held
    }
    await scan(second, room.labels(80, 81)[0] ?? '')
    await until(
      async () => reached,
      (seen) => seen,
      'Nothing was sent',
    )
    await scan(ben, room.labels(81, 82)[0] ?? '')
    await lastScan(ben).getByText('Saved', { exact: true }).waitFor()
    await second.close()
    letGo()
    room.line.answered = () => undefined
    await everythingSent(ben)
    await expectEachOnce(room.office, id, room.labels(80, 82), fullNames.ben)
  })

  test('two tablets on one sheet show each other’s scans within two seconds', async () => {
    const id = await startCount(maya, room.server.origin)
    await everythingSent(maya)
    await openCount(ben, room.line.origin, id)
    await scan(ben, room.labels(90, 91)[0] ?? '')
    await expectCounted(maya, 1)
    const took: number[] = []
    for (let round = 0; round < 5; round++) {
      const [from, to] = round % 2 === 0 ? [maya, ben] : [ben, maya]
      const before = 1 + round
      await expectCounted(to, before)
      const began = Date.now()
      await scan(from, room.labels(91 + round, 92 + round)[0] ?? '')
      await to.waitForFunction((wanted) => document.querySelector('[data-testid="counted"]')?.textContent === String(wanted), before + 1)
      took.push(Date.now() - began)
    }
    expect(took.toSorted((a, b) => a - b)[2], `ms: ${took.join(', ')}`).toBeLessThan(2000)
    await maya.getByRole('region', { name: 'Who’s counting' }).getByText(fullNames.ben).first().waitFor()
    await ben.getByRole('region', { name: 'Who’s counting' }).getByText(fullNames.maya).first().waitFor()
  })

  test('both scan the same piece offline: it counts once, for the user who scanned first', async () => {
    const id = await startCount(maya, room.server.origin)
    await everythingSent(maya)
    await openCount(ben, room.line.origin, id)
    await Promise.all([benTablet.context.setOffline(true), mayaTablet.context.setOffline(true)])
    const [code = '', own = ''] = room.labels(100, 102)
    await scan(ben, code)
    await expectCounted(ben, 1)
    await scan(maya, code)
    await expectCounted(maya, 1)
    await scan(maya, own)
    await expectCounted(maya, 2)
    // Maya scanned second and comes back first.
    await mayaTablet.context.setOffline(false)
    await everythingSent(maya)
    await benTablet.context.setOffline(false)
    await everythingSent(ben)
    const rows = await until(
      () => scansAt(room.office, id),
      (seen) => seen.length === 3,
      'Not all three events arrived',
    )
    expect(
      rows
        .filter((row) => row.raw_code === code)
        .map((row) => row.author_name)
        .sort(),
    ).toEqual([fullNames.ben, fullNames.maya])
    await Promise.all([expectCounted(ben, 2), expectCounted(maya, 2)])
    const { items } = await room.office.get<{ items: { sku: string; outcome: string; counted_by: string }[] }>(
      `/api/inventory/count_sheets/items?id_count_sheet=${id}`,
    )
    const counted = items.filter((item) => item.outcome === 'counted')
    expect(new Map(counted.map((item) => [item.sku, item.counted_by]))).toEqual(
      new Map([
        [code, fullNames.ben],
        [own, fullNames.maya],
      ]),
    )
  })
})
