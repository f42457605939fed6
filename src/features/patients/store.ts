import { createStore, type StoreApi } from 'zustand/vanilla'
import type { PatientCriteria } from '#contract/patient-search.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { patientEndpoints } from '#contract/patients.ts'
import type { SessionState } from '#src/sync/device.ts'

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
  /** Who was opened last, newest first. */
  recent: string[]
}

const empty: SearchState = { idUser: null, criteria: {}, expanded: false, found: null, recent: [] }
const mostRecent = 8

export const searchStore = createStore<SearchState>(() => empty)

const watched = new WeakSet<StoreApi<SessionState>>()

/** From now on whoever goes leaves nothing behind: neither what they looked for nor whom they found. */
export function forgetWithSession(session: StoreApi<SessionState>): void {
  const seat = (idUser: number | null) => {
    if (searchStore.getState().idUser !== idUser) searchStore.setState({ ...empty, idUser }, true)
  }
  seat(session.getState().home?.id_user ?? null)
  if (watched.has(session)) return
  watched.add(session)
  session.subscribe(({ home, locked }) => {
    seat(home?.id_user ?? null)
    // What was typed stays, whom it found does not: a PIN opens the tablet again, but no patients while the server cannot be asked.
    // An answer that is still on its way belongs to other criteria then.
    if (locked) searchStore.setState(({ criteria }) => ({ criteria: { ...criteria }, found: null, recent: [] }))
  })
}

export function rememberOpened(id: string): void {
  searchStore.setState(({ recent }) => ({ recent: [id, ...recent.filter((other) => other !== id)].slice(0, mostRecent) }))
}
