import { createHash } from 'node:crypto'
import { tabletHandlers } from '#server/features/settings/tablets/handlers.ts'
import type { ClinicServer } from './clinic-server.ts'
import type { Broken } from './performed-actions.ts'
import { SimulatedDevice } from './device.ts'
import { dice, type Dice } from './dice.ts'
import { Evening } from './evening.ts'
import type { Met } from './met.ts'
import { calm } from './network.ts'
import { closeHouse, type Morning } from './morning.ts'
import { checkInvariants } from './oracle.ts'
import { People } from './people.ts'
import { badWeather, clockError, type PersonName, personNames, type Plan, type Step } from './plan.ts'
import { Process } from './process.ts'
import { plaintextOn } from './secrets.ts'
import type { World } from './world.ts'
import { Livelock, seedChance, time } from './virtual-time.ts'

export type HistoryResult = {
  seed: number
  broken: Broken[]
  steps: number
  /** A hash of every event in order: the same for the same plan and the same code. */
  hash: string
  story: string[]
  acts: number
  virtualMs: number
  met: Met
}

export async function runHistory(server: ClinicServer, morning: Morning, plan: Plan, options: { story: boolean }): Promise<HistoryResult> {
  const history = new History(server, morning, plan, options.story)
  try {
    return await history.run()
  } finally {
    await history.end()
  }
}

class History {
  readonly #world: World
  readonly #story: string[] = []
  readonly #keepStory: boolean
  readonly #hash = createHash('sha256')
  readonly #chance: Dice
  readonly #people: People
  readonly #grounds: Morning['grounds']
  /** The keys for patients that the server gave, by device. */
  readonly #keys = new Map<string, { key: string; at: number }[]>()
  readonly #met: Met = {}
  #hasBackup = false
  #isOver = false

  constructor(server: ClinicServer, morning: Morning, plan: Plan, keepStory: boolean) {
    this.#keepStory = keepStory
    this.#chance = dice(plan.seed, 'world')
    seedChance(plan.seed)
    time.reset(plan.isFirstDay ? 0 : morning.at)
    const devices = plan.devices.map(({ clockErrorMs, hasLocks }, at) => {
      const before = plan.isFirstDay ? null : morning.devices[at]
      const device = new SimulatedDevice(`tablet${at + 1}`, server, plan.seed, hasLocks, this.#tell, before, plan.hasPatients)
      device.clockErrorMs = clockErrorMs
      return device
    })
    const { patients: there } = morning
    const patients = there && { known: [...there.known], secrets: there.secrets.copy(), blurred: new Set<string>(), removals: [] }
    const heard = { refused: new Set<string>(), unanswered: new Set<string>(), copied: new Set<string>() }
    this.#world = {
      server,
      devices,
      acts: [],
      plan,
      ...heard,
      restores: 0,
      strayRefreshes: 0,
      noted: [],
      patients,
      arrivals: plan.hasStock ? [] : null,
    }
    this.#grounds = morning.grounds
    for (const device of devices) {
      const { network } = device
      network.onPatientsKey = (key) => this.#hearKey(device, key)
      device.afterKill = () => this.#lookForPlaintext(device, 'after a process was killed')
      network.onRefused = (id) => this.#world.refused.add(id)
      network.onUnanswered = (id) => this.#world.unanswered.add(id)
      network.onCopied = (id) => this.#world.copied.add(id)
      network.onFault = (fate) => this.#meet(`network ${fate}`)
      network.onStrayRefresh = () => (this.#world.strayRefreshes += 1)
    }
    this.#people = new People(this.#world, this.#tell)
  }

  readonly #tell = (line: string): void => {
    if (this.#isOver) return
    const text = `${(time.now() / 1000).toFixed(3).padStart(10)} ${line}`
    this.#hash.update(text)
    if (this.#keepStory) this.#story.push(text)
  }

  #meet(kind: string): void {
    this.#met[kind] = (this.#met[kind] ?? 0) + 1
  }

  async run(): Promise<HistoryResult> {
    const { server, devices, plan } = this.#world
    const broken: Broken[] = []
    try {
      const from = plan.isFirstDay ? this.#grounds.firstDay : this.#grounds.morning
      await time.drive(server.begin({ from, accessTokenSeconds: plan.accessTokenSeconds, epoch: this.#uuid() }))
      for (const [at, device] of devices.entries()) {
        for (let tabs = plan.devices[at]?.tabs ?? 1; tabs > 0; tabs -= 1) device.openTab()
      }
      await time.advance(500)
      for (const [at, device] of devices.entries()) {
        const [tab] = device.tabs
        const [person] = plan.devices[at]?.people ?? []
        if (tab && person && plan.isFirstDay) this.#people.signIn(device, tab, person)
      }
      await time.advance(1500)
      for (const [at, step] of plan.steps.entries()) {
        this.#perform(step, at)
        await time.advance(step.gapMs)
        for (const device of devices) this.#lookForPlaintext(device, `after step ${at + 1}`)
      }
      this.#tell('— evening: network, disks and server are fine, and someone is at every device')
      await new Evening(this.#world, this.#people, this.#chance).heal()
      for (const device of devices) this.#lookForPlaintext(device, 'in the evening')
      broken.push(...(await time.drive(checkInvariants(this.#world))))
    } catch (error) {
      if (!(error instanceof Livelock)) throw error
      broken.push({ invariant: 5, what: `the app runs in circles: ${error.message}` })
    }
    for (const { invariant, what } of broken) this.#tell(`BROKEN ${invariant}: ${what}`)
    this.#isOver = true
    return {
      seed: plan.seed,
      broken,
      steps: plan.steps.length,
      hash: this.#hash.digest('hex').slice(0, 16),
      story: this.#story,
      acts: this.#world.acts.length,
      virtualMs: time.now(),
      met: this.#met,
    }
  }

  /** 9: nothing of a patient is ever on a device in the clear. */
  #lookForPlaintext(device: SimulatedDevice, when: string): void {
    const { patients, noted } = this.#world
    if (patients === null || this.#isOver || noted.length > 20) return
    for (const what of plaintextOn(device, patients.secrets)) noted.push({ invariant: 9, what: `${when}: ${what}` })
  }

  async end(): Promise<void> {
    this.#isOver = true
    await closeHouse(this.#world.devices)
  }

  // The acts of people

  #perform(step: Step, at: number): void {
    const { devices } = this.#world
    const device = devices[step.device % devices.length]
    if (!device) return
    const chance = dice(step.draw, 'step')
    const tab = device.tabs[step.tab % Math.max(1, device.tabs.length)]
    if (step.do === 'nothing') return
    this.#meet(`step ${step.do}`)
    this.#tell(`— step ${at + 1}: ${step.do} (${tab?.process.name ?? device.name})`)
    switch (step.do) {
      case 'open-tab':
        if (device.tabs.length < 3) device.openTab()
        return
      case 'kill-browser':
        return device.killBrowser(chance.below(5000))
      case 'wipe':
        return device.wipe()
      case 'wake-worker':
        if (device.workers.length < 2) {
          const worker = device.wakeWorker()
          if (chance.chance(0.3)) worker.crashAfter = chance.below(60)
        }
        return
      case 'disk-trouble':
        device.disk.trouble = chance.pick(['full-at-write', 'full-at-commit', 'hangs'] as const)
        this.#meet(`disk ${device.disk.trouble}`)
        return this.#tell(`${device.name} disk is ${device.disk.trouble}`)
      case 'disk-fine':
        device.disk.trouble = 'fine'
        return
      case 'weather':
        device.network.weather = {
          isOnline: true,
          weights: step.fate ? { [step.fate]: 1 } : badWeather(chance),
          slowMs: chance.pick([40, 400, 4000]),
        }
        return this.#tell(`${device.name} weather ${JSON.stringify(device.network.weather.weights)}`)
      case 'offline':
        device.network.weather = { ...device.network.weather, isOnline: false }
        return chance.chance(0.5) ? device.tellOffline() : undefined
      case 'network-fine':
        device.network.weather = calm
        for (const one of device.tabs) if (chance.chance(0.5)) device.tellReturn(one)
        return
      case 'server-crash':
        return this.#world.server.crashSoon({
          after: chance.below(60),
          when: chance.pick(['before', 'after'] as const),
          downMs: 200 + chance.below(20_000),
        })
      case 'server-outage':
        return this.#quietly(this.#world.server.outage(500 + chance.below(60_000)))
      case 'back-up':
        return this.#quietly(this.#world.server.backUp().then(() => (this.#hasBackup = true)))
      case 'restore':
        if (!this.#hasBackup) return
        this.#world.restores += 1
        return this.#quietly(this.#world.server.restore(this.#uuid()))
      case 'clock':
        device.clockErrorMs = chance.chance(0.4) ? 0 : clockError(chance)
        return this.#tell(`${device.name} clock is off by ${Math.round(device.clockErrorMs / 1000)} s`)
      case 'revoke-sessions':
        return this.#revoke(chance.pick(personNames))
      case 'remove-tablet':
        return this.#quietly(this.#removeTablet(device))
      case 'new-record-key':
        this.#tell('the server gets a new key for records')
        return this.#quietly(this.#world.server.changeRecordKey(200 + chance.below(4000)))
      case 'newer-schema':
        return this.#newerSchema(device)
      case 'update-app':
        return this.#updateApp(device)
      default:
    }
    if (!tab) return void device.openTab()
    switch (step.do) {
      case 'close-tab':
        for (const leave of tab.listeners.leave) leave()
        return tab.process.kill('closed')
      case 'crash':
        tab.process.crashAfter = chance.below(chance.pick([3, 20, 120]))
        return
      case 'freeze':
        tab.process.freezeAfter = chance.below(chance.pick([2, 20, 80]))
        return
      case 'thaw':
        for (const one of device.tabs) {
          one.process.freezeAfter = null
          one.process.thaw()
          if (chance.chance(0.5)) device.tellReturn(one)
        }
        return
      case 'steal-locks':
        return this.#tell(`taken from ${tab.process.name}: ${device.locks.steal(tab.process).join(', ')}`)
      case 'close-connection':
        return device.disk.closeConnections(tab.process)
      case 'page-returns':
        return device.tellReturn(tab)
      default:
    }
    if (!tab.device || tab.process.state !== 'alive') return
    const app = tab.device
    this.#people.act(step.do, device, tab, app, chance)
  }

  #revoke(person: PersonName): void {
    const { services } = this.#world.server
    const user = Object.values(this.#world.server.seed.users).find(({ username }) => username === person)
    if (!user) return
    const at = new Date(services.clock.now()).toISOString()
    this.#tell(`${person}'s sessions are ended at the server`)
    this.#quietly(
      services.db.pool
        .updateTable('sessions')
        .set({ revoked_at: at, revoked_because: 'disabled' })
        .where('id_user', '=', user.id_user)
        .execute(),
    )
  }

  /** 9: a revoked tablet never gets its former key for patients again. */
  #hearKey({ name }: SimulatedDevice, key: string): void {
    const { patients, noted, restores } = this.#world
    const given = this.#keys.get(name) ?? []
    const last = patients?.removals.findLast(({ device }) => device === name)
    if (restores === 0 && last && given.some((one) => one.key === key && one.at < last.at))
      noted.push({ invariant: 9, what: `${name} was removed, and got its old key again` })
    this.#keys.set(name, [...given, { key, at: time.now() }])
    patients?.secrets.addKey(key)
  }

  /** A manager revokes the tablet in the settings. */
  async #removeTablet(device: SimulatedDevice): Promise<void> {
    const { server, patients } = this.#world
    const id = device.tabs.find((tab) => tab.device)?.device?.deviceId
    if (id === undefined) return
    const { services } = server
    const open = await services.db.pool
      .selectFrom('sessions')
      .select('id')
      .where('device_id', '=', id)
      .where('revoked_at', 'is', null)
      .execute()
    const manager = server.seed.users.maya
    await tabletHandlers.revokeTablet({ services, scope: manager, params: { id } } as unknown as Parameters<
      typeof tabletHandlers.revokeTablet
    >[0])
    patients?.removals.push({ device: device.name, sessions: open.map((session) => session.id), at: time.now() })
    this.#tell(`${device.name} was removed by ${manager.username}`)
  }

  /** A new version of the app takes over: every tab closes, and a new one opens. */
  #updateApp(device: SimulatedDevice): void {
    for (const tab of device.tabs.slice()) {
      for (const leave of tab.listeners.leave) leave()
      tab.process.kill('updated')
    }
    device.openTab()
  }

  /**
   * A tab with a newer app changes the tables, and tabs with the older app must close the database. Then all have the
   * newer app.
   */
  #newerSchema(device: SimulatedDevice): void {
    const process = new Process(`${device.name}/newer`)
    const present = device.disk.versionOf(device.name)
    if (present === 0 || present >= 20) return
    const request = device.disk.factoryFor(process).open(device.name, 20)
    const finish = () => {
      if (process.state === 'dead') return
      process.kill('done')
      for (const tab of device.tabs.slice()) tab.process.kill('reloaded for the newer app')
      device.disk.setVersion(device.name, present)
      device.openTab()
    }
    request.addEventListener('success', () => {
      this.#tell(`${device.name} has newer tables`)
      request.result.close()
      time.schedule(3000, finish)
    })
    // The user closes a tab that keeps the database open, as the app asks.
    time.schedule(8000, () => {
      if (request.readyState === 'done') return
      for (const tab of device.tabs.slice()) {
        if (tab.process.state === 'alive' && device.disk.isOpenIn(tab.process, device.name))
          this.#world.noted.push({ invariant: 7, what: `${tab.process.name} keeps the newer app from its tables` })
        tab.process.kill('in the way of the newer app')
      }
    })
  }

  /** A failure here would show on a user's screen. Only broken promises count. */
  #quietly(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#tell(`failed: ${String(error).split('\n')[0]}`))
  }

  #uuid(): string {
    const part = (length: number) => Array.from({ length }, () => this.#chance.below(16).toString(16)).join('')
    return `${part(8)}-${part(4)}-4${part(3)}-8${part(3)}-${part(12)}`
  }
}
