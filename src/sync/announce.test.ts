import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Device } from '#src/sync/device.ts'
import { FakeClinic, json, person } from '#tests/support/fake-clinic.ts'
import { FakeTablet, until } from '#tests/support/test-device.ts'

const sheet = '0199d0f0-0000-7000-8000-000000000001'
let clinic: FakeClinic
let tablet: FakeTablet
let device: Device

beforeEach(async () => {
  clinic = new FakeClinic()
  tablet = new FakeTablet(clinic.answer, { haste: 20 })
  device = await tablet.open()
  await device.session.signIn(person('ben'))
  await until('it is known to be online', () => device.connection.getState().online === true)
})
afterEach(() => tablet.close())

type Told = { report: number; open_sheets: string[]; commands: unknown[]; holds: { unsent: number }[] }
const told = () => tablet.network.callsTo('/api/sync/push').map(({ body }): Told => JSON.parse(body))

test('what a device says of itself goes out in order, and its last word is what is true', async () => {
  let underWay = 0
  let mostAtOnce = 0
  tablet.network.between = async (path) => {
    if (path !== '/api/sync/push') return null
    underWay += 1
    mostAtOnce = Math.max(mostAtOnce, underWay)
    await new Promise((resolve) => setTimeout(resolve, 20))
    underWay -= 1
    return null
  }
  const second = await tablet.open()
  for (let times = 0; times < 3; times += 1) {
    const closings = [device.openSheet(sheet), second.openSheet(sheet)]
    for (const close of closings) close()
  }
  await until('nothing is open any more', () => told().at(-1)?.open_sheets.length === 0 && underWay === 0)
  expect(mostAtOnce).toBe(1)
  const reports = told().map(({ report }) => report)
  expect(reports).toEqual([...new Set(reports)].sort((a, b) => a - b))
})

test('a wish that comes up while another is being said is not taken for said', async () => {
  let fail = () => {}
  tablet.network.between = async (path) => {
    if (path !== '/api/sync/push') return null
    tablet.network.between = (later) => (later === '/api/sync/push' ? json(503, { error: 'No', code: 'database-unreachable' }) : null)
    await new Promise<void>((resolve) => {
      fail = resolve
    })
    return null
  }
  const close = device.openSheet(sheet)
  await until('the opening is being said', () => told().length > 0)
  close()
  fail()
  await until('the closing was said in vain', () => told().at(-1)?.open_sheets.length === 0)
  tablet.network.between = null
  const before = told().length
  await until('it is said again by itself', () => told().length > before && told().at(-1)?.open_sheets.length === 0)
})

test('a batch that is on its way is not told as held', async () => {
  let answerNow = () => {}
  tablet.network.between = async (path, init) => {
    if (path !== '/api/sync/push' || typeof init.body !== 'string' || !init.body.includes('count.scan')) return null
    await new Promise<void>((resolve) => {
      answerNow = resolve
    })
    return null
  }
  const body = { id_count_sheet: sheet, raw_code: 'A', id_inventory: null, via: 'scanner', previous_scan: null } as const
  await device.outbox.record('count.scan', `count:${sheet}`, body, { title: 'Scan A' })
  await until('the scan is on its way', () => told().some(({ commands }) => commands.length > 0))
  device.openSheet(sheet)()
  await new Promise((resolve) => setTimeout(resolve, 50))
  answerNow()
  await until('the sheet was said to be closed', () => told().at(-1)?.commands.length === 0)
  expect(told().flatMap(({ holds }) => holds.map(({ unsent }) => unsent))).toEqual([0])
})
