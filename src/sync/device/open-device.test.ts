import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Device } from '#src/sync/device/device.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { FakeClinic, person } from '#tests/support/fake-clinic.ts'
import { FakeTablet, until } from '#tests/support/test-device.ts'
import { unsentWork } from './unsent-work.ts'

const sheet = '0199d0f0-0000-7000-8000-000000000001'

let clinic: FakeClinic
let tablet: FakeTablet
let device: Device

beforeEach(() => {
  vi.resetModules()
  clinic = new FakeClinic()
  tablet = new FakeTablet(clinic.answer, { haste: 200 })
})
afterEach(async () => {
  await device.close()
  vi.doUnmock('#src/sync/engine/exchange.ts')
  vi.doUnmock('#src/sync/engine/outbox-file.ts')
})

/** Opens the device again, as a page does. The exchange with the server starts `after`. */
async function open(after?: Promise<unknown>, more: Partial<Environment> = {}) {
  const { openDevice } = await import('#src/sync/device/open-device.ts')
  device = await openDevice({ ...tablet.environment(), ...more }, after).ready
  await device.session.signIn(person('ben'))
}

async function scan(code: string) {
  const body = { id_count_sheet: sheet, raw_code: code, id_inventory: null, via: 'scanner' as const, previous_scan: null }
  return await device.outbox.record('count.scan', `count:${sheet}`, body, { title: `Scan ${code}` })
}

const isSent = async () => clinic.applied.size === 1 && (await device.hot.outbox.count()) === 0

test('a scan is saved before the code for the server is loaded, and sent as soon as it is', async () => {
  let stands = () => {}
  await open(new Promise<void>((resolve) => (stands = resolve)))
  expect((await scan('A')).saved).toBe(true)
  await until('it is counted', () => device.connection.getState().unsent === 1)
  expect(tablet.network.callsTo('/api/sync/push')).toEqual([])
  stands()
  await until('it was sent', isSent)
})

test('the view of a record waits to be sent, and is no work', async () => {
  await open(new Promise<void>(() => undefined))
  const view = { id_patient: '01890000-0000-7000-8000-00000000a001', part: '', reason: '', offline: true }
  await device.outbox.record('patient.view', `views:${device.deviceId}`, view, { title: 'Patient record opened' })
  await until('it is counted', () => device.connection.getState().unsent === 1)
  expect(unsentWork(device.connection.getState())).toBe(0)
  expect(device.connection.getState().oldestAt).toBeNull()
  await scan('A')
  await until('the scan is work', () => unsentWork(device.connection.getState()) === 1)
  expect(device.connection.getState().oldestAt).not.toBeNull()
})

test('when that code cannot be fetched the device is offline, keeps scans, and fetches the code again', async () => {
  vi.doMock('#src/sync/engine/exchange.ts', () => {
    throw new TypeError('no network')
  })
  await open()
  await until('it is offline', () => device.connection.getState().online === false)
  expect((await scan('A')).saved).toBe(true)
  await device.drain()
  expect(await device.hot.outbox.count()).toBe(1)
  vi.doUnmock('#src/sync/engine/exchange.ts')
  await until('it was sent', isSent)
  expect(device.connection.getState().online).toBe(true)
})

test('when the app is not kept on the device, the code is not fetched before the server can be reached', async () => {
  let asked = 0
  vi.doMock('#src/sync/engine/exchange.ts', async (original) => {
    asked += 1
    return await original()
  })
  tablet.network.online = false
  await open(undefined, { codeIsKept: () => false })
  await until('it is offline', () => device.connection.getState().online === false)
  expect((await scan('A')).saved).toBe(true)
  expect(asked).toBe(0)
  tablet.network.online = true
  await until('it was sent', isSent)
  expect(asked).toBe(1)
})

test('the code for the file of unsent work loads together with the rest, not when the server is gone', async () => {
  vi.doMock('#src/sync/engine/outbox-file.ts', () => {
    throw new TypeError('no network')
  })
  await open()
  expect((await scan('A')).saved).toBe(true)
  await until('it is offline', () => device.connection.getState().online === false)
  await expect(device.outbox.exportUnsent()).rejects.toThrow()
  vi.doUnmock('#src/sync/engine/outbox-file.ts')
  await until('it was sent', isSent)
})

test('a tablet is readable before its database is open, and keeps work that is recorded then', async () => {
  await open()
  const session = await device.hot.session.get('session')
  const fact = async (key: string) => (await device.hot.facts.get(key))?.value
  const facts = { session: session!, device: await fact('device'), wiped: undefined, key: null, clock: null, waiting: 0 }
  const { deviceId } = device
  await device.close()

  const { openDevice } = await import('#src/sync/device/open-device.ts')
  const { HotDatabase } = await import('#src/db/hot/hot.ts')
  let openDisk = () => {}
  const disk = new Promise<void>((resolve) => (openDisk = resolve))
  vi.spyOn(HotDatabase.prototype, 'openSafely').mockImplementation(async function (this: InstanceType<typeof HotDatabase>) {
    await disk
    await this.open()
  })
  const ahead = { facts: Promise.resolve(facts), patients: Promise.resolve(null) }
  const { readable, ready } = openDevice(tablet.environment(), undefined, ahead)
  device = await readable
  expect(device.deviceId).toBe(deviceId)
  expect(device.session.state.getState()).toMatchObject({ status: 1, ready: true })
  const recorded = scan('A')
  openDisk()
  expect(await ready).toBe(device)
  expect((await recorded).saved).toBe(true)
  vi.restoreAllMocks()
})

test('a tablet that cannot open its database is readable and never ready', async () => {
  await open()
  const session = await device.hot.session.get('session')
  const known = (await device.hot.facts.get('device'))?.value
  const facts = { session: session!, device: known, wiped: undefined, key: null, clock: null, waiting: 0 }
  await device.close()
  const { openDevice } = await import('#src/sync/device/open-device.ts')
  const { HotDatabase } = await import('#src/db/hot/hot.ts')
  vi.spyOn(HotDatabase.prototype, 'openSafely').mockRejectedValue(new Error('no disk'))
  const { readable, ready } = openDevice(tablet.environment(), undefined, {
    facts: Promise.resolve(facts),
    patients: Promise.resolve(null),
  })
  device = await readable
  await expect(ready).rejects.toThrow('no disk')
  vi.restoreAllMocks()
})
