import { permissionsOf } from '#contract/core/roles.ts'
import { heldWorkHandlers } from '#server/sync/held-work.ts'
import type { Device } from '#src/sync/device/device.ts'
import type { SimulatedDevice } from './device.ts'
import type { Dice } from './dice.ts'
import { calm } from './network.ts'
import { groundlessRefusals, hasComeToRest } from './oracle.ts'
import type { People } from './people.ts'
import { time } from './virtual-time.ts'
import type { World } from './world.ts'

const minute = 60_000
const quickLooks = [1000, 1000, 2000, 4000, 8000, 15_000, 30_000]
/** How long a healed clinic may take until everything has arrived. */
const restWithinMs = 40 * minute
/** How long the app may take to start once the disk is fine. */
const startWithinMs = minute
const longestLockout = 20 * minute

/** The end of a day: everything works again, and a user is at every device. */
export class Evening {
  readonly #world: World
  readonly #people: People
  readonly #chance: Dice

  constructor(world: World, people: People, chance: Dice) {
    this.#world = world
    this.#people = people
    this.#chance = chance
  }

  /** Waits until all that can leave has left. The invariants then report the rest. */
  async heal(): Promise<void> {
    const { server, devices } = this.#world
    server.forgetCrash()
    await time.advance(1)
    await time.drive(server.bootNow())
    for (const device of devices) {
      device.network.weather = calm
      device.disk.trouble = 'fine'
      if (this.#chance.chance(0.3)) device.clockErrorMs = 0
      const processes = [...device.tabs.map((tab) => tab.process), ...device.workers]
      for (const process of processes) Object.assign(process, { crashAfter: null, freezeAfter: null })
      // A tab that nobody looks at may stay frozen. The others must not wait for it.
      const staysFrozen = device.tabs.some(({ process, device: app }) => process.state === 'alive' && app) && this.#chance.chance(0.5)
      if (!staysFrozen) for (const process of processes) process.thaw()
    }
    await time.advance(5000)
    for (const device of devices) {
      // A user reloads a tab that asks for it.
      for (const tab of device.tabs.slice()) {
        if (tab.device?.connection.getState().databaseBlocked === 'reload') tab.process.kill('reloaded')
      }
      if (!device.tabs.some(({ process }) => process.state === 'alive')) device.openTab()
    }
    await time.advance(3000)
    // A disk that hung answers its old requests late.
    for (let waited = 0; waited < startWithinMs && !devices.every(isStarted); waited += 1000) await time.advance(1000)
    for (const device of devices) {
      // Often nobody signs in again, so waiting work must leave without a session.
      const tab = device.tabs.find((one) => one.device && one.process.state === 'alive')
      const isSignedIn = tab?.device?.session.state.getState().status === 1
      if (tab?.device && isSignedIn && this.#chance.chance(0.5)) await time.drive(tab.device.session.deleteTokens()).catch(() => undefined)
      // After three punches with a wrong password, the person has to wait.
      let isThere = await this.#keepSomeoneAt(device)
      for (let waited = 0; !isThere && waited < longestLockout; waited += minute) {
        await time.advance(minute)
        isThere = await this.#keepSomeoneAt(device)
      }
      if (!isThere) {
        this.#world.noted.push({ invariant: 5, what: `${device.name}: nobody can sign in though all is well` })
        return
      }
    }
    await this.#rest()
    this.#world.noted.push(...(await time.drive(groundlessRefusals(this.#world))))
    await this.#decideHeld()
    await this.#tryAgain()
    await this.#settle()
  }

  /** A manager applies the held work, and the tablets learn of it. The rest stays, and is shown. */
  async #decideHeld(): Promise<void> {
    const { services, seed } = this.#world.server
    const { maya } = seed.users
    const scope = { ...maya, permissions: new Set(permissionsOf(maya.role_ids)) }
    const listed = { services, scope } as unknown as Parameters<typeof heldWorkHandlers.listHeldWork>[0]
    for (let before = Infinity; ;) {
      const list = await time.drive(heldWorkHandlers.listHeldWork(listed))
      const held = list instanceof Response ? [] : list.held
      if (held.length === 0 || held.length >= before) return
      before = held.length
      const body = { ids: held.map(({ id }) => id), decision: 'apply', reason: 'It was ours' }
      const decided = { services, scope, body } as unknown as Parameters<typeof heldWorkHandlers.decideHeldWork>[0]
      await time.drive(heldWorkHandlers.decideHeldWork(decided))
      await time.advance(6 * minute)
      await this.#rest()
    }
  }

  /** Users settle some conflicts. The other conflicts wait, and are shown. */
  async #settle(): Promise<void> {
    const { desk } = this.#people
    if (!desk) return
    for (const device of this.#world.devices) {
      const tab = device.tabs.find((one) => one.device && one.process.state === 'alive')
      if (tab?.device && this.#chance.chance(0.7)) await time.drive(desk.settle({ device, tab, app: tab.device }, this.#chance))
    }
    await this.#rest()
  }

  /**
   * A user retries everything that needs attention, as long as that gets anything applied. A refused command may have
   * waited for another device's work.
   */
  async #tryAgain(): Promise<void> {
    let before = Infinity
    for (;;) {
      const waiting = await time.drive(this.#needingAttention())
      if (waiting.length === 0 || waiting.length >= before) return
      before = waiting.length
      for (const { app, id } of waiting) await time.drive(app.outbox.retry(id))
      await this.#rest()
    }
  }

  async #needingAttention(): Promise<Array<{ app: Device; id: string }>> {
    const waiting: Array<{ app: Device; id: string }> = []
    for (const device of this.#world.devices) {
      const app = device.tabs.find((tab) => tab.device && tab.process.state === 'alive')?.device
      const commands = (await app?.hot.outbox.where('state').equals('needs-attention').toArray()) ?? []
      for (const { id } of commands) if (app) waiting.push({ app, id })
    }
    return waiting
  }

  async #rest(): Promise<void> {
    let waited = 0
    for (const step of quickLooks) {
      await time.advance(step)
      waited += step
      if (await this.#isAtRest()) return
    }
    while (waited < restWithinMs) {
      await time.advance(5 * minute)
      waited += 5 * minute
      if (await this.#isAtRest()) return
    }
  }

  async #isAtRest(): Promise<boolean> {
    for (const device of this.#world.devices) await this.#keepSomeoneAt(device)
    return await time.drive(hasComeToRest(this.#world))
  }

  /** The server may have ended a session while the device was offline. A user then signs in again. */
  async #keepSomeoneAt(device: SimulatedDevice): Promise<boolean> {
    const tab = device.tabs.find((one) => one.device && one.process.state === 'alive')
    const people = this.#world.plan.devices[this.#world.devices.indexOf(device)]?.people ?? []
    if (!tab?.device) return false
    const { status, locked, offline } = tab.device.session.state.getState()
    if (status === 1 && !locked && !offline) return true
    return await time.drive(this.#people.signInAt(device, tab, tab.device, this.#chance.pick(people))).catch(() => false)
  }
}

function isStarted({ tabs }: SimulatedDevice): boolean {
  return tabs.some((tab) => tab.device !== null && tab.process.state === 'alive')
}
