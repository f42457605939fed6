import { Dexie } from 'dexie'
import type { ClinicServer, Ground } from './clinic-server.ts'
import { SimulatedDevice, type SwitchedOff } from './device.ts'
import { hasComeToRest } from './oracle.ts'
import { People } from './people.ts'
import { lastReaderOf } from './patient-plan.ts'
import { lastUserOf, mostDevices, type PersonName, planFor } from './plan.ts'
import { admitPatients, type SimulatedPatient } from './simulated-patients.ts'
import type { Secrets } from './secrets.ts'
import { forgetBroadcasts, seedChance, time } from './virtual-time.ts'
import type { World } from './world.ts'

/**
 * Most histories start with tablets in use: signed in, with everything mirrored. Preparing them costs as much as the
 * rest of a short history, so a process does it once.
 */
export type Morning = {
  at: number
  devices: SwitchedOff[]
  /** The server's tables for a first day and for such a morning. */
  grounds: { firstDay: Ground; morning: Ground }
  patients: { known: readonly SimulatedPatient[]; secrets: Secrets } | null
}

/** Keeps the clinic's tables as `morning`; for tablets that keep patients, as `clinic` and `clinic_morning`. */
export async function makeMorning(server: ClinicServer, hasPatients: boolean): Promise<Morning> {
  seedChance(0)
  time.reset()
  const tell = () => {}
  const devices = Array.from(
    { length: mostDevices },
    (_, at) => new SimulatedDevice(`tablet${at + 1}`, server, 0, true, tell, null, hasPatients),
  )
  await time.drive(server.begin({ from: 'seed', accessTokenSeconds: 900, epoch: '00000000-0000-4000-8000-000000000000' }))
  const patients = hasPatients ? { ...(await time.drive(admitPatients(server))), blurred: new Set<string>(), removals: [] } : null
  if (patients) await server.keepAs('clinic')
  const world: World = {
    server,
    devices,
    acts: [],
    plan: planFor(0),
    refused: new Set(),
    unanswered: new Set(),
    copied: new Set(),
    restores: 0,
    strayRefreshes: 0,
    noted: [],
    patients,
    arrivals: null,
  }
  const people = new People(world, tell)
  for (const device of devices) {
    device.network.onPatientsKey = (key) => patients?.secrets.addKey(key)
    device.openTab()
  }
  await time.advance(500)
  for (const [at, device] of devices.entries()) {
    const [tab] = device.tabs
    if (tab && !people.desk) people.signIn(device, tab, lastUserOf(at))
  }
  for (const round of people.desk ? [1, 0] : []) {
    // Two users have signed in on each, and may sign in offline. The last one stays.
    for (const [at, device] of devices.entries()) await signInByScreen(people, device, lastReaderOf(at + round))
    await time.advance(5000)
  }
  await time.advance(30_000)
  if (!(await time.drive(hasComeToRest(world)))) throw new Error('The tablets did not get ready for the day')
  for (const device of devices) device.killBrowser(0)
  await time.advance(1000)
  const grounds = { firstDay: hasPatients ? 'clinic' : 'seed', morning: hasPatients ? 'clinic_morning' : 'morning' } as const
  const morning: Morning = { at: time.now(), devices: devices.map((device) => device.switchedOff()), grounds, patients }
  await server.keepAs(grounds.morning)
  await closeHouse(devices)
  return morning
}

async function signInByScreen({ desk }: People, device: SimulatedDevice, person: PersonName): Promise<void> {
  const [tab] = device.tabs
  if (desk && tab?.device) await time.drive(desk.signIn({ device, tab, app: tab.device }, person, true))
}

/** Ends everything that still runs, so that the next history starts clean. */
export async function closeHouse(devices: readonly SimulatedDevice[]): Promise<void> {
  for (const device of devices) {
    device.killBrowser(0)
    for (const opened of device.opened) await time.drive(opened.close()).catch(() => undefined)
  }
  await time.runDry().catch(() => undefined)
  time.reset()
  forgetBroadcasts()
  for (const listener of mutationListeners().filter((one) => !ownListeners.has(one))) Dexie.on.storagemutated.unsubscribe(listener)
}

type Listener = Parameters<typeof Dexie.on.storagemutated.unsubscribe>[0]
type Listeners = { subscribers: Listener[] }
function mutationListeners(): Listener[] {
  return (Dexie.on.storagemutated as unknown as Listeners).subscribers.slice()
}
const ownListeners = new Set(mutationListeners())
