import { recordOfflineView } from '#src/features/patients/patients/actions.ts'
import { type Choice, type ComparedField, compared, isConflict, refusedOver } from '#src/features/patients/patients/model/conflict.ts'
import { draftOf } from '#src/features/patients/patients/model/draft.ts'
import { changesOf, formOf, readForm } from '#src/features/patients/patients/form.ts'
import { createPatient, editPatient, type Saved, settleConflict } from '#src/features/patients/patients/model/save-patient.ts'
import { signInWithPassword } from '#src/features/app/login/actions.ts'
import { unlock } from '#src/features/app/login/model/unlock.ts'
import { unreachable } from '#src/api/call.ts'
import { patientsKeyFact } from '#src/sync/patients/patients-key.ts'
import type { Device, PatientShelf, UnsentWork } from '#src/sync/device/device.ts'
import { createLockout } from '#src/sync/session/lockout.ts'
import { type DraftPlace, keepDraft, readDraft } from '#src/sync/device/drafts.ts'
import { patientEndpoints } from '#contract/patients/patients.ts'
import { seedPassword } from '#tests/support/seed-clinic.ts'
import type { PerformedAction } from './performed-actions.ts'
import type { SimulatedDevice, Tab } from './device.ts'
import { dice, type Dice } from './dice.ts'
import { type PersonName, personNames, type StepName } from './plan.ts'
import { changedFields, firstOf, secretPatient, secretValue, type SimulatedPatient } from './simulated-patients.ts'
import type { PatientWorld, World } from './world.ts'

type Place = { device: SimulatedDevice; tab: Tab; app: Device }
type Known = Pick<PerformedAction, 'id' | 'kind' | 'lane' | 'person' | 'store' | 'title'>
/** The simulation's memory of performed actions. */
export type Memory = { note(device: SimulatedDevice, known: Known): PerformedAction; moment(): number }

/** The acts of people with patients, through the functions of the screens, and the screens' answers. */
export class PatientDesk {
  readonly #world: World
  readonly #patients: PatientWorld
  readonly #tell: (line: string) => void
  readonly #memory: Memory
  readonly #chance: Dice
  /** Text that was typed into dialogs and not saved, with its author. */
  readonly #typed = new Map<string, PersonName>()

  constructor(world: World, patients: PatientWorld, tell: (line: string) => void, memory: Memory) {
    this.#world = world
    this.#patients = patients
    this.#tell = tell
    this.#memory = memory
    this.#chance = dice(world.plan.seed, 'what is typed')
  }

  act(step: StepName, place: Place, chance: Dice): Promise<unknown> {
    switch (step) {
      case 'new-patient':
        return this.#register(place)
      case 'edit-patient':
        return this.#edit(place, chance)
      case 'view-patient':
        return this.#view(place, chance)
      case 'type-patient':
        return this.#type(place, chance)
      case 'settle':
        return this.settle(place, chance)
      case 'lock':
        return place.app.session.lock()
      case 'unlock':
        return this.unlock(place, chance)
      case 'lose-key':
        return place.app.hot.facts.delete(patientsKeyFact).then(() => this.#tell(`${place.device.name} has lost the key for patients`))
      default:
        return Promise.resolve()
    }
  }

  /** Signs in as the sign-in screen does: at the server, or on the device when the server is unreachable. */
  async signIn({ device, tab, app }: Place, person: PersonName, isRight: boolean): Promise<void> {
    const lockout = createLockout(() => device.wall())
    const problem = await signInWithPassword(app, lockout, { username: person, password: isRight ? seedPassword : 'something else' })
    if (tab.process.state === 'dead') return
    const { offline } = app.session.state.getState()
    const how = problem === null ? (offline ? 'signs in without a connection' : 'signs in') : `cannot sign in: ${problem.reason}`
    this.#tell(`${tab.process.name} ${person} ${how}`)
    if (!isRight && problem === null) this.#world.noted.push({ invariant: 4, what: `${person} came in with a wrong password` })
  }

  async unlock({ device, tab, app }: Place, chance: Dice): Promise<void> {
    const { home, locked } = app.session.state.getState()
    if (!home || !locked) return
    const isRight = !chance.chance(0.1)
    const password = isRight ? seedPassword : 'something else'
    const problem = await unlock(
      app,
      createLockout(() => device.wall()),
      home,
      { password },
    )
    if (tab.process.state === 'dead') return
    this.#tell(`${tab.process.name} ${home.username} ${problem === null ? 'unlocks' : `cannot unlock: ${problem.reason}`}`)
    if (!isRight && problem === null) this.#world.noted.push({ invariant: 4, what: `${home.username} unlocked with a wrong password` })
  }

  /** Unlocks with the signed-in user's PIN, with a wrong one, or with another user's. */
  async unlockByPin({ device, tab, app }: Place, chance: Dice): Promise<void> {
    const { home, locked } = app.session.state.getState()
    if (!home || !locked) return
    const users = Object.values(this.#world.server.seed.users)
    const pin = (isTheirs: boolean) => users.find(({ username }) => (username === home.username) === isTheirs)?.pin ?? '000000'
    const isRight = chance.chance(0.7)
    const typed = isRight ? pin(true) : chance.chance(0.6) ? pin(false) : '000000'
    const lockout = createLockout(() => device.wall())
    const problem = await unlock(app, lockout, home, { pin: typed })
    if (tab.process.state === 'dead') return
    this.#tell(`${tab.process.name} ${home.username} ${problem === null ? 'unlocks by PIN' : `cannot unlock by PIN: ${problem.reason}`}`)
    if (!isRight && problem === null) this.#world.noted.push({ invariant: 4, what: `what ${home.username} left was opened by another PIN` })
  }

  /** A user settles the conflict of an edit. */
  async settle({ device, tab, app }: Place, chance: Dice): Promise<void> {
    const shelf = await readyShelf(app)
    const home = app.session.state.getState().home
    if (!shelf || !home) return
    const open = this.#patients.known.flatMap((patient) => {
      const work = shelf.unsent(patient.id).find(isConflict)
      const row = shelf.mirrored(patient.id)
      return work && row && row.version >= refusedOver(work) ? [{ patient, work, row }] : []
    })
    if (open.length === 0) return
    const { patient, work, row } = chance.pick(open)
    const before = this.#world.acts.find(({ id }) => id === work.id)
    if (!before?.patient) return
    const fields = compared(work, row)
    const choices: Record<string, Choice> = {}
    for (const { field } of fields) choices[field] = chance.pick(['mine', 'theirs'] as const)
    const wanted = chosen(before.patient.changes, row, choices)
    const isWritten = Object.keys(wanted).length > 0
    this.#tell(`${tab.process.name} ${home.username} settles ${short(work.id)}: ${JSON.stringify(Object.keys(wanted))}`)
    before.leftItsPlace = true
    before.discard = 'asked'
    before.givenUpAt = this.#world.server.now()
    if (isWritten) this.#patients.blurred.add(patient.id)
    const saved = await settleConflict(noServer(app), work, patient.id, fields, choices, null)
    if (tab.process.state === 'dead') return
    if (!saved.ok) return this.#tell(`${tab.process.name} could not settle it: ${saved.message}`)
    before.discard = 'done'
    if (isWritten) await this.#findSuccessor({ device, tab, app }, before, work, wanted, nameOf(home.username))
  }

  /** Finds the command that replaced a discarded one. The app made its id. */
  async #findSuccessor(
    { device, tab, app }: Place,
    before: PerformedAction,
    work: UnsentWork,
    changes: Changes,
    person: PersonName | null,
  ) {
    const [waiting, settled] = await Promise.all([app.hot.outbox.toArray(), app.hot.settled.where('lane').equals(before.lane).toArray()])
    if (tab.process.state === 'dead') return
    const made = [...waiting, ...settled.map(({ command }) => command)].filter(
      (command) => command.lane === before.lane && command.kind === work.kind && !this.#world.acts.some(({ id }) => id === command.id),
    )
    const [only] = made
    if (!only || made.length > 1 || !before.patient) return
    const { id: idPatient } = before.patient
    const known = { id: only.id, kind: work.kind, lane: before.lane, person, store: before.store, title: before.title }
    const act = this.#memory.note(device, known)
    Object.assign(act, { screen: 'saved', heard: this.#memory.moment(), leftItsPlace: true, patient: { id: idPatient, changes } })
    this.#patients.blurred.delete(idPatient)
  }

  async #register({ device, tab, app }: Place): Promise<void> {
    const shelf = await readyShelf(app)
    const home = app.session.state.getState().home
    if (!shelf || !home) return
    const input = secretPatient(this.#chance, this.#patients.secrets)
    const id = device.newId()
    const read = readForm({ ...formOf(input), ssn: input.ssn ?? '' }, {}, today(app))
    if (!read.ok) throw new Error(`A patient of the simulation is not valid: ${JSON.stringify(read.problems)}`)
    const person = nameOf(home.username)
    this.#patients.known.push({ id, store: home.store_id, by: person, first: firstOf(input) })
    const act = this.#begin(device, 'patient.create', id, person, home.store_id, {})
    await this.#save(tab, act, () => createPatient(noServer(app), true, id, read.patient, act.id))
  }

  async #edit({ device, tab, app }: Place, chance: Dice): Promise<void> {
    const shelf = await readyShelf(app)
    const home = app.session.state.getState().home
    if (!shelf || !home) return
    const patient = this.#pick(shelf, home.store_id, chance)
    const base = patient && shelf.get(patient.id)
    if (!base) return
    const field = chance.pick(changedFields)
    const to = secretValue(this.#chance, this.#patients.secrets, field)
    const read = readForm({ ...formOf(base), [field]: to }, base, today(app))
    if (!read.ok) throw new Error(`An edit of the simulation is not valid: ${JSON.stringify(read.problems)}`)
    const changes = { [field]: { from: base[field], to } }
    const act = this.#begin(device, 'patient.edit', base.id, nameOf(home.username), home.store_id, changes)
    await this.#save(tab, act, () => editPatient(noServer(app), true, base, read.patient, changesOf(base, read.patient), act.id))
  }

  #begin(
    device: SimulatedDevice,
    kind: string,
    idPatient: string,
    person: PersonName | null,
    store: number,
    changes: Changes,
  ): PerformedAction {
    const title = kind === 'patient.create' ? 'New patient' : 'Patient edited'
    const act = this.#memory.note(device, { id: device.newId(), kind, lane: `patient:${idPatient}`, person, store, title })
    act.patient = { id: idPatient, changes }
    return act
  }

  /** Saves as the dialog does: a save in doubt is repeated under its id. */
  async #save(tab: Tab, act: PerformedAction, save: () => Promise<Saved>): Promise<void> {
    for (let isAgain = false; ; isAgain = true) {
      const saved = await save()
      if (tab.process.state === 'dead') return
      act.heard = this.#memory.moment()
      act.screen = saved.ok ? 'saved' : saved.doubtful === null ? 'not-saved' : 'in-doubt'
      const about = `${act.title} ${short(act.patient?.id ?? '')} ${Object.keys(act.patient?.changes ?? {}).join(', ')}`
      this.#tell(`${tab.process.name} ${act.person} ${about} ${short(act.id)}: ${act.screen}${saved.ok ? '' : ` (${saved.message})`}`)
      if (act.screen !== 'in-doubt' || isAgain) return
    }
  }

  /** Opens a record on the device. The server logs its own answer, or the device reports the look later. */
  async #view({ device, tab, app }: Place, chance: Dice): Promise<void> {
    const shelf = await readyShelf(app)
    const home = app.session.state.getState().home
    if (!shelf || !home) return
    const patient = this.#pick(shelf, home.store_id, chance)
    // A patient whom the server does not know yet cannot be viewed there.
    if (!patient || shelf.get(patient.id)?.patient_no === null) return
    if (app.connection.getState().online !== false && chance.chance(0.4)) {
      const answer = await app.call(patientEndpoints.readPatient, { params: { id: patient.id }, query: { reason: 'patient page' } })
      return this.#tell(`${tab.process.name} ${home.username} looks at ${short(patient.id)} at the server: ${answer.ok}`)
    }
    const before = device.lastMadeId
    const recording = recordOfflineView(app, patient.id)
    if (device.lastMadeId === before) return
    const known = {
      kind: 'patient.view',
      lane: `views:${app.deviceId}`,
      person: nameOf(home.username),
      store: home.store_id,
      title: 'Look',
    }
    const act = this.#memory.note(device, { id: device.lastMadeId, ...known })
    act.patient = { id: patient.id, changes: {} }
    const problem = await recording
    if (tab.process.state === 'dead') return
    act.heard = this.#memory.moment()
    // The page shows the reason and does not retry.
    act.screen = problem === null ? 'saved' : 'unknown'
    this.#tell(`${tab.process.name} ${home.username} looks at ${short(patient.id)} ${short(act.id)}: ${problem ?? 'saved'}`)
  }

  /** Types into the dialog, which keeps the draft, and reads it back. Nobody may find another user's draft. */
  async #type({ device, tab, app }: Place, chance: Dice): Promise<void> {
    const shelf = await readyShelf(app)
    const home = app.session.state.getState().home
    const person = nameOf(home?.username ?? '')
    if (!shelf || !home || person === null) return
    const patient = chance.chance(0.3) ? null : this.#pick(shelf, home.store_id, chance)
    const where = patient?.id ?? 'new'
    const place: DraftPlace = `patient: ${where}`
    const kept = JSON.stringify(await readDraft(app, place))
    if (tab.process.state === 'dead') return
    const reader = app.session.state.getState().home?.username
    for (const [word, typist] of this.#typed) {
      if (reader !== person || typist === person || !kept.includes(word)) continue
      this.#world.noted.push({ invariant: 4, what: `${person} finds on ${device.name} what ${typist} has typed` })
    }
    const base = patient && shelf.get(patient.id)
    const typed = secretPatient(this.#chance, this.#patients.secrets)
    this.#typed.set(typed.city, person)
    const isKept = await keepDraft(app, place, draftOf(where, base, { ...formOf(typed), ssn: typed.ssn ?? '' }))
    this.#tell(`${tab.process.name} ${person} types of ${short(where)}: ${isKept ? 'kept' : 'not kept'}`)
  }

  #pick(shelf: PatientShelf, store: number, chance: Dice): SimulatedPatient | null {
    const here = this.#patients.known.filter((patient) => patient.store === store)
    const patient = here.length === 0 ? null : chance.pick(here.slice(0, 4))
    return patient && shelf.get(patient.id) ? patient : null
  }
}

type Changes = Record<string, { from: unknown; to: unknown }>

/**
 * Returns the changes that a user's choices stand for. It derives them from the act itself, not from the code under
 * test.
 */
function chosen(changes: Changes, row: Record<string, unknown>, choices: Partial<Record<ComparedField['field'], Choice>>): Changes {
  const wanted: Changes = {}
  for (const [field, { from, to }] of Object.entries(changes)) {
    const theirs = row[field] ?? null
    const isMine = from === theirs || choices[field as ComparedField['field']] === 'mine'
    if (to !== theirs && isMine) wanted[field] = { from: theirs, to }
  }
  return wanted
}

async function readyShelf(app: Device): Promise<PatientShelf | null> {
  const shelf = await app.patients()
  return shelf.state.getState().status === 'ready' ? shelf : null
}

/**
 * The dialog's second way asks the server itself. It is left out, because the simulation does not know the id that it
 * uses.
 */
function noServer({ outbox }: Device): Pick<Device, 'call' | 'outbox'> {
  return { outbox, call: () => Promise.resolve(unreachable('not asked')) }
}

const today = (app: Device) => new Date(app.serverNow()).toISOString().slice(0, 10)

function nameOf(username: string): PersonName | null {
  return personNames.find((name) => name === username) ?? null
}

function short(id: string): string {
  return id.slice(-6)
}
