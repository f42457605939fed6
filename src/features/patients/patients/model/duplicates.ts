import { likelyCriteria, likeness, type Likeness } from '#contract/patients/patient-likeness.ts'
import type { Patient } from '#contract/patients/patient.ts'
import { readCriteria } from '#contract/patients/patient-search.ts'
import { patientEndpoints } from '#contract/patients/patients.ts'
import type { Device, PatientShelf } from '#src/sync/device/device.ts'
import type { PatientForm } from '../form.ts'

/** A known patient who may be the one being registered. */
export type LikelyPatient = { patient: Patient & { store_name?: string }; why: Likeness }

/** Whether the user must decide about this one before a new record is made. */
export function isStrong<T extends LikelyPatient>(one: T): one is T & { why: Exclude<Likeness, 'phone'> } {
  return one.why !== 'phone'
}

type Asked = Pick<PatientForm, 'first_name' | 'last_name' | 'pref' | 'dob' | 'phone' | 'phone_home' | 'cell_work'>

const asManyAs = 200
const timeoutMs = 5000

/** Returns the likely patients on this device. */
export function likelyHere(shelf: Pick<PatientShelf, 'search'>, form: Asked): LikelyPatient[] {
  return alike(
    form,
    likelyCriteria(form).flatMap((criteria) => shelf.search(readCriteria(criteria), asManyAs)),
  )
}

/** Returns the likely patients that the user may see at the server, or null when a call failed. */
export async function likelyAtServer(device: Pick<Device, 'call'>, form: Asked): Promise<LikelyPatient[] | null> {
  const asked = likelyCriteria(form).map((query) => device.call(patientEndpoints.lookUpPatients, { query }, { timeoutMs }))
  const answers = await Promise.all(asked)
  if (answers.some((answer) => !answer.ok)) return null
  return alike(
    form,
    answers.flatMap((answer) => (answer.ok ? answer.value.patients : [])),
  )
}

/** Returns the server's likely patients who still match after more typing, without those known here. */
export function stillAlike(told: readonly LikelyPatient[], form: Asked, here: readonly LikelyPatient[]): LikelyPatient[] {
  const known = new Set(here.map(({ patient }) => patient.id))
  return alike(
    form,
    told.map(({ patient }) => patient).filter(({ id }) => !known.has(id)),
  )
}

function alike(form: Asked, rows: readonly LikelyPatient['patient'][]): LikelyPatient[] {
  const found = new Map<string, LikelyPatient>()
  for (const patient of rows) {
    const why = likeness(form, patient)
    if (why) found.set(patient.id, { patient, why })
  }
  const order: Likeness[] = ['both', 'name', 'phone']
  return [...found.values()].sort((a, b) => order.indexOf(a.why) - order.indexOf(b.why))
}
