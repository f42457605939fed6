import { useDeferredValue, useMemo } from 'react'
import { useStore } from 'zustand'
import { isEmptyQuery, type PatientCriteria, problemsOf, readableOf, readCriteria } from '#contract/patients/patient-search.ts'
import type { PatientShelf, ShelfStatus } from '#src/sync/device/device.ts'
import { formatNumberOf } from '#src/ui/format.ts'
import type { PatientRow } from '../components/patient-rows.tsx'
import { searchStore } from '../store.ts'

/** The source of matches on this device. */
export type MatchSource = {
  /** Null until its code is loaded. */
  shelf: Pick<PatientShelf, 'search'> | null
  status: ShelfStatus
  /** Raised when the patients on this device may have changed. */
  turn: number
  /** The server is known to be unreachable. */
  isOffline: boolean
}

export type Matches = {
  rows: PatientRow[]
  /** The digits of a phone number that is searched. */
  digits: string | null
  /** The search has criteria. */
  isAsked: boolean
  /** This device can answer. Only the server can search by insurance. */
  isHere: boolean
  isOffline: boolean
  /** How many matches there are and who found them, in words. Empty without criteria. */
  words: string
}

type Answer = ReturnType<typeof searchStore.getState>['found']

/**
 * Returns the matches while the user types: the device's patients first, then the server's others.
 * @param most the largest number of the device's patients
 */
export function useMatches({ shelf, status, turn, isOffline }: MatchSource, most: number, found: Answer): Matches {
  const criteria = useDeferredValue(useStore(searchStore, (state) => state.criteria))
  const query = useMemo(() => readCriteria(readableOf(criteria)), [criteria])
  const isHere = query.insuranceName === null && query.coverage === null
  const isAsked = !isEmptyQuery(query)
  const rows = useMemo(() => {
    if (!isAsked) return []
    const here: PatientRow[] = isHere && turn >= 0 ? (shelf?.search(query, most) ?? []) : []
    const known = new Set(here.map(({ id }) => id))
    return [...here, ...(found?.patients ?? []).filter(({ id }) => !known.has(id))]
  }, [query, isAsked, isHere, shelf, turn, found, most])

  function count(): string {
    if (!isAsked) return ''
    if (found)
      return found.total > rows.length
        ? `${rows.length} of ${formatNumberOf(found.total, 'patient')}`
        : formatNumberOf(rows.length, 'patient')
    if (!isHere) return 'Insurance is searched online. Press Search.'
    if (!shelf) return ''
    if (status === 'locked' && isOffline) return 'Patients on this device will be available when you’re back online'
    if (status !== 'ready') return 'Loading patients on this device…'
    if (rows.length === 0) return 'No matches on this device'
    return rows.length < most
      ? `${formatNumberOf(rows.length, 'patient')} on this device`
      : `Showing the first ${most} on this device. Press Search to see all.`
  }
  return { rows, digits: query.phone, isAsked, isHere, isOffline, words: [unread(criteria), count()].filter(Boolean).join(' · ') }
}

/** Names the fields that the search ignores until they are complete. */
function unread(criteria: PatientCriteria): string {
  return [...new Set(Object.keys(problemsOf(criteria)).map((field) => unreadWords[field] ?? `Check ${field}`))].join(' · ')
}
const fullDate = 'Enter a full date, like 02/26/1941'
const unreadWords: Record<string, string> = {
  dob: fullDate,
  phone: 'Enter the digits of a phone number',
  age: 'Enter an age in years',
  last_exam: fullDate,
}
