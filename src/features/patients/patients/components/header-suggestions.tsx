import { useNavigate } from '@tanstack/react-router'
import { ArrowRight, ScanSearch, UserRoundPlus, type LucideIcon } from 'lucide-react'
import {
  useCallback,
  useDeferredValue,
  useEffect,
  useImperativeHandle,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react'
import { useStore } from 'zustand'
import { fold } from '#contract/core/folding.ts'
import { beginsAll, criteriaOfLine, isEmptyQuery, type PatientCriteria, readLine } from '#contract/patients/patient-search.ts'
import { patientEndpoints } from '#contract/patients/patients.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { usePaused } from '#src/sync/react/use-paused.ts'
import { useToday } from '#src/sync/react/use-today.ts'
import { usePatientShelf } from '#src/sync/react/use-patient-shelf.ts'
import { patientLine } from '../model/patient-line.ts'
import { searchStore } from '../store.ts'
import type { PatientRow } from './patient-rows.tsx'

const timeoutMs = 15_000
const shownAtOnce = 8
/** A store tag, an F# or a UPC: one word with digits. */
const isCode = /^(?=.*\d)[\p{L}\d-]{4,40}$/u

/** `keyDown` returns true when a suggestion took the key. */
export type SuggestionKeys = { keyDown: (event: KeyboardEvent) => boolean }

export type HeaderSuggestionsProps = {
  line: string
  /** The id of the list, for the field. */
  id: string
  keys: Ref<SuggestionKeys>
  /** The id of the suggestion that Enter takes, for the field. */
  onActive: (id: string | undefined) => void
  onAdd: (criteria: PatientCriteria) => void
  /** Opens the frame with this code. Missing for users who may not look up frames. */
  onFrame?: ((code: string) => void) | undefined
  onClose: () => void
}

/** The patients that fit the line: this tablet's at once, and the server's when the tablet has none. */
export function HeaderSuggestions({ line, id, keys, onActive, onAdd, onFrame, onClose }: HeaderSuggestionsProps) {
  const navigate = useNavigate()
  const today = useToday()
  const home = useSession((session) => session.home)
  const mayWrite = home?.permissions.includes('patient.write') ?? false
  const query = readLine(useDeferredValue(line))
  const isAsked = !isEmptyQuery(query)
  const { rows, words } = useFound(line, isAsked)
  const [active, setActive] = useState(-1)
  const canAdd = mayWrite && isAsked
  const code = line.trim()
  const actions: { words: ReactNode; Icon: LucideIcon; run: () => void }[] = []
  if (onFrame && isCode.test(code)) actions.push({ words: `Look up frame ${code}`, Icon: ScanSearch, run: () => onFrame(code) })
  if (query.words.length > 0) {
    for (const { title, url } of home?.home_navigation.filter((page) => beginsAll(fold(page.title), query.words)).slice(0, 3) ?? [])
      actions.push({ words: `Go to ${title}`, Icon: ArrowRight, run: () => void navigate({ to: url }) })
  }
  if (canAdd) {
    const words = (
      <>
        Add “<bdi>{code}</bdi>” as a new patient
      </>
    )
    actions.push({ words, Icon: UserRoundPlus, run: () => onAdd(criteriaOfLine(line)) })
  }
  const count = rows.length + actions.length
  const at = Math.min(active, count - 1)
  const idOf = (place: number) => `${id}-${place}`
  useEffect(() => onActive(at < 0 ? undefined : `${id}-${at}`), [at, id, onActive])

  function take(place: number) {
    onClose()
    const row = rows[place]
    if (row) void navigate({ to: '/patient/$id_patient', params: { id_patient: row.id } })
    else actions[place - rows.length]?.run()
  }

  useImperativeHandle(keys, () => ({
    keyDown({ key }) {
      const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
      if (step !== 0 && count > 0) setActive(Math.max(0, Math.min(count - 1, at + step)))
      // The only hit needs no choice.
      else if (key === 'Enter' && (at >= 0 || (isAsked && rows.length === 1))) take(Math.max(0, at))
      else return false
      return true
    },
  }))

  return (
    <div className="absolute top-full right-0 z-30 mt-1 w-[26rem] max-w-[calc(100vw-1rem)] rounded-lg border border-line bg-raised py-1 shadow-raised">
      {!isAsked && rows.length > 0 && <p className="engraved px-3 pt-2 pb-1">Recent patients</p>}
      <div id={id} role="listbox" aria-label="Patients" className="max-h-[70dvh] overflow-y-auto">
        {rows.map((row, place) => (
          <Suggestion key={row.id} id={idOf(place)} isActive={place === at} onTake={() => take(place)}>
            <Person row={row} today={today} digits={query.phone} />
          </Suggestion>
        ))}
        {actions.map(({ words: name, Icon, run }, nth) => (
          <Suggestion
            key={nth}
            id={idOf(rows.length + nth)}
            isActive={rows.length + nth === at}
            onTake={() => {
              onClose()
              run()
            }}
          >
            <span className="flex items-center gap-2">
              <Icon size={18} aria-hidden className="shrink-0 text-ink-3" />
              <span className="min-w-0 wrap-anywhere">{name}</span>
            </span>
          </Suggestion>
        ))}
      </div>
      {words && (
        <p role="status" className="px-3 py-2 text-sm text-ink-2">
          {words}
        </p>
      )}
    </div>
  )
}

/** The patients for the line, and why there are none. An empty line finds those opened last. */
function useFound(line: string, isAsked: boolean): { rows: PatientRow[]; words: string } {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const { shelf, status } = usePatientShelf()
  const recent = useStore(searchStore, (state) => state.recent)
  const paused = usePaused(line)
  const here: PatientRow[] = isAsked ? (shelf?.search(readLine(line), shownAtOnce) ?? []) : recent.flatMap((each) => shelf?.get(each) ?? [])
  // After a pause in typing.
  const asksServer = isAsked && here.length === 0 && !isOffline && shelf !== null && paused === line
  const load = useCallback(async (): Promise<Outcome<PatientRow[]>> => {
    if (!asksServer) return { ok: true, value: [] }
    const answer = await device.call(patientEndpoints.searchPatients, { query: { query: paused } }, { timeoutMs })
    return answer.ok ? { ok: true, value: answer.value.patients.slice(0, shownAtOnce) } : answer
  }, [device, asksServer, paused])
  const { value, failure } = useLoaded(load)
  if (here.length > 0) return { rows: here, words: '' }
  if (!isAsked) return { rows: [], words: 'Type a name, date or year of birth, phone or patient number' }
  const elsewhere = asksServer ? (value ?? []) : []
  if (elsewhere.length > 0) return { rows: elsewhere, words: '' }
  if (isOffline || failure) return { rows: [], words: 'No matches on this device' }
  return { rows: [], words: asksServer && value && status === 'ready' ? 'No matching patient on file' : 'Searching…' }
}

function Suggestion({ id, isActive, onTake, children }: { id: string; isActive: boolean; onTake: () => void; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys come from the field, which keeps the focus
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
      className="flex min-h-target cursor-pointer flex-col justify-center px-3 py-1.5 hover:bg-hover aria-selected:bg-hover"
    >
      {children}
    </div>
  )
}

function Person({ row, today, digits }: { row: PatientRow; today: string; digits: string | null }) {
  const { name, details, number } = patientLine(row, today, digits)
  return (
    <>
      <bdi className="font-medium wrap-anywhere">{name}</bdi>
      <span className="figures text-sm wrap-anywhere text-ink-2">{[details, number].filter(Boolean).join(' · ')}</span>
    </>
  )
}
