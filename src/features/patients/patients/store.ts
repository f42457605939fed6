import { createStore, type StoreApi } from 'zustand/vanilla'
import type { PatientCriteria } from '#contract/patients/patient-search.ts'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import type { patientEndpoints } from '#contract/patients/patients.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { SessionState } from '#src/sync/device/device.ts'

type FoundPatients = ResponseOf<typeof patientEndpoints.lookUpPatients>
type FoundPatient = FoundPatients['patients'][number]

/**
 * What was looked for and found, for whoever comes back from a patient. In the memory of the page only: nothing of a patient is written
 * down, nor does it stand in an address.
 */
type SearchState = {
  /** Whose search it is. */
  idUser: number | null
  criteria: PatientCriteria
  expanded: boolean
  /** The server's answer to the criteria as they were when it was asked; null before. */
  found: { patients: FoundPatient[]; total: number; page: number } | null
  /** The server is being asked. */
  asking: boolean
  /** Why the server's answer is not here; null before, and with one. */
  failure: Failure | null
  /** Who was opened last, newest first. */
  recent: string[]
}

const unasked = { found: null, asking: false, failure: null }
const empty: SearchState = { idUser: null, criteria: {}, expanded: false, ...unasked, recent: [] }
const mostRecent = 8

export const searchStore = createStore<SearchState>(() => empty)

/** What is looked for from now on; what the server said before was of something else. */
export function seek(criteria: PatientCriteria): void {
  searchStore.setState({ criteria, ...unasked })
}

/** Whose search it is from now on. Of another's nothing is left. */
function seat(idUser: number | null): void {
  if (searchStore.getState().idUser !== idUser) searchStore.setState({ ...empty, idUser }, true)
}

const watched = new WeakSet<StoreApi<SessionState>>()

/** From now on whoever goes leaves nothing behind: neither what they looked for nor whom they found. */
export function forgetWithSession(session: StoreApi<SessionState>): void {
  seat(session.getState().home?.id_user ?? null)
  if (watched.has(session)) return
  watched.add(session)
  session.subscribe(({ home, locked, ended }) => {
    seat(home?.id_user ?? null)
    // What was typed stays, whom it found does not: a PIN opens the tablet again, but no patients while the server cannot be asked.
    // An answer that is still on its way belongs to other criteria then.
    if (locked || ended) searchStore.setState(({ criteria }) => ({ criteria: { ...criteria }, ...unasked, recent: [] }))
  })
}

export function rememberOpened(id: string): void {
  searchStore.setState(({ recent }) => ({ recent: [id, ...recent.filter((other) => other !== id)].slice(0, mostRecent) }))
}
