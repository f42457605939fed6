import type { PatientCriteria } from '#contract/patient-search.ts'
import { patientEndpoints } from '#contract/patients.ts'
import type { Failure } from '#src/api/outcome.ts'
import { searchStore } from '#src/features/patients/store.ts'
import type { Device } from '#src/sync/device.ts'
import { showToast } from '#src/ui/toast-store.ts'

const timeoutMs = 15_000

/** The specification's words for a search that brought nobody. */
const notFound = { title: 'Error', description: 'Patient not found', tone: 'bad' } as const

/**
 * Asks the server, which knows patients of other stores too. The first page replaces what was found, later ones are added.
 * @param criteria those of the store: an answer that comes when something else is looked for already is dropped
 */
export async function lookUp(device: Pick<Device, 'call'>, criteria: PatientCriteria, page = 1): Promise<Failure | null> {
  const query = { ...givenOf(criteria), page: String(page) }
  const answer = await device.call(patientEndpoints.lookUpPatients, { query }, { timeoutMs })
  if (searchStore.getState().criteria !== criteria) return null
  if (!answer.ok) {
    if (answer.failure.kind === 'refused') showToast(notFound)
    return answer.failure
  }
  const { patients, total } = answer.value
  searchStore.setState(({ found }) => ({
    found: { patients: page === 1 ? patients : [...(found?.patients ?? []), ...patients], total, page },
  }))
  if (total === 0) showToast(notFound)
  return null
}

/** What was filled in. */
function givenOf(criteria: PatientCriteria): PatientCriteria {
  return Object.fromEntries(Object.entries(criteria).filter(([, value]) => value !== undefined && value !== ''))
}

/** Writes down a look at a record that this device showed by itself; it is told to the server with the next connection. Why it could not, or null. */
export async function recordOfflineView(device: Pick<Device, 'deviceId' | 'outbox'>, idPatient: string): Promise<string | null> {
  const look = { id_patient: idPatient, part: 'record', reason: 'patient page', offline: true }
  const made = await device.outbox.record('patient.view', `views:${device.deviceId}`, look, { title: 'Patient record opened' })
  return made.saved ? null : made.problem.message
}
