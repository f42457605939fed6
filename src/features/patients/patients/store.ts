import { createStore, type StoreApi } from 'zustand/vanilla'
import type { PatientCriteria } from '#contract/patients/patient-search.ts'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import type { patientEndpoints } from '#contract/patients/patients.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { SessionState } from '#src/sync/device/device.ts'

type FoundPatients = ResponseOf<typeof patientEndpoints.lookUpPatients>
type FoundPatient = FoundPatients['patients'][number]

/**
 * The search and its results, kept while the user looks at a patient.
 * Only the memory of the page holds it. The disk and the address bar hold nothing about a patient.
 */
type SearchState = {
  /** The user who searches. */
  idUser: number | null
  criteria: PatientCriteria
  expanded: boolean
  /** The server's answer for the present criteria, or null before it. */
  found: { patients: FoundPatient[]; total: number; page: number } | null
  /** The server is being asked. */
  asking: boolean
  /** Why the server's answer is missing. Null before it comes and when it is here. */
  failure: Failure | null
  /** The patients opened last, newest first. */
  recent: string[]
}

const unasked = { found: null, asking: false, failure: null }
const empty: SearchState = { idUser: null, criteria: {}, expanded: false, ...unasked, recent: [] }
const mostRecent = 8

export const searchStore = createStore<SearchState>(() => empty)

/** Sets new criteria and drops the server's answer to the former ones. */
export function seek(criteria: PatientCriteria): void {
  searchStore.setState({ criteria, ...unasked })
}

/** Gives the search to a user. Drops another user's search. */
function seat(idUser: number | null): void {
  if (searchStore.getState().idUser !== idUser) searchStore.setState({ ...empty, idUser }, true)
}

const watched = new WeakSet<StoreApi<SessionState>>()

/** Drops the search and its results when the user signs out. */
export function forgetWithSession(session: StoreApi<SessionState>): void {
  seat(session.getState().home?.id_user ?? null)
  if (watched.has(session)) return
  watched.add(session)
  session.subscribe(({ home, locked, ended }) => {
    seat(home?.id_user ?? null)
    // A lock keeps the criteria and drops the patients found. A PIN unlocks the tablet, but not its patients while the
    // server is unreachable. The criteria get a new object, so that an answer on its way no longer belongs to them.
    if (locked || ended) searchStore.setState(({ criteria }) => ({ criteria: { ...criteria }, ...unasked, recent: [] }))
  })
}

export function rememberOpened(id: string): void {
  searchStore.setState(({ recent }) => ({ recent: [id, ...recent.filter((other) => other !== id)].slice(0, mostRecent) }))
}
