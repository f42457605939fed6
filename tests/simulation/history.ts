import { createHash } from 'node:crypto'
import { Dexie } from 'dexie'
import { commandVersions, type CommandBody, type CommandKind, type Lane, upcasts } from '#contract/commands.ts'
import { wholeStore } from '#contract/count-sheets.ts'
import { endpoints } from '#contract/endpoints.ts'
import type { Device } from '#src/sync/device.ts'
import { createPunching, type Punching } from '#src/sync/punching.ts'
import { seedPassword } from '#tests/support/seed-clinic.ts'
import type { ClinicServer } from './clinic-server.ts'
import type { Broken, Deed } from './deeds.ts'
import { SimulatedDevice, type Tab } from './device.ts'
import { dice, type Dice } from './dice.ts'
import { calm } from './network.ts'
import { checkInvariants, hasComeToRest } from './oracle.ts'
import { badWeather, clockError, type PersonName, personNames, type Plan, type Step } from './plan.ts'
import { Process } from './process.ts'
import type { World } from './world.ts'
import { forgetBroadcasts, Livelock, seedChance, time } from './virtual-time.ts'

export type HistoryResult = {
  seed: number
  broken: Broken[]
  steps: number
  /** Of everything that happened, in order: the same for the same plan and the same code. */
  hash: string
  story: string[]
  deeds: number
  virtualMs: number
}

type Sheet = { id: string; store: number }

const minute = 60_000
const quickLooks = [1000, 1000, 2000, 4000, 8000, 15_000, 30_000]
/** How long a healed clinic may take until everything is where it belongs. */
const restWithinMs = 40 * minute

/** How long the app may take to start once the disk is fine. */
const startWithinMs = minute
const longestLockout = 20 * minute

/** A note as the app before this one wrote it: tablets with that app still have it in their outbox. */
function teachOlderNotes(): void {
  commandVersions['count.note'] = 2
  upcasts['count.note'] = { 1: ({ text, ...rest }: { text: string }) => ({ ...rest, notes: text }) }
}
teachOlderNotes()

export async function runHistory(server: ClinicServer, plan: Plan, options: { story: boolean }): Promise<HistoryResult> {
  const history = new History(server, plan, options.story)
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
  readonly #sheets: Sheet[] = []
  readonly #openSheets = new Map<Tab, () => void>()
  readonly #punching = new WeakMap<Device, Punching>()
  readonly #chance: Dice
  #moment = 0
  #hasBackup = false
  #isOver = false

  constructor(server: ClinicServer, plan: Plan, keepStory: boolean) {
    this.#keepStory = keepStory
    this.#chance = dice(plan.seed, 'world')
    seedChance(plan.seed)
    time.reset()
    const devices = plan.devices.map(({ clockErrorMs, hasLocks }, at) => {
      const device = new SimulatedDevice(`tablet${at + 1}`, server, plan.seed, hasLocks, this.#tell)
      device.clockErrorMs = clockErrorMs
      return device
    })
    this.#world = { server, devices, deeds: [], plan, refused: new Set(), copied: new Set(), restores: 0, strayRefreshes: 0, noted: [] }
    for (const { network } of devices) {
      network.onRefused = (id) => this.#world.refused.add(id)
      network.onCopied = (id) => this.#world.copied.add(id)
      network.onStrayRefresh = () => (this.#world.strayRefreshes += 1)
    }
  }

  readonly #tell = (line: string): void => {
    if (this.#isOver) return
    const text = `${(time.now() / 1000).toFixed(3).padStart(10)} ${line}`
    this.#hash.update(text)
    if (this.#keepStory) this.#story.push(text)
  }

  async run(): Promise<HistoryResult> {
    const { server, devices, plan } = this.#world
    const broken: Broken[] = []
    try {
      await time.drive(server.begin({ accessTokenSeconds: plan.accessTokenSeconds, epoch: this.#uuid() }))
      for (const [at, device] of devices.entries()) {
        for (let tabs = plan.devices[at]?.tabs ?? 1; tabs > 0; tabs -= 1) device.openTab()
      }
      await time.advance(500)
      for (const [at, device] of devices.entries()) {
        const [tab] = device.tabs
        const [person] = plan.devices[at]?.people ?? []
        if (tab && person) this.#signIn(device, tab, person)
      }
      await time.advance(1500)
      for (const [at, step] of plan.steps.entries()) {
        this.#perform(step, at)
        await time.advance(step.gapMs)
      }
      broken.push(...(await this.#heal()))
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
      deeds: this.#world.deeds.length,
      virtualMs: time.now(),
    }
  }

  /** Whatever still runs is let go, so that the next history begins in an empty house. */
  async end(): Promise<void> {
    this.#isOver = true
    for (const device of this.#world.devices) {
      device.killBrowser(0)
      for (const opened of device.opened) await time.drive(opened.close()).catch(() => undefined)
    }
    await time.runDry().catch(() => undefined)
    time.reset()
    forgetBroadcasts()
    for (const listener of mutationListeners().filter((one) => !ownListeners.has(one))) Dexie.on.storagemutated.unsubscribe(listener)
  }

  // What people do

  #perform(step: Step, at: number): void {
    const { devices } = this.#world
    const device = devices[step.device % devices.length]
    if (!device) return
    const chance = dice(step.draw, 'step')
    const tab = device.tabs[step.tab % Math.max(1, device.tabs.length)]
    if (step.do === 'nothing') return
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
        return this.#tell(`${device.name} disk is ${device.disk.trouble}`)
      case 'disk-fine':
        device.disk.trouble = 'fine'
        return
      case 'weather':
        device.network.weather = { isOnline: true, weights: badWeather(chance), slowMs: chance.pick([40, 400, 4000]) }
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
    switch (step.do) {
      case 'scan':
        return this.#scanBurst(device, tab, app, chance)
      case 'create':
        return this.#create(device, tab, app)
      case 'undo':
        return this.#undo(device, tab, app, chance)
      case 'note':
      case 'old-note':
        return this.#note(device, tab, app, chance, step.do === 'old-note')
      case 'close': {
        const sheet = this.#sheetHere(app, chance)
        if (!sheet) return
        const body = { id_count_sheet: sheet.id, confirmed_missing: chance.below(9), override_devices: null, searched: true }
        return this.#record(device, tab, app, 'count.close', `count:${sheet.id}`, body, 'Close')
      }
      case 'recount': {
        const sheet = this.#sheetHere(app, chance)
        if (sheet) this.#record(device, tab, app, 'count.recount', `count:${sheet.id}`, { id_count_sheet: sheet.id }, 'Recount')
        return
      }
      case 'decide':
        return this.#decide(device, tab, app, chance)
      case 'delete': {
        const sheet = this.#sheetHere(app, chance)
        if (sheet) this.#record(device, tab, app, 'count.delete', `count:${sheet.id}`, { id_count_sheet: sheet.id }, 'Delete')
        return
      }
      case 'punch':
        return this.#punch(device, tab, app, chance)
      case 'sign-in': {
        const people = this.#world.plan.devices[this.#world.devices.indexOf(device)]?.people ?? []
        return this.#signIn(device, tab, chance.pick(people))
      }
      case 'sign-out':
        return this.#quietly(app.session.signOut())
      case 'visit-login':
        return this.#quietly(app.session.deleteTokens())
      case 'switch-store':
        return this.#quietly(this.#switchStore(app))
      case 'retry':
      case 'discard':
        return this.#quietly(this.#repair(tab, app, step.do, chance))
      case 'export-import':
        return this.#quietly(this.#carryOver(device, app, chance))
      case 'open-sheet':
        return this.#openSheet(tab, app, chance)
      default:
    }
  }

  #scanBurst(device: SimulatedDevice, tab: Tab, app: Device, chance: Dice): void {
    const sheet = this.#sheetHere(app, chance)
    if (!sheet) return this.#create(device, tab, app)
    const frames = Object.values(this.#world.server.seed.frames).flat()
    let wait = 0
    for (let left = 1 + chance.below(chance.pick([2, 8])); left > 0; left -= 1) {
      const frame = chance.pick(frames)
      const raw_code = chance.chance(0.1) ? `LOST-${chance.below(99)}` : frame.sku
      time.schedule(wait, () => {
        if (tab.process.state !== 'alive') return
        const body = { id_count_sheet: sheet.id, raw_code, id_inventory: null, via: 'scanner' as const, previous_scan: null }
        this.#record(device, tab, app, 'count.scan', `count:${sheet.id}`, body, `Scan ${raw_code}`)
      })
      wait += chance.below(400)
    }
  }

  #create(device: SimulatedDevice, tab: Tab, app: Device): void {
    const home = app.session.state.getState().home
    if (!home) return
    const sheet: Sheet = { id: device.newId(), store: home.store_id }
    this.#sheets.push(sheet)
    const body = { id_count_sheet: sheet.id, scope: wholeStore, notes: '', blind: false }
    this.#record(device, tab, app, 'count.create', `count:${sheet.id}`, body, 'New count')
  }

  #undo(device: SimulatedDevice, tab: Tab, app: Device, chance: Dice): void {
    const sheet = this.#sheetHere(app, chance)
    const scans = this.#world.deeds.filter(
      (deed) => deed.kind === 'count.scan' && deed.lane === `count:${sheet?.id}` && deed.screen === 'saved',
    )
    if (!sheet || scans.length === 0) return
    this.#record(device, tab, app, 'count.undo', `count:${sheet.id}`, { id_count_sheet: sheet.id, negates: chance.pick(scans).id }, 'Undo')
  }

  #decide(device: SimulatedDevice, tab: Tab, app: Device, chance: Dice): void {
    const sheet = this.#sheetHere(app, chance)
    if (!sheet) return
    const frame = chance.pick(Object.values(this.#world.server.seed.frames).flat())
    const decision = chance.pick(['undecided', 'apply', 'skip'] as const)
    const body = { id_count_sheet: sheet.id, id_inventory: frame.id_inventory, id_scan: null, decision, reason: 'seen in the window' }
    this.#record(device, tab, app, 'count.decide', `count:${sheet.id}`, body, `Decide ${decision}`)
  }

  #note(device: SimulatedDevice, tab: Tab, app: Device, chance: Dice, isOld: boolean): void {
    const sheet = this.#sheetHere(app, chance)
    if (!sheet) return
    const words = `note ${chance.below(1000)}`
    if (!isOld) return this.#record(device, tab, app, 'count.note', `count:${sheet.id}`, { id_count_sheet: sheet.id, notes: words }, 'Note')
    // The app before this one, whose notes had another shape.
    commandVersions['count.note'] = 1
    const body: unknown = { id_count_sheet: sheet.id, text: words }
    this.#record(device, tab, app, 'count.note', `count:${sheet.id}`, body as CommandBody<'count.note'>, 'Note of an older app')
    commandVersions['count.note'] = 2
  }

  #record<K extends CommandKind>(
    device: SimulatedDevice,
    tab: Tab,
    app: Device,
    kind: K,
    lane: Lane,
    body: CommandBody<K>,
    title: string,
    again?: Deed,
  ): void {
    const home = app.session.state.getState().home
    const id = again?.id ?? device.newId()
    const person = personNames.find((name) => name === home?.username) ?? null
    const deed = again ?? this.#deed(device, { id, kind, lane, person, store: home?.store_id ?? null, title })
    void app.outbox.record(kind, lane, body, { title, id }).then((result) => {
      if (tab.process.state === 'dead') return
      deed.heard = this.#moment++
      deed.screen = result.saved ? 'saved' : result.problem.id ? 'in-doubt' : 'not-saved'
      this.#tell(
        `${tab.process.name} ${deed.person} ${title} ${short(id)}: ${deed.screen}${result.saved ? '' : ` (${result.problem.reason})`}`,
      )
      // The screen asks to do it again, and the person does.
      if (deed.screen === 'in-doubt' && !again) {
        time.schedule(9000, () => tab.process.state === 'alive' && this.#record(device, tab, app, kind, lane, body, title, deed))
      }
    })
  }

  #deed(device: SimulatedDevice, known: Pick<Deed, 'id' | 'kind' | 'lane' | 'person' | 'store' | 'title'>): Deed {
    const deed: Deed = {
      ...known,
      device: device.name,
      wipes: device.wipes,
      begun: this.#moment++,
      heard: null,
      screen: 'unknown',
      discard: 'no',
      leftItsPlace: false,
      wasCopied: false,
    }
    this.#world.deeds.push(deed)
    return deed
  }

  #punch(device: SimulatedDevice, tab: Tab, app: Device, chance: Dice): void {
    const begun = time.now()
    let punching = this.#punching.get(app)
    if (!punching) {
      punching = createPunching(app, {
        now: () => device.wall(),
        monotonic: () => time.now() - begun,
        newId: device.newId,
        pause: (ms) => new Promise((resolve) => time.schedule(ms, () => tab.process.enter('timer', resolve))),
      })
      this.#punching.set(app, punching)
    }
    const person = chance.pick(personNames)
    const isRight = !chance.chance(0.15)
    const request = {
      username: person,
      password: isRight ? seedPassword : 'something else',
      direction: chance.pick(['in', 'out'] as const),
    }
    const acted = this.#moment++
    this.#quietly(
      punching.punch(request).then((result) => {
        if (tab.process.state === 'dead') return
        this.#tell(`${tab.process.name} ${person} clocks ${request.direction}: ${result.kind}`)
        if (result.kind !== 'saved') return
        const lane = `punch:${person}`
        const deed = this.#deed(device, {
          id: result.id,
          kind: 'punch.record',
          lane,
          person: isRight ? person : null,
          store: null,
          title: 'Punch',
        })
        Object.assign(deed, { begun: acted, heard: this.#moment++, screen: 'saved' } satisfies Partial<Deed>)
      }),
    )
  }

  #signIn(device: SimulatedDevice, tab: Tab, person: PersonName): void {
    const app = tab.device
    if (!app) return
    this.#quietly(this.#signInAt(device, tab, app, person))
  }

  async #signInAt(device: SimulatedDevice, tab: Tab, app: Device, person: PersonName): Promise<boolean> {
    const answer = await app.call(endpoints.logIn, {
      body: { username: person, password: seedPassword, recaptcha_token: 'development:login:simulation', device_id: app.deviceId },
    })
    if (tab.process.state === 'dead') return false
    this.#tell(`${tab.process.name} ${person} ${answer.ok ? 'signs in' : `cannot sign in: ${answer.failure.message}`}`)
    if (answer.ok) await app.session.signIn(answer.value)
    return answer.ok
  }

  async #switchStore(app: Device): Promise<void> {
    const home = app.session.state.getState().home
    if (!home) return
    const answer = await app.call(endpoints.setStore, { body: { store_id: home.store_id === 1 ? 2 : 1, device_id: app.deviceId } })
    if (answer.ok) await app.session.updateHome(answer.value)
  }

  async #repair(tab: Tab, app: Device, how: 'retry' | 'discard', chance: Dice): Promise<void> {
    const waiting = await app.hot.outbox.where('state').equals('needs-attention').toArray()
    if (waiting.length === 0) return
    const command = chance.pick(waiting)
    const deed = this.#world.deeds.find(({ id }) => id === command.id)
    if (!deed) return
    deed.leftItsPlace = true
    if (how === 'retry') return await app.outbox.retry(command.id)
    deed.discard = 'asked'
    await app.outbox.discard(command.id, 'made by mistake')
    if (tab.process.state === 'dead') return
    deed.discard = 'done'
    this.#tell(`${tab.process.name} gave up ${short(command.id)}`)
  }

  async #carryOver(device: SimulatedDevice, app: Device, chance: Dice): Promise<void> {
    const others = this.#world.devices.filter((other) => other !== device)
    const target = chance.pick(others).tabs[0]
    if (!target?.device || target.process.state !== 'alive') return
    const text = await app.outbox.exportUnsent()
    for (const deed of this.#world.deeds) if (text.includes(deed.id)) Object.assign(deed, { leftItsPlace: true, wasCopied: true })
    const result = await target.device.outbox.importUnsent(text)
    this.#tell(`${device.name} gave ${target.process.name} a file: ${JSON.stringify(result)}`)
  }

  #openSheet(tab: Tab, app: Device, chance: Dice): void {
    this.#openSheets.get(tab)?.()
    this.#openSheets.delete(tab)
    const sheet = this.#sheetHere(app, chance)
    if (sheet && chance.chance(0.6)) this.#openSheets.set(tab, app.openSheet(sheet.id))
  }

  #revoke(person: PersonName): void {
    const { services } = this.#world.server
    const user = Object.values(this.#world.server.seed.users).find(({ username }) => username === person)
    if (!user) return
    const at = new Date(services.clock.now()).toISOString()
    this.#tell(`${person}'s sessions are ended at the server`)
    this.#quietly(
      services.db.reads
        .updateTable('sessions')
        .set({ revoked_at: at, revoked_because: 'disabled' })
        .where('id_user', '=', user.id_user)
        .execute(),
    )
  }

  /** A new version of the app takes over: every tab is left and opened anew. */
  #updateApp(device: SimulatedDevice): void {
    for (const tab of device.tabs.slice()) {
      for (const leave of tab.listeners.leave) leave()
      tab.process.kill('updated')
    }
    device.openTab()
  }

  /** A tab with a newer app changes the tables; those with the older one must let it. Then all have the newer app. */
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
    // Whoever does not let go is closed by the person, who was told to.
    time.schedule(8000, () => {
      if (request.readyState === 'done') return
      for (const tab of device.tabs.slice()) {
        if (tab.process.state === 'alive' && device.disk.isOpenIn(tab.process, device.name))
          this.#world.noted.push({ invariant: 7, what: `${tab.process.name} keeps the newer app from its tables` })
        tab.process.kill('in the way of the newer app')
      }
    })
  }

  #sheetHere(app: Device, chance: Dice): Sheet | null {
    const store = app.session.state.getState().home?.store_id
    const here = this.#sheets.filter((sheet) => sheet.store === store)
    return here.length === 0 ? null : chance.pick(here.slice(-3))
  }

  /** What fails here fails on the screen of someone who sees it; only what was promised counts. */
  #quietly(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#tell(`failed: ${String(error).split('\n')[0]}`))
  }

  #uuid(): string {
    const part = (length: number) => Array.from({ length }, () => this.#chance.below(16).toString(16)).join('')
    return `${part(8)}-${part(4)}-4${part(3)}-8${part(3)}-${part(12)}`
  }

  // The evening: everything works again, and someone is at every device

  async #heal(): Promise<Broken[]> {
    const { server, devices } = this.#world
    this.#tell('— evening: network, disks and server are fine, and someone is at every device')
    server.forgetCrash()
    await time.advance(1)
    await time.drive(server.bootNow())
    for (const device of devices) {
      device.network.weather = calm
      device.disk.trouble = 'fine'
      const processes = [...device.tabs.map((tab) => tab.process), ...device.workers]
      for (const process of processes) Object.assign(process, { crashAfter: null, freezeAfter: null })
      // A tab that nobody looks at may stay frozen, and must not be waited for by the others.
      const staysFrozen = device.tabs.some(({ process, device: app }) => process.state === 'alive' && app) && this.#chance.chance(0.5)
      if (!staysFrozen) for (const process of processes) process.thaw()
    }
    await time.advance(5000)
    for (const device of devices) {
      // Who is told to reload, reloads.
      for (const tab of device.tabs.slice()) {
        if (tab.device?.connection.getState().databaseBlocked === 'reload') tab.process.kill('reloaded')
      }
      if (!device.tabs.some(({ process }) => process.state === 'alive')) device.openTab()
    }
    await time.advance(3000)
    // A disk that hung is slow to answer what it was asked then.
    for (let waited = 0; waited < startWithinMs && !devices.every(isStarted); waited += 1000) await time.advance(1000)
    for (const device of devices) {
      // Where someone is signed in, often nobody does anything: what waits must leave by itself.
      const tab = device.tabs.find((one) => one.device && one.process.state === 'alive')
      const isSignedIn = tab?.device?.session.state.getState().status === 1
      if (tab?.device && isSignedIn && this.#chance.chance(0.5)) await time.drive(tab.device.session.deleteTokens()).catch(() => undefined)
      // Whoever clocked in with a wrong password three times waits, as they would.
      let isThere = await this.#keepSomeoneAt(device)
      for (let waited = 0; !isThere && waited < longestLockout; waited += minute) {
        await time.advance(minute)
        isThere = await this.#keepSomeoneAt(device)
      }
      if (!isThere) return [{ invariant: 5, what: `${device.name}: nobody can sign in though all is well` }]
    }
    const first = await this.#rest()
    if (first.length > 0) return first
    // Someone looks at what needs attention, and tries each once more.
    for (const device of devices) await time.drive(this.#retryAll(device))
    return await this.#rest()
  }

  async #retryAll(device: SimulatedDevice): Promise<void> {
    const app = device.tabs.find((tab) => tab.device && tab.process.state === 'alive')?.device
    if (!app) return
    for (const command of await app.hot.outbox.where('state').equals('needs-attention').toArray()) await app.outbox.retry(command.id)
  }

  async #rest(): Promise<Broken[]> {
    let waited = 0
    for (const step of quickLooks) {
      await time.advance(step)
      waited += step
      if (await this.#isAtRest()) return []
    }
    while (waited < restWithinMs) {
      await time.advance(5 * minute)
      waited += 5 * minute
      if (await this.#isAtRest()) return []
    }
    // What is left is told by the promises that it breaks.
    return []
  }

  async #isAtRest(): Promise<boolean> {
    for (const device of this.#world.devices) await this.#keepSomeoneAt(device)
    return await time.drive(hasComeToRest(this.#world))
  }

  /** A session may have been ended at the server while the device was out of reach; then someone signs in again. */
  async #keepSomeoneAt(device: SimulatedDevice): Promise<boolean> {
    const tab = device.tabs.find((one) => one.device && one.process.state === 'alive')
    const people = this.#world.plan.devices[this.#world.devices.indexOf(device)]?.people ?? []
    if (!tab?.device) return false
    if (tab.device.session.state.getState().status === 1) return true
    return await time.drive(this.#signInAt(device, tab, tab.device, this.#chance.pick(people))).catch(() => false)
  }
}

function isStarted({ tabs }: SimulatedDevice): boolean {
  return tabs.some((tab) => tab.device !== null && tab.process.state === 'alive')
}

function short(id: string): string {
  return id.slice(-6)
}

type Listener = Parameters<typeof Dexie.on.storagemutated.unsubscribe>[0]
type Listeners = { subscribers: Listener[] }
function mutationListeners(): Listener[] {
  return (Dexie.on.storagemutated as unknown as Listeners).subscribers.slice()
}
const ownListeners = new Set(mutationListeners())
