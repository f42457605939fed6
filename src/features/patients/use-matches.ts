import { useDeferredValue, useMemo } from 'react'
import { useStore } from 'zustand'
import { isEmptyQuery, type PatientCriteria, problemsOf, readableOf, readCriteria } from '#contract/patient-search.ts'
import { useConnection } from '#src/sync/device-context.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import type { PatientRow } from './components/patient-rows.tsx'
import { searchStore } from './store.ts'
import { usePatientShelf } from './use-shelf.ts'

export type Matches = {
  rows: PatientRow[]
  /** Something is looked for. */
  isAsked: boolean
  /** This device can answer: of insurance only the server knows. */
  isHere: boolean
  /** How many there are and who says so, in words; empty while nothing is looked for. */
  words: string
}

type Answer = ReturnType<typeof searchStore.getState>['found']

/**
 * Whom the search finds, as one types: this device's patients first, and of the server's answer whom this device does not know.
 * @param most how many of this device's
 */
export function useMatches(most: number, found: Answer): Matches {
  const { shelf, status, turn } = usePatientShelf()
  const isOffline = useConnection((connection) => connection.online) === false
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
    if (!isHere) return 'Of insurance only the server knows: press Search'
    if (!shelf) return ''
    if (status === 'locked' && isOffline) return 'This device’s patients open with the next connection'
    if (status !== 'ready') return 'Reading this device’s patients…'
    if (rows.length === 0) return 'Nobody on this device'
    return rows.length < most
      ? `${formatNumberOf(rows.length, 'patient')} on this device`
      : `The first ${most} on this device; Search finds all`
  }
  return { rows, isAsked, isHere, words: [unread(criteria), count()].filter(Boolean).join(' · ') }
}

/** What is left out of the search until it can be read. */
function unread(criteria: PatientCriteria): string {
  const labels = Object.keys(problemsOf(criteria)).map((field) => readLabels[field] ?? field)
  return labels.length === 0 ? '' : `${labels.join(' and ')} cannot be read yet`
}
const readLabels: Record<string, string> = { dob: 'DOB', phone: 'Phone', age: 'Age', last_exam: 'Last Exam' }
