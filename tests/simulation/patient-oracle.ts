import type { OutboxCommand } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'
import type { ClinicServer } from './clinic-server.ts'
import type { Broken, PerformedAction } from './performed-actions.ts'
import { type ChangedField, changedFields } from './simulated-patients.ts'
import type { World } from './world.ts'

/** The facts that must hold for patients, derived from acts, screens and tables alone. */

type Row = Record<ChangedField, string | null> & {
  id: string
  store_id: number
  created_by: number | null
  version: number
  revision: number
}
type AuditRow = { id_patient: string; id_user: number | null; action: string; offline: boolean }

const columns = `id, store_id, created_by, version::int as version, revision::int as revision, ${changedFields.join(', ')}`

export async function checkPatients(
  world: World,
  receipts: ReadonlyMap<string, { number: number }>,
  outbox: readonly OutboxCommand[],
): Promise<Broken[]> {
  const { patients, server } = world
  if (patients === null) return []
  const rows = new Map((await server.ask<Row>(`select ${columns} from patients`)).map((row) => [row.id, row]))
  const audits = await server.ask<AuditRow>('select id_patient, id_user, action, offline from patient_audit')
  const done = world.acts.filter(({ id, patient }) => patient !== undefined && receipts.has(id))
  const broken: Broken[] = []
  for (const { id, store, by, first } of patients.known) {
    const row = rows.get(id)
    const name = `the patient ${id}`
    const created = done.find((act) => act.kind === 'patient.create' && act.patient?.id === id)
    if (by !== null && (row !== undefined) !== (created !== undefined)) {
      broken.push({
        invariant: 1,
        what: `${name} ${row ? 'is there, and nobody’s work has a receipt' : 'has a receipt, and is not there'}`,
      })
    }
    if (!row) continue
    if (row.store_id !== store) broken.push({ invariant: 4, what: `${name} is with store ${row.store_id}, not ${store}` })
    if (row.created_by !== idOf(world, by)) broken.push({ invariant: 4, what: `${name} was registered by ${row.created_by}, not ${by}` })
    const theirs = done.filter((act) => act.patient?.id === id)
    if (!patients.blurred.has(id)) {
      const { broken: wrong, idle } = overwritten(name, row, first, theirs, receipts)
      const changing = theirs.filter((act) => !idle.has(act))
      broken.push(...wrong, ...unaudited(world, name, changing, ofPatient(audits, id)))
    }
  }
  for (const { id } of rows.values()) {
    if (!patients.known.some((patient) => patient.id === id))
      broken.push({ invariant: 1, what: `a patient ${id} was registered by nobody` })
  }
  broken.push(...(await removedAndServed(world)))
  for (const { id, lane, last_error } of outbox) {
    if (last_error?.code === 'patient-unknown' && rows.has(lane.slice('patient:'.length)))
      broken.push({ invariant: 5, what: `${id} was left to a person for want of a patient who is there` })
  }
  return broken
}

/**
 * 1: the applied edits, in the order of their receipts, lead from the first row to the last. Each edit changed the
 * value that its author saw, so nobody overwrote unseen work. `idle` are edits whose values were already there. An
 * example is a late copy of a refused edit that its author has settled. They change nothing and leave no row.
 */
function overwritten(
  name: string,
  row: Row,
  first: Record<ChangedField, string | null>,
  acts: readonly PerformedAction[],
  receipts: ReadonlyMap<string, { number: number }>,
): { broken: Broken[]; idle: ReadonlySet<PerformedAction> } {
  const broken: Broken[] = []
  const idle = new Set<PerformedAction>()
  const now: Record<string, unknown> = { ...first }
  const numberOf = ({ id }: PerformedAction) => receipts.get(id)?.number ?? 0
  for (const act of acts.toSorted((a, b) => numberOf(a) - numberOf(b))) {
    const changes = Object.entries(act.patient?.changes ?? {})
    if (act.kind === 'patient.edit' && changes.every(([field, { to }]) => now[field] === to)) idle.add(act)
    for (const [field, { from, to }] of changes) {
      if (now[field] !== from && now[field] !== to) {
        const what = `${name}: ${act.id} of ${act.person} wrote ${field} over ${String(now[field])}, and saw ${String(from)}`
        broken.push({ invariant: 1, what })
      }
      now[field] = to
    }
  }
  for (const field of changedFields) {
    if (row[field] !== now[field])
      broken.push({ invariant: 1, what: `${name} has ${row[field]} as ${field}, and by all that was done ${String(now[field])}` })
  }
  return { broken, idle }
}

/** 4, 6: the audit has each act once with its author, and nothing else. */
function unaudited(world: World, name: string, acts: readonly PerformedAction[], audits: readonly AuditRow[]): Broken[] {
  const broken: Broken[] = []
  for (const kind of ['patient.create', 'patient.edit', 'patient.view']) {
    const kept = audits.filter(({ action }) => action === kind)
    const people = new Set([...kept.map(({ id_user }) => id_user), ...acts.map(({ person }) => idOf(world, person))])
    for (const user of people) {
      const doneBy = acts.filter((act) => act.kind === kind && idOf(world, act.person) === user).length
      const all = kept.filter(({ id_user }) => id_user === user)
      // Several looks within a quarter of an hour count once, at the server or on the device.
      const told = kind === 'patient.view' ? all.filter(({ offline }) => offline).length : all.length
      if (told > doneBy)
        broken.push({ invariant: 4, what: `${name}: ${kind} of ${user} is kept ${told} times, and was done ${doneBy} times` })
      if (kind === 'patient.view' ? doneBy > 0 && all.length === 0 : told < doneBy)
        broken.push({ invariant: 1, what: `${name}: ${kind} of ${user} was done ${doneBy} times, and is kept ${told} times` })
    }
  }
  return broken
}

/** 4: the server ends every session of a revoked tablet. */
async function removedAndServed({ server, patients, restores }: World): Promise<Broken[]> {
  if (restores > 0) return []
  const broken: Broken[] = []
  for (const { device, sessions } of patients?.removals ?? []) {
    const open = await server.ask<{ id: string }>('select id from sessions where id = any($1) and revoked_at is null', [sessions])
    if (open.length > 0) broken.push({ invariant: 4, what: `${device} was removed, and ${open.length} of its sessions go on` })
  }
  return broken
}

const ofPatient = (audits: readonly AuditRow[], id: string) => audits.filter(({ id_patient }) => id_patient === id)

/** 3: returns the differences between a device's patients and the server's, for its signed-in user. */
export async function patientProblems(app: Device, clinic: ClinicServer): Promise<string[]> {
  const { home } = app.session.state.getState()
  if (!home?.permissions.includes('patient.read')) return []
  const shelf = await app.patients()
  const { status } = shelf.state.getState()
  if (status !== 'ready') return [`the patients are ${status}`]
  const rows = await clinic.ask<Row>(`select ${columns} from patients where store_id = $1`, [home.store_id])
  const problems: string[] = []
  for (const row of rows) {
    const here = shelf.mirrored(row.id)
    if (!here) problems.push(`patient ${row.id} is missing`)
    else if (here.revision !== row.revision || here.version !== row.version || changedFields.some((field) => here[field] !== row[field]))
      problems.push(`patient ${row.id} is as of ${here.revision}, not ${row.revision}`)
  }
  if (shelf.size() !== rows.length) problems.push(`there are ${shelf.size()} patients, not ${rows.length}`)
  return problems
}

function idOf(world: World, person: string | null): number | null {
  return Object.values(world.server.seed.users).find(({ username }) => username === person)?.id_user ?? null
}
