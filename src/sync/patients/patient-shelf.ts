import { Dexie } from 'dexie'
import * as v from 'valibot'
import { createStore } from 'zustand/vanilla'
import { type Patient, type PatientChanges, patientCreation, patientEdit, patientFieldNames } from '#contract/patients/patient.ts'
import { isMatch } from '#contract/patients/patient-search.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import { syncEndpoints } from '#contract/sync/sync.ts'
import { emptyDatabase, emptyDatabasesBut } from '#src/db/indexed/empty-database.ts'
import type { BegunReading } from '#src/db/packed/mirror-records.ts'
import { encryptedCodec, UnreadableWithKey } from '#src/db/packed/encrypted-codec.ts'
import type { HotDatabase, OutboxCommand, SettledCommand } from '#src/db/hot/hot.ts'
import { keysOfPatient } from '#src/db/mirrors/patient-layout.ts'
import { PatientMirror } from '#src/db/mirrors/patient-mirror.ts'
import { compareKeys } from '#src/db/mirrors/patient-segment.ts'
import type { ServerClock } from '#src/sync/device/clock.ts'
import type { Device, PatientShelf, ShelfStatus, ShelvedPatient, UnsentWork } from '#src/sync/device/device.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { importPatientsKey, keepPatientsKey, keptPatientsKey, markOfKey, patientsPlace } from '#src/sync/patients/patients-key.ts'
import type { PatientsAhead } from '#src/sync/patients/begun-patients.ts'
import { refreshSealingKey } from '#src/sync/session/fetch-sealing-key.ts'
import { createPatientListsKeeper } from '#src/sync/patients/patient-lists-keeper.ts'
import type { SessionKeeper } from '#src/sync/session/session.ts'
import { seesPatients } from '#src/sync/session/standing.ts'
import { forgetPatientsPlace, rememberPatientsPlace } from '#src/sync/session/stored-tokens.ts'
import { todayAt } from '#src/sync/device/today-at.ts'

export type ShelfParts = {
  environment: Environment
  hot: HotDatabase
  session: SessionKeeper
  clock: ServerClock
  call: Device['call']
  ahead: PatientsAhead
}

/** `mark` identifies the key that encrypts it. */
type Open = { seat: string; mark: string; mirror: PatientMirror; codec: ReturnType<typeof encryptedCodec> }
/** One change of a patient that was made here. */
type OwnChange = {
  id_patient: string
  /** Null once the server has confirmed it. */
  unsent: UnsentWork | null
  /** The revision of the row that it wrote; null until the server has confirmed it. */
  revision: number | null
  create: Patient | null
  changes: PatientChanges
}

const keyTimeoutMs = 8000

export function createPatientShelf(parts: ShelfParts): PatientShelf {
  const { environment, hot, session, clock, call, ahead } = parts
  const state: PatientShelf['state'] = createStore(() => ({ status: 'locked' as ShelfStatus, turn: 0 }))
  let open: Open | null = null
  let opening: Promise<void> = Promise.resolve()
  let shown = new Map<string, ShelvedPatient>()
  let unsent = new Map<string, UnsentWork[]>()
  let closed = false
  const patientLists = createPatientListsKeeper(parts)

  const seatOf = (home: HomeInfo | null) =>
    environment.subtle !== null && seesPatients(home, session.isLocked()) ? `${home.id_user} ${home.store_id}` : null

  const turn = (change: { status?: ShelfStatus } = {}) => state.setState((before) => ({ ...before, ...change, turn: before.turn + 1 }))

  /** Errors of work that was under way when the shelf closed are not reported. */
  const ifOpen = (error: unknown) => {
    if (!closed) environment.report(error)
  }

  function shut() {
    open?.mirror.close()
    open = null
    shown = new Map()
    unsent = new Map()
    turn({ status: 'locked' })
  }

  /**
   * Opens or closes the shelf as the session requires, one call after the other. Before a pull it also checks the kept
   * key.
   */
  function settle(before?: 'pull'): Promise<void> {
    opening = opening.then(async () => {
      if (before === 'pull' && open && (await isOtherKey(open, session.home()))) shut()
      const home = session.home()
      const seat = closed ? null : seatOf(home)
      if (open && open.seat !== seat) shut()
      // Nobody may read patients, so the next start must not read ahead.
      if (seat === null && !closed) forgetPatientsPlace(environment.localStorage)
      // Before every pull, too.
      if (open) patientLists.ask(open.seat)
      if (open || seat === null || home === null) return
      const key = (await ahead.key(home)) ?? (await keptPatientsKey(hot, home)) ?? (await fetchKey(home))
      if (key === null || closed || seatOf(session.home()) !== seat) return
      turn({ status: 'opening' })
      open = await readUnder(key, home, seat)
      if (!open) return
      void refreshSealingKey(parts, environment.now())
      patientLists.ask(seat)
      await readOwnChanges(open)
      open.mirror.subscribe(() => void clearArrived().then(() => turn(), ifOpen))
      turn({ status: 'ready' })
    })
    opening = opening.catch((error: unknown) => {
      shut()
      ifOpen(error)
    })
    return opening
  }

  /**
   * Another window may have got another key for this device. Both windows then use the kept key from their next pull
   * on.
   */
  async function isOtherKey({ mark }: Open, home: HomeInfo | null): Promise<boolean> {
    const kept = home && environment.subtle && (await keptPatientsKey(hot, home))
    return !!kept && (await markOfKey(environment.subtle!, kept)) !== mark
  }

  async function fetchKey(home: HomeInfo): Promise<CryptoKey | null> {
    const answer = await call(syncEndpoints.patientsKey, {}, { timeoutMs: keyTimeoutMs })
    if (!answer.ok || answer.value.store_id !== home.store_id || environment.subtle === null) return null
    const key = await importPatientsKey(environment.subtle, answer.value.key)
    const kept = await keepPatientsKey(hot, home, key)
    if (kept !== null && session.state.getState().reduced) await session.serverKnows()
    return kept
  }

  /** Reads all patients, and lets users find those already read. Null when their reader has left. */
  async function readUnder(key: CryptoKey, { store_id }: HomeInfo, seat: string): Promise<Open | null> {
    const { indexedDB, IDBKeyRange, subtle } = environment
    if (subtle === null) return null
    // Data under another key has another place, so no window waits for a sleeping one that holds the former place.
    const place = patientsPlace(environment.databaseName ?? 'lorgnette', store_id)
    const mark = await markOfKey(subtle, key)
    const name = place + mark
    if (closed || seatOf(session.home()) !== seat) return null
    rememberPatientsPlace(environment.localStorage, name)
    emptyDatabasesBut(indexedDB, place, name).catch(ifOpen)
    const begin = (begun?: BegunReading): Open => ({
      seat,
      mark,
      codec: encryptedCodec(key),
      mirror: new PatientMirror(key, { name, indexedDB, IDBKeyRange, begun }),
    })
    open = begin(await ahead.reading(name))
    const { mirror } = open
    try {
      while (!mirror.isReady()) {
        await mirror.moreRead()
        if (closed || seatOf(session.home()) !== seat) {
          shut()
          return null
        }
        turn()
      }
      return open
    } catch (error) {
      mirror.close()
      if (!(error instanceof UnreadableWithKey)) throw error
      // Broken data is of no use, and is fetched again.
      await emptyDatabase(indexedDB, name)
      return begin()
    }
  }

  /**
   * Reads this device's changes that the mirror lacks: those that wait, and those that the server confirmed before a
   * pull.
   */
  async function readOwnChanges(of: Open) {
    const { outbox, settled } = await hot.transaction('r', hot.outbox, hot.settled, async () => ({
      outbox: await hot.outbox.where('[lane+lane_seq+device_id]').between(['patient:'], ['patient;']).toArray(),
      settled: await hot.settled.where('lane').between('patient:', 'patient;').toArray(),
    }))
    const done = settled.filter((entry) => entry.own !== undefined).sort((a, b) => a.command.lane_seq - b.command.lane_seq)
    const ownChanges: OwnChange[] = []
    for (const entry of [...done, ...outbox]) {
      const ownChange = await ownChangeOf(entry, of.codec)
      if (ownChange) ownChanges.push(ownChange)
    }
    if (open !== of) return
    shown = shownBy(of.mirror, ownChanges)
    unsent = unsentOf(ownChanges)
  }

  /** Drops the kept changes that a pull has brought. */
  async function clearArrived() {
    const of = open
    if (!of) return
    const settled = await hot.settled.where('lane').between('patient:', 'patient;').toArray()
    const arrived = settled.filter((entry) => entry.own && (of.mirror.get(idOfLane(entry.lane))?.revision ?? -1) >= (entry.revision ?? 0))
    for (const { id } of arrived)
      await hot.settled
        .where('id')
        .equals(id)
        .modify((entry) => void delete entry.own)
    await readOwnChanges(of)
  }

  let reading = false
  let isStale = false
  /** Reads the changes again, once for all that come meanwhile. */
  async function look() {
    isStale = true
    if (reading) return
    reading = true
    try {
      while (isStale && open) {
        isStale = false
        await readOwnChanges(open)
        turn()
      }
    } catch (error) {
      if (!closed) environment.report(error)
    } finally {
      reading = false
    }
  }
  const onMutated = (changed: Record<string, unknown>) => {
    if (open && Object.keys(changed).some((key) => key.includes(`/${hot.name}/outbox`))) void look()
  }
  Dexie.on('storagemutated', onMutated)

  const stopSession = session.onChange(() => void settle())
  void settle()

  return {
    state,
    get: (id) => shown.get(id) ?? open?.mirror.get(id) ?? null,
    mirrored: (id) => open?.mirror.get(id) ?? null,
    unsent: (id) => unsent.get(id) ?? [],
    search(query, limit) {
      if (!open) return []
      const today = todayAt(session.home(), clock.serverNow())
      const rows: ShelvedPatient[] = open.mirror.search(query, limit + shown.size, today).filter(({ id }) => !shown.has(id))
      for (const row of shown.values()) if (isMatch(row, query, today)) rows.push(row)
      if (rows.length === 0 && query.words.length > 0)
        rows.push(...open.mirror.searchClose(query, limit, today).map((row) => shown.get(row.id) ?? row))
      return rows.sort((a, b) => compareKeys(keysOfPatient(a), keysOfPatient(b))).slice(0, limit)
    },
    size: () => open?.mirror.size() ?? 0,
    async writer() {
      await settle('pull')
      return open?.mirror ?? null
    },
    close() {
      closed = true
      Dexie.on.storagemutated.unsubscribe(onMutated)
      stopSession()
      patientLists.close()
      shut()
    },
  }
}

/**
 * Null for a change made without a key, with another key, or by another version of the app. The server has it sealed,
 * and only this screen cannot show it. All other patients show.
 */
async function ownChangeOf(entry: OutboxCommand | SettledCommand, codec: ReturnType<typeof encryptedCodec>): Promise<OwnChange | null> {
  if (!entry.own) return null
  const command = 'command' in entry ? entry.command : entry
  let body: unknown
  try {
    body = JSON.parse(await codec.decode(entry.own))
  } catch (error) {
    if (error instanceof UnreadableWithKey) return null
    throw error
  }
  const revision = 'command' in entry ? (entry.revision ?? 0) : null
  if (command.kind === 'patient.edit') {
    const edit = v.safeParse(patientEdit, body)
    if (!edit.success) return null
    const { id_patient, changes } = edit.output
    return { id_patient, unsent: workOf(entry, null, changes), revision, create: null, changes }
  }
  if (command.kind !== 'patient.create') return null
  const creation = v.safeParse(patientCreation, body)
  if (!creation.success) return null
  const { id_patient, patient } = creation.output
  const { ssn: _ssn, ...fields } = patient
  const create: Patient = {
    ...fields,
    id: id_patient,
    patient_no: null,
    store_id: command.store_id ?? 0,
    last_exam_date: null,
    created_at: command.captured.wall,
    version: 1,
    revision: 0,
  }
  return { id_patient, unsent: workOf(entry, create, {}), revision, create, changes: {} }
}

function workOf(entry: OutboxCommand | SettledCommand, patient: Patient | null, changes: PatientChanges): UnsentWork | null {
  if ('command' in entry) return null
  return {
    id: entry.id,
    kind: patient ? 'patient.create' : 'patient.edit',
    state: entry.state === 'needs-attention' ? 'attention' : 'waiting',
    author: entry.author.name,
    at: entry.created_at,
    problem: entry.last_error,
    patient,
    changes,
  }
}

function unsentOf(ownChanges: readonly OwnChange[]): Map<string, UnsentWork[]> {
  const found = new Map<string, UnsentWork[]>()
  for (const { id_patient, unsent } of ownChanges) if (unsent) found.set(id_patient, [...(found.get(id_patient) ?? []), unsent])
  return found
}

function shownBy(mirror: PatientMirror, ownChanges: readonly OwnChange[]): Map<string, ShelvedPatient> {
  const shown = new Map<string, ShelvedPatient>()
  for (const { id_patient, unsent, revision, create, changes } of ownChanges) {
    if (revision !== null && (mirror.get(id_patient)?.revision ?? -1) >= revision) continue
    const before = shown.get(id_patient) ?? mirror.get(id_patient) ?? create
    if (!before) continue
    const after: Record<string, unknown> = { ...before }
    for (const field of patientFieldNames) {
      const change = changes[field]
      if (change) after[field] = change.to
    }
    const known = shown.get(id_patient)?.unsent
    const mark = known === 'attention' ? known : (unsent?.state ?? known)
    shown.set(id_patient, { ...(after as Patient), ...(mark && { unsent: mark }) })
  }
  return shown
}

const idOfLane = (lane: string) => lane.slice('patient:'.length)
