import { commandVersions, type CommandBody, type CommandKind, type Lane, upcasts } from '#contract/sync/commands.ts'
import { wholeStore } from '#contract/counts/count-sheets.ts'
import { endpoints } from '#contract/core/endpoints.ts'
import type { Device } from '#src/sync/device/device.ts'
import { createPunching, type Punching } from '#src/sync/session/punching.ts'
import { seedPassword } from '#tests/support/seed-clinic.ts'
import type { PerformedAction } from './performed-actions.ts'
import type { SimulatedDevice, Tab } from './device.ts'
import type { Dice } from './dice.ts'
import { PatientDesk } from './patient-desk.ts'
import { patientWeights, type PersonName, personNames, type StepName, stockWeights } from './plan.ts'
import { StockDesk } from './stock-desk.ts'
import { time } from './virtual-time.ts'
import type { World } from './world.ts'

type Sheet = { id: string; store: number }

/** The app before this one wrote a note in another shape. Its tablets still have such notes in their outbox. */
function teachOlderNotes(): void {
  commandVersions['count.note'] = 2
  upcasts['count.note'] = { 1: ({ text, ...rest }: { text: string }) => ({ ...rest, notes: text }) }
}
teachOlderNotes()

/** The acts of people at their devices, and the screens' answers. */
export class People {
  readonly #world: World
  readonly #tell: (line: string) => void
  readonly #sheets: Sheet[] = []
  readonly #openSheets = new Map<Tab, () => void>()
  readonly #punching = new WeakMap<Device, Punching>()
  /** Null when no device keeps patients. */
  readonly desk: PatientDesk | null
  /** Null without work in the stockroom. */
  readonly #stockroom: StockDesk | null
  #moment = 0

  constructor(world: World, tell: (line: string) => void) {
    this.#world = world
    this.#tell = tell
    const memory = { note: this.#begin.bind(this), moment: () => this.#moment++ }
    this.desk = world.patients && new PatientDesk(world, world.patients, tell, memory)
    this.#stockroom = world.arrivals && new StockDesk(world, world.arrivals, tell, memory)
  }

  /** Performs one step of the plan, as the person at this tab. */
  act(step: StepName, device: SimulatedDevice, tab: Tab, app: Device, chance: Dice): void {
    if (this.desk !== null) {
      if (app.session.state.getState().locked && step !== 'sign-in') {
        if (step === 'unlock-pin') return this.#quietly(this.desk.unlockByPin({ device, tab, app }, chance))
        // A locked tablet allows nothing but to unlock it.
        return chance.chance(0.7) ? this.#quietly(this.desk.unlock({ device, tab, app }, chance)) : undefined
      }
      device.touch(tab)
      if (step in patientWeights) return this.#quietly(this.desk.act(step, { device, tab, app }, chance))
    }
    if (this.#stockroom !== null && step in stockWeights) return this.#quietly(this.#stockroom.act(step, { device, tab, app }, chance))
    switch (step) {
      case 'scan':
        return this.#scanBurst(device, tab, app, chance)
      case 'create':
        return this.#create(device, tab, app)
      case 'undo':
        return this.#undo(device, tab, app, chance)
      case 'note':
      case 'old-note':
        return this.#note(device, tab, app, chance, step === 'old-note')
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
        const person = chance.pick(people)
        if (this.desk) return this.#quietly(this.desk.signIn({ device, tab, app }, person, !chance.chance(0.06)))
        return this.signIn(device, tab, person)
      }
      case 'sign-out':
        return this.#quietly(app.session.signOut())
      case 'visit-login':
        return this.#quietly(app.session.deleteTokens())
      case 'switch-store':
        return this.#quietly(this.#switchStore(app))
      case 'retry':
      case 'discard':
        return this.#quietly(this.#repair(tab, app, step, chance))
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
    const scans = this.#world.acts.filter((act) => act.kind === 'count.scan' && act.lane === `count:${sheet?.id}` && act.screen === 'saved')
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
    // The app before this one wrote notes in another shape.
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
    again?: PerformedAction,
  ): void {
    const home = app.session.state.getState().home
    const id = again?.id ?? device.newId()
    const person = personNames.find((name) => name === home?.username) ?? null
    const act = again ?? this.#begin(device, { id, kind, lane, person, store: home?.store_id ?? null, title })
    void app.outbox.record(kind, lane, body, { title, id }).then((result) => {
      if (tab.process.state === 'dead') return
      act.heard = this.#moment++
      act.screen = result.saved ? 'saved' : result.problem.id ? 'in-doubt' : 'not-saved'
      this.#tell(
        `${tab.process.name} ${act.person} ${title} ${short(id)}: ${act.screen}${result.saved ? '' : ` (${result.problem.reason})`}`,
      )
      // The screen asks for another try, and the person does it.
      if (act.screen === 'in-doubt' && !again) {
        time.schedule(9000, () => tab.process.state === 'alive' && this.#record(device, tab, app, kind, lane, body, title, act))
      }
    })
  }

  #begin(device: SimulatedDevice, known: Pick<PerformedAction, 'id' | 'kind' | 'lane' | 'person' | 'store' | 'title'>): PerformedAction {
    const act: PerformedAction = {
      ...known,
      device: device.name,
      wipes: device.wipes,
      begun: this.#moment++,
      heard: null,
      screen: 'unknown',
      discard: 'no',
      givenUpAt: null,
      leftItsPlace: false,
      wasCopied: false,
    }
    this.#world.acts.push(act)
    return act
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
        const act = this.#begin(device, {
          id: result.id,
          kind: 'punch.record',
          lane,
          person: isRight ? person : null,
          store: null,
          title: 'Punch',
        })
        Object.assign(act, { begun: acted, heard: this.#moment++, screen: 'saved' } satisfies Partial<PerformedAction>)
      }),
    )
  }

  signIn(device: SimulatedDevice, tab: Tab, person: PersonName): void {
    const app = tab.device
    if (!app) return
    this.#quietly(this.signInAt(device, tab, app, person))
  }

  async signInAt(device: SimulatedDevice, tab: Tab, app: Device, person: PersonName): Promise<boolean> {
    const signing_key = await app.session.signingKey()
    const answer = await app.call(endpoints.logIn, {
      body: {
        username: person,
        password: seedPassword,
        recaptcha_token: 'development:login:simulation',
        device_id: app.deviceId,
        ...(signing_key && { signing_key }),
      },
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
    const act = this.#world.acts.find(({ id }) => id === command.id)
    if (!act) return
    act.leftItsPlace = true
    if (how === 'retry') return await app.outbox.retry(command.id)
    act.discard = 'asked'
    act.givenUpAt = this.#world.server.now()
    await app.outbox.discard(command.id, 'made by mistake')
    if (tab.process.state === 'dead') return
    act.discard = 'done'
    this.#tell(`${tab.process.name} gave up ${short(command.id)}`)
  }

  async #carryOver(device: SimulatedDevice, app: Device, chance: Dice): Promise<void> {
    const others = this.#world.devices.filter((other) => other !== device)
    const target = chance.pick(others).tabs[0]
    if (!target?.device || target.process.state !== 'alive') return
    const text = await app.outbox.exportUnsent()
    const leaked = this.#world.patients?.secrets.firstIn(text) ?? null
    if (leaked !== null) this.#world.noted.push({ invariant: 9, what: `the file of ${device.name} holds “${leaked}”` })
    for (const act of this.#world.acts) if (text.includes(act.id)) Object.assign(act, { leftItsPlace: true, wasCopied: true })
    const result = await target.device.outbox.importUnsent(text)
    this.#tell(`${device.name} gave ${target.process.name} a file: ${JSON.stringify(result)}`)
  }

  #openSheet(tab: Tab, app: Device, chance: Dice): void {
    this.#openSheets.get(tab)?.()
    this.#openSheets.delete(tab)
    const sheet = this.#sheetHere(app, chance)
    if (!sheet || !chance.chance(0.6)) return
    // As on the screen of a count: a session that ends leaves the count to its author.
    const closings = [app.openSheet(sheet.id), app.session.holdWork('scans')]
    this.#openSheets.set(tab, () => {
      for (const close of closings) close()
    })
  }

  #sheetHere(app: Device, chance: Dice): Sheet | null {
    const store = app.session.state.getState().home?.store_id
    const here = this.#sheets.filter((sheet) => sheet.store === store)
    return here.length === 0 ? null : chance.pick(here.slice(-3))
  }

  /** A failure here would show on a user's screen. Only broken promises count. */
  #quietly(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#tell(`failed: ${String(error).split('\n')[0]}`))
  }
}

function short(id: string): string {
  return id.slice(-6)
}
