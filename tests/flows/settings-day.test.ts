import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/core/endpoints.ts'
import type { InventorySettings } from '#contract/settings/settings.ts'
import type { Device } from '#src/sync/device/device.ts'
import { ClinicDay } from '#tests/support/clinic-day.ts'
import { type FakeTablet, until } from '#tests/support/test-device.ts'

const chosen: InventorySettings = { control_preset: 'specification', blind_counts: true, coverage_percent: 90, scan_gap_ms: 60 }
let day: ClinicDay

beforeEach(async () => {
  day = await ClinicDay.begin()
})
afterEach(() => day.end())

async function signedIn(tablet: FakeTablet, username: string): Promise<Device> {
  const device = await tablet.open()
  await day.signIn(device, username)
  return device
}

const settingsOn = (device: Device) => device.session.state.getState().home?.store_settings
const isListening = (tablet: FakeTablet) => tablet.network.callsTo('/api/sync/events').length > 0
const hasBeenTold = (tablet: FakeTablet) => tablet.network.callsTo('/api/home/home').length > 0

describe('the settings of a store', () => {
  test('a manager changes them at the desk, and a clerk’s tablet follows a moment later', async () => {
    const clerk = day.tablet()
    const [desk, tablet] = [await signedIn(day.tablet(), 'maya'), await signedIn(clerk, 'ben')]
    await until('the tablet listens and knows who is here', () => isListening(clerk) && hasBeenTold(clerk))
    await until('the first pull is through', () => tablet.mirror.progress.getState().lastPulledAt !== null)
    expect(settingsOn(tablet)?.control_preset).toBe('practice')
    expect((await desk.call(endpoints.changeInventorySettings, { body: chosen })).ok).toBe(true)
    await until('the tablet goes by the new settings', () => settingsOn(tablet)?.control_preset === 'specification')
    expect(settingsOn(tablet)).toEqual(chosen)
    expect(clerk.surprises).toEqual([])
  })

  test('a manager shortens the lock time, and every tablet of the store keeps it for its next start', async () => {
    const clerk = day.tablet()
    const [desk, tablet] = [await signedIn(day.tablet(), 'maya'), await signedIn(clerk, 'ben')]
    await until('the tablet listens and knows who is here', () => isListening(clerk) && hasBeenTold(clerk))
    expect(clerk.stored.get('LockMinutes')).toBe('15')
    expect((await desk.call(endpoints.changeSecuritySettings, { body: { lock_minutes: 5 } })).ok).toBe(true)
    await until('the tablet goes by it', () => clerk.stored.get('LockMinutes') === '5')
    expect(tablet.session.state.getState().home?.lock_minutes).toBe(5)
  })

  test('a tablet that was offline follows as soon as it reaches the server again', async () => {
    const clerk = day.tablet()
    const desk = await signedIn(day.tablet(), 'maya')
    const tablet = await signedIn(clerk, 'ben')
    await until('the tablet listens', () => isListening(clerk))
    await tablet.close()
    expect((await desk.call(endpoints.changeInventorySettings, { body: chosen })).ok).toBe(true)
    const restarted = await clerk.open()
    await until('the new settings are here', () => settingsOn(restarted)?.coverage_percent === 90)
  })

  test('another window of the same tablet follows too', async () => {
    const clerk = day.tablet()
    const desk = await signedIn(day.tablet(), 'maya')
    const [first, second] = [await signedIn(clerk, 'ben'), await clerk.open()]
    await until('one of them listens', () => isListening(clerk) && hasBeenTold(clerk))
    expect((await desk.call(endpoints.changeInventorySettings, { body: chosen })).ok).toBe(true)
    await until('both know', () => [first, second].every((device) => settingsOn(device)?.scan_gap_ms === 60))
  })

  test('a late answer about the former user or store does not replace the current one', async () => {
    const shared = day.tablet()
    let hold: (() => void) | null = null
    const device = await signedIn(shared, 'maya')
    await until('the tablet knows who is here', () => hasBeenTold(shared))
    const maya = device.session.state.getState().home
    await device.session.signIn(await day.server.signIn('ben', device.deviceId))
    if (maya) await device.session.updateHome(maya)
    expect(device.session.state.getState().home?.username).toBe('ben')

    // Ben switches the store while an older request for his home is still open.
    shared.network.between = async (path, init) => {
      if (!path.startsWith('/api/home/home')) return null
      const answer = await day.server.app.request(path, init, { connection: { remoteAddress: '127.0.0.1', encrypted: false } })
      await new Promise<void>((resolve) => (hold = resolve))
      return answer
    }
    await day.server.db.write(['settings:1'], async () => {})
    await until('the question is under way', () => hold !== null)
    const moved = await device.call(endpoints.setStore, { body: { store_id: 2, device_id: device.deviceId } })
    if (moved.ok) await device.session.updateHome(moved.value)
    shared.network.between = null
    hold!()
    await until('nothing is under way any more', () => device.connection.getState().online === true)
    await device.pull()
    expect(device.session.state.getState().home?.store_id).toBe(2)
  })
})

describe('an open count', () => {
  test('shows in every window of its tablet until the user leaves it, and on no other tablet', async () => {
    const [here, there] = [day.tablet(), day.tablet()]
    const [counting, reading, other] = [await here.open(), await here.open(), await there.open()]
    expect(await reading.isCountOpen()).toBe(false)
    const leave = counting.openSheet('0199f0a0-0000-7000-8000-000000000001')
    await until('the other window knows', () => reading.isCountOpen())
    expect(await counting.isCountOpen()).toBe(true)
    expect(await other.isCountOpen()).toBe(false)
    leave()
    await until('it was left', async () => !(await reading.isCountOpen()))
  })
})
