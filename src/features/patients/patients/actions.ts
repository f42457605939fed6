import type { PatientCriteria } from '#contract/patients/patient-search.ts'
import { patientEndpoints } from '#contract/patients/patients.ts'
import { searchStore } from '#src/features/patients/patients/store.ts'
import type { Device } from '#src/sync/device/device.ts'
import { showToast } from '#src/ui/toast-store.ts'

const timeoutMs = 15_000

/** The specification's words for a search without a result. */
const notFound = { title: 'Error', description: 'Patient not found', tone: 'bad' } as const

/**
 * Asks the server for the patients that match, including those of other stores. Page 1 replaces the results, later
 * pages are added.
 */
export async function lookUp(device: Pick<Device, 'call'>, page = 1): Promise<void> {
  const { criteria, asking } = searchStore.getState()
  if (asking) return
  searchStore.setState({ asking: true, failure: null })
  const query = { ...givenOf(criteria), page: String(page) }
  const answer = await device.call(patientEndpoints.lookUpPatients, { query }, { timeoutMs })
  // The user has changed the search meanwhile.
  if (searchStore.getState().criteria !== criteria) return
  if (!answer.ok) {
    searchStore.setState({ asking: false, failure: answer.failure })
    if (answer.failure.kind === 'refused') showToast(notFound)
    return
  }
  const { patients, total } = answer.value
  searchStore.setState(({ found }) => ({
    asking: false,
    found: { patients: page === 1 ? patients : [...(found?.patients ?? []), ...patients], total, page },
  }))
  if (total === 0) showToast(notFound)
}

/** Returns the criteria that are filled in. */
function givenOf(criteria: PatientCriteria): PatientCriteria {
  return Object.fromEntries(Object.entries(criteria).flatMap(([field, value]) => (value.trim() === '' ? [] : [[field, value.trim()]])))
}

/**
 * Records a view of the device's own copy of a record. The outbox sends it later. Returns why it could not be saved, or
 * null.
 */
export async function recordOfflineView(device: Pick<Device, 'deviceId' | 'outbox'>, idPatient: string): Promise<string | null> {
  const look = { id_patient: idPatient, part: 'record', reason: 'patient page', offline: true }
  const made = await device.outbox.record('patient.view', `views:${device.deviceId}`, look, { title: 'Patient record opened' })
  return made.saved ? null : made.problem.message
}
