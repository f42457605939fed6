import type { Patient, PatientChanges, PatientInput } from '#contract/patients/patient.ts'
import { patientEndpoints } from '#contract/patients/patients.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { Device, NotSaved, UnsentWork } from '#src/sync/device/device.ts'
import { type Choice, chosenChanges, type ComparedField } from './conflict.ts'
import { problemsAtFields } from '../form.ts'

type Saver = Pick<Device, 'call' | 'outbox'>

/**
 * `here`: saved on this device, which sends it. `server`: saved at the server, because this device keeps no patients.
 */
export type Saved =
  | { ok: true; where: 'here' | 'server' }
  | {
      ok: false
      /**
       * The message for the user: the specification's words for a refusal, the outbox's own words for a failed save.
       */
      message: string
      problems: Partial<Record<string, string>>
      /** Another user has changed the patient since this form was opened. */
      isOvertaken: boolean
      /** The id of a write that may have arrived. A retry of the same write must use it. */
      doubtful: string | null
    }

const timeoutMs = 15_000

/** A title is not encrypted, so it names no patient. */
const titles = { create: 'New patient', edit: 'Patient edited' }

/**
 * Registers a patient.
 * @param keepsHere whether this device may keep patients; otherwise the server is asked at once
 * @param again the id of an earlier try that may have arrived
 */
export async function createPatient(
  device: Saver,
  keepsHere: boolean,
  id: string,
  patient: PatientInput,
  again: string | null,
): Promise<Saved> {
  if (keepsHere) {
    const more = { title: titles.create, ...(again !== null && { id: again }) }
    const made = await device.outbox.record('patient.create', `patient:${id}`, { id_patient: id, patient }, more)
    if (made.saved) return { ok: true, where: 'here' }
    if (made.problem.reason !== 'not-sealed') return notWritten(made.problem)
  }
  const answer = await device.call(patientEndpoints.addPatient, { body: { ...patient, id } }, { timeoutMs })
  return answer.ok ? { ok: true, where: 'server' } : refusedBy(answer.failure)
}

/** Saves the fields that the user changed, each with the value that they saw. */
export async function editPatient(
  device: Saver,
  keepsHere: boolean,
  base: Patient,
  patient: PatientInput,
  changes: PatientChanges,
  again: string | null,
): Promise<Saved> {
  if (keepsHere) {
    const more = { title: titles.edit, ...(again !== null && { id: again }) }
    const made = await device.outbox.record('patient.edit', `patient:${base.id}`, { id_patient: base.id, changes }, more)
    if (made.saved) return { ok: true, where: 'here' }
    if (made.problem.reason !== 'not-sealed') return notWritten(made.problem)
  }
  const body = { ...patient, version: base.version }
  const answer = await device.call(patientEndpoints.changePatient, { params: { id: base.id }, body }, { timeoutMs })
  return answer.ok ? { ok: true, where: 'server' } : refusedBy(answer.failure)
}

/** Corrects refused work. One transaction adds a new command and drops the old one. */
export async function correctWork(device: Saver, work: UnsentWork, body: Record<string, unknown>): Promise<Saved> {
  try {
    await device.outbox.correct(work.id, body)
    return { ok: true, where: 'here' }
  } catch {
    return { ok: false, message: diskSays, ...nothingElse }
  }
}

/**
 * Sends the chosen values as a new edit in place of the refused one. Discards the refused edit when nothing of it is
 * left.
 */
export async function settleConflict(
  device: Saver,
  work: UnsentWork,
  idPatient: string,
  fields: readonly ComparedField[],
  choices: Partial<Record<string, Choice>>,
  ssn: string | null,
): Promise<Saved> {
  const changes = chosenChanges(fields, choices, ssn)
  if (Object.keys(changes).length > 0) return await correctWork(device, work, { id_patient: idPatient, changes })
  try {
    await device.outbox.discard(work.id, 'kept the server’s version')
    return { ok: true, where: 'here' }
  } catch {
    return { ok: false, message: diskSays, ...nothingElse }
  }
}

const diskSays = 'Couldn’t write to this device’s storage. Try again.'
const nothingElse = { problems: {}, isOvertaken: false, doubtful: null }

function notWritten({ message, id }: NotSaved): Saved {
  return { ok: false, message, ...nothingElse, doubtful: id ?? null }
}

function refusedBy(failure: Failure): Saved {
  if (failure.kind === 'unreachable') {
    const message = 'This device isn’t storing patients right now, and the server can’t be reached. Try again when you’re back online.'
    return { ok: false, message, ...nothingElse }
  }
  if (failure.kind === 'signed-out') return { ok: false, message: failure.message, ...nothingElse }
  const isOvertaken = failure.code === 'patient-changed'
  return { ok: false, message: failure.message, ...nothingElse, problems: problemsAtFields(failure.fields), isOvertaken }
}
