import type { CommandBody, CommandKind } from '#contract/sync/commands.ts'
import type { Frame } from '#contract/stock/frames.ts'
import { controlOptions } from '#src/features/stock/frame-lookup/form.ts'
import { type Asked, matchReceived, receivePieces } from '#src/features/receiving/store-invoices/actions.ts'
import type { Device, Outbox } from '#src/sync/device/device.ts'
import { recordFrameState } from '#src/domain/frames/record-frame-state.ts'
import { recordLabelRequests } from '#src/domain/labels/record-label-requests.ts'
import type { PerformedAction } from './performed-actions.ts'
import { unknownUpcs } from './deliveries.ts'
import type { SimulatedDevice, Tab } from './device.ts'
import type { Dice } from './dice.ts'
import type { Memory } from './patient-desk.ts'
import { type PersonName, personNames, type StepName } from './plan.ts'
import { time } from './virtual-time.ts'
import type { Arrival, World } from './world.ts'

type Place = { device: SimulatedDevice; tab: Tab; app: Device }
type Recorded = { acts: PerformedAction[]; outbox: Outbox }
type What = { code: string } | { id_model: number; learn?: string }

/** The acts of people in the stockroom, through the functions of the screens, and the screens' answers. */
export class StockDesk {
  readonly #world: World
  readonly #arrivals: Arrival[]
  readonly #tell: (line: string) => void
  readonly #memory: Memory
  #notes = 0

  constructor(world: World, arrivals: Arrival[], tell: (line: string) => void, memory: Memory) {
    this.#world = world
    this.#arrivals = arrivals
    this.#tell = tell
    this.#memory = memory
  }

  async act(step: StepName, place: Place, chance: Dice): Promise<void> {
    switch (step) {
      case 'change-state':
        return await this.#changeState(place, chance)
      case 'ask-label':
        return await this.#askForLabels(place, chance)
      case 'receive':
        return this.#receiveSome(place, chance)
      case 'receive-unknown':
        return await this.#receive(place, chance, { code: chance.pick(unknownUpcs) }, 1)
      case 'match-upc':
        return await this.#match(place, chance)
      default:
    }
  }

  async #changeState(place: Place, chance: Dice): Promise<void> {
    const { app } = place
    const frame = this.#pick(app, chance)
    if (!frame) return
    const { value: action } = chance.pick(controlOptions(frame.status, 'practice').filter(({ disabled }) => !disabled))
    const { id_inventory, status, store_id } = frame
    const model = `${frame.title_product} ${frame.title_variant}`
    const note = `held in the hand ${(this.#notes += 1)}`
    const about = () => ({ change: { frame: id_inventory, model, action, note, seen: { status, store_id } } })
    await this.#untilKept(place, chance, about, ({ outbox }) => recordFrameState({ outbox }, frame, action, note))
  }

  async #askForLabels(place: Place, chance: Dice): Promise<void> {
    const pieces = [this.#pick(place.app, chance), ...(chance.chance(0.3) ? [this.#pick(place.app, chance)] : [])]
    const wanted = [...new Set(pieces.filter((piece) => piece !== null))]
    if (wanted.length === 0) return
    const about = (body: Record<string, unknown>) => ({ label: Number(body['id_inventory']) })
    await this.#untilKept(place, chance, about, async ({ acts, outbox }) => {
      const problem = await recordLabelRequests({ outbox }, wanted)
      if (problem === null && acts.length < wanted.length)
        this.#world.noted.push({ invariant: 1, what: `${wanted.length} labels were asked for, and ${acts.length} written down` })
      return problem
    })
  }

  /** A user who sees NOT SAVED mostly tries again. */
  async #untilKept(
    { device, tab, app }: Place,
    chance: Dice,
    about: (body: Record<string, unknown>) => Partial<PerformedAction>,
    keep: (recorded: Recorded) => Promise<string | null>,
  ): Promise<void> {
    if (!app.session.state.getState().home) return
    const problem = await keep(this.#recording({ device, tab, app }, about))
    if (problem === null || tab.process.state === 'dead' || !chance.chance(0.7)) return
    time.schedule(9000, () => {
      if (tab.process.state === 'alive') void keep(this.#recording({ device, tab, app }, about))
    })
  }

  /** Labels come in bursts: a user scans the next before the server has answered the last. */
  #receiveSome(place: Place, chance: Dice): void {
    let wait = 0
    for (let left = 1 + chance.below(3); left > 0; left -= 1) {
      const what = this.#drawWhat(place.app, chance)
      const quantity = chance.chance(0.2) ? 2 + chance.below(2) : 1
      time.schedule(wait, () => {
        if (place.tab.process.state === 'alive') void this.#receive(place, chance, what, quantity)
      })
      wait += chance.below(800)
    }
  }

  #drawWhat(app: Device, chance: Dice): What {
    const { models } = this.#world.server.deliveries
    const { id_model, upc } = chance.pick(models)
    switch (chance.weighted({ known: 11, unknown: 3, taught: 3, chosen: 2, tag: 1, scrap: 1 })) {
      case 'known':
        return { code: upc }
      case 'unknown':
        return { code: chance.pick(unknownUpcs) }
      case 'taught':
        return { id_model, learn: chance.pick(unknownUpcs) }
      case 'chosen':
        return { id_model }
      case 'tag':
        return { code: this.#pick(app, chance)?.sku ?? upc }
      case 'scrap':
        return { code: `LOST-${chance.below(99)}` }
    }
  }

  async #receive(place: Place, chance: Dice, what: What, quantity: number): Promise<void> {
    const { device, app } = place
    const { home } = app.session.state.getState()
    if (!home) return
    const here = this.#world.server.deliveries.invoices.filter(({ store }) => store === home.store_id)
    if (here.length === 0) return
    const arrival: Arrival = {
      receiveId: device.newId(),
      invoice: chance.chance(0.8) ? (here[0]?.id ?? '') : chance.pick(here).id,
      people: new Set([nameOf(home.username)]),
      code: 'code' in what ? what.code : null,
      models: new Set('code' in what ? [] : [what.id_model]),
      quantity,
      isReceived: false,
      isAsked: false,
      blurred: 0,
    }
    this.#arrivals.push(arrival)
    await this.#send(place, chance, arrival, { receive_id: arrival.receiveId, quantity, name: 'a frame', ...what })
  }

  async #send(place: Place, chance: Dice, arrival: Arrival, asked: Asked): Promise<void> {
    const { device, tab, app } = place
    const { outbox } = this.#recording(place, () => ({ receiveId: arrival.receiveId }))
    const wasAsked = arrival.isAsked
    arrival.isAsked ||= app.connection.getState().online !== false
    const received = await receivePieces(
      { call: app.call, connection: app.connection, session: app.session, outbox },
      arrival.invoice,
      asked,
    )
    if (tab.process.state === 'dead') return
    const what = 'code' in asked ? asked.code : `model ${asked.id_model}, ${asked.learn}`
    const why = received.kind === 'refused' ? ` (${received.failure.code})` : ''
    this.#tell(`${tab.process.name} ${asked.quantity} × ${what} ${short(asked.receive_id)}: ${received.kind}${why}`)
    if (received.kind === 'received') arrival.isReceived = true
    if (received.kind === 'refused') arrival.isAsked = wasAsked
    const isUnknown = received.kind === 'refused' && received.failure.code === 'model-unknown'
    // The screen asks for the model.
    if (isUnknown && 'code' in asked && unknownUpcs.includes(asked.code) && chance.chance(0.5)) {
      const { id_model } = chance.pick(this.#world.server.deliveries.models)
      return await this.#receive({ device, tab, app }, chance, { id_model, learn: asked.code }, asked.quantity)
    }
    if (received.kind !== 'unconfirmed' || !chance.chance(0.8)) return
    time.schedule(9000, () => {
      // Another user gets another page, which does not know the scan.
      const isThere = arrival.people.has(nameOf(app.session.state.getState().home?.username ?? ''))
      if (tab.process.state === 'alive' && isThere) void this.#send(place, chance, arrival, asked)
    })
  }

  /** A user matches a received label that the server did not know to a model. */
  async #match({ device, tab, app }: Place, chance: Dice): Promise<void> {
    const { home } = app.session.state.getState()
    const refused = await app.hot.outbox.where('state').equals('needs-attention').toArray()
    const unknown = refused.filter(({ kind, last_error }) => kind === 'vendor-invoice.receive' && last_error?.code === 'model-unknown')
    if (!home || unknown.length === 0) return
    const command = chance.pick(unknown)
    const before = this.#world.acts.find(({ id }) => id === command.id)
    const arrival = this.#arrivals.find(({ receiveId }) => receiveId === command.body['receive_id'])
    const { code } = command.body
    if (!before || !arrival || typeof code !== 'string') return
    const { id_model } = chance.pick(this.#world.server.deliveries.models)
    const person = nameOf(home.username)
    before.leftItsPlace = true
    before.discard = 'asked'
    before.givenUpAt = this.#world.server.now()
    arrival.models.add(id_model)
    arrival.people.add(person)
    arrival.blurred += 1
    await matchReceived(app, command, id_model, code)
    if (tab.process.state === 'dead') return
    before.discard = 'done'
    this.#tell(`${tab.process.name} ${home.username} says that ${code} is model ${id_model}`)
    await this.#findSuccessor({ device, tab, app }, before, arrival, person)
  }

  /** Finds the command that replaced the corrected one. The app made its id. */
  async #findSuccessor({ device, tab, app }: Place, before: PerformedAction, arrival: Arrival, person: PersonName | null): Promise<void> {
    const [waiting, settled] = await Promise.all([app.hot.outbox.toArray(), app.hot.settled.where('lane').equals(before.lane).toArray()])
    if (tab.process.state === 'dead') return
    const [made] = [...waiting, ...settled.map((entry) => entry.command)].filter(
      ({ id, kind, body }) =>
        kind === before.kind && body['receive_id'] === arrival.receiveId && !this.#world.acts.some((act) => act.id === id),
    )
    if (!made) return
    const { kind, lane, store, title, receiveId } = before
    const act = this.#memory.note(device, { id: made.id, kind, lane, person, store, title })
    Object.assign(act, { screen: 'saved', heard: this.#memory.moment(), leftItsPlace: true, receiveId })
    arrival.blurred -= 1
  }

  /** The outbox of the app, with a memory of its commands and answers. */
  #recording({ device, tab, app }: Place, about: (body: Record<string, unknown>) => Partial<PerformedAction>): Recorded {
    const acts: PerformedAction[] = []
    const record = async <K extends CommandKind>(
      kind: K,
      lane: Parameters<Outbox['record']>[1],
      body: CommandBody<K>,
      more: Parameters<Outbox['record']>[3],
    ) => {
      const home = more.by ?? app.session.state.getState().home
      const id = device.newId()
      const person = nameOf(home?.username ?? '')
      const act = this.#memory.note(device, { id, kind, lane, person, store: home?.store_id ?? null, title: more.title })
      acts.push(Object.assign(act, about(body)))
      const result = await app.outbox.record(kind, lane, body, { ...more, id })
      if (tab.process.state === 'dead') return result
      act.heard = this.#memory.moment()
      act.screen = result.saved ? 'saved' : result.problem.id ? 'in-doubt' : 'not-saved'
      const why = result.saved ? '' : ` (${result.problem.reason})`
      this.#tell(`${tab.process.name} ${person} ${more.title} ${short(id)}: ${act.screen}${why}`)
      return result
    }
    return { acts, outbox: { ...app.outbox, record } }
  }

  /** Picks from few pieces, so that users meet: the first ones of the store, and the newest. */
  #pick(app: Device, chance: Dice): Frame | null {
    const { home } = app.session.state.getState()
    if (!home) return null
    const store = chance.chance(0.85) ? home.store_id : 3 - home.store_id
    const there = app.frames.ofStore(store).toSorted((a, b) => a.id_inventory - b.id_inventory)
    return there.length === 0 ? null : chance.pick([...there.slice(0, 3), ...there.slice(-3)])
  }
}

function nameOf(username: string): PersonName | null {
  return personNames.find((name) => name === username) ?? null
}

function short(id: string): string {
  return id.slice(-6)
}
