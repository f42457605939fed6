import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Device } from '#src/sync/device/device.ts'
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

type Told = {
  report: number
  open_sheets: string[]
  commands: unknown[]
  holds: { unsent: number }[]
  oldest_unsent_s: number | null
  app_version?: string
}
const told = () => tablet.network.callsTo('/api/sync/push').map(({ body }): Told => JSON.parse(body))

test('a device sends its reports in order, and its last report is true', async () => {
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

test('a report that becomes due while another is under way is sent too', async () => {
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
  await until('it is reported again without a wish', () => told().length > before && told().at(-1)?.open_sheets.length === 0)
})

test('a batch that is on its way is not reported as held', async () => {
  await until('it was said who is here', () => told().length > 0)
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

describe('a device that sends nothing else', () => {
  test('reports its user at once, and reports again every five minutes', async () => {
    await until('it was said for Ben', () => told().length > 0)
    expect(told()[0]).toMatchObject({ holds: [], oldest_unsent_s: null })
    const forBen = told().length
    await device.session.signIn(person('ana', 3))
    await until('it was said for Ana', () => told().length > forBen)
    const forAna = told().length
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(told().length).toBe(forAna)
    tablet.pass(5 * 60_000)
    await until('it was said again', () => told().length > forAna)
  })

  test('reports the version of its app, and the age of the oldest work that a push leaves behind', async () => {
    const aged = new FakeTablet(clinic.answer, { haste: 20 })
    aged.network.online = false
    const old = await aged.open({ appVersion: '1.2.3' })
    await old.session.signIn(person('ben'))
    const record = async (code: string) => {
      const body = { id_count_sheet: sheet, raw_code: code, id_inventory: null, via: 'scanner', previous_scan: null } as const
      const made = await old.outbox.record('count.scan', `count:${sheet}`, body, { title: `Scan ${code}` })
      return made.saved ? made.command.id : ''
    }
    const first = await record('A')
    clinic.refusals.set(first, { status: 409, code: 'count-closed' })
    aged.pass(600_000)
    await record('B')
    aged.network.online = true
    await old.drain()
    await until('one needs attention', async () => (await old.hot.outbox.get(first))?.state === 'needs-attention')
    await until('only that is left', async () => (await old.hot.outbox.count()) === 1)
    old.openSheet(sheet)()
    const said = () => aged.network.callsTo('/api/sync/push').map(({ body }): Told => JSON.parse(body))
    await until('the remaining work was reported', () => said().at(-1)?.oldest_unsent_s !== null)
    expect(new Set(said().map(({ app_version }) => app_version))).toEqual(new Set(['1.2.3']))
    const last = said().at(-1)
    expect(last?.holds).toEqual([{ lane: `count:${sheet}`, unsent: 1 }])
    expect(last?.oldest_unsent_s).toBeGreaterThanOrEqual(600)
    expect(last?.oldest_unsent_s).toBeLessThan(900)
    await aged.close()
  })

  test('reports ages within bounds, even after its clock was changed', async () => {
    const body = { id_count_sheet: sheet, raw_code: 'A', id_inventory: null, via: 'scanner', previous_scan: null } as const
    tablet.network.online = false
    const made = await device.outbox.record('count.scan', `count:${sheet}`, body, { title: 'Scan A' })
    if (!made.saved) throw new Error('not saved')
    clinic.refusals.set(made.command.id, { status: 409, code: 'count-closed' })
    tablet.network.online = true
    await device.drain()
    await until('it needs attention', async () => (await device.hot.outbox.get(made.command.id))?.state === 'needs-attention')
    for (const [years, seconds] of [
      [-20, 0],
      [40, 315_360_000],
    ] as const) {
      tablet.clockErrorMs = years * 365 * 86_400_000
      const before = told().length
      device.openSheet(sheet)()
      await until('it was said', () => told().length > before)
      expect(told().at(-1)?.oldest_unsent_s).toBe(seconds)
    }
  })
})
