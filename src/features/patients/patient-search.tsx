import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, CloudOff, FileUp, Search, X } from 'lucide-react'
import { useDeferredValue, useId, useMemo, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { useStore } from 'zustand'
import { isEmptyQuery, type PatientCriteria, readCriteria, UnreadableCriterion } from '#contract/patient-search.ts'
import { usStates } from '#contract/us-states.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useConnection, useDevice, useSession } from '#src/sync/device-context.tsx'
import { useToday } from '#src/sync/use-today.ts'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { Tooltip } from '#src/ui/tooltip.tsx'
import { lookUp } from './actions.ts'
import { NewPatientButton } from './components/new-patient-button.tsx'
import { type PatientRow, PatientRows } from './components/patient-rows.tsx'
import { useCoverageTypes, usePatientChoices } from './queries.ts'
import { forgetWithSession, searchStore } from './store.ts'
import { usePatientShelf } from './use-shelf.ts'

const shownAtOnce = 20

/** Looks patients up: as one types among those on this device, and at the server with the button. */
export function PatientSearch() {
  const home = useSession((session) => session.home)
  if (!home?.permissions.includes('patient.read')) return null
  return <SearchPanel key={home.id_user} />
}

function SearchPanel() {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  // Before anything of it is shown.
  useState(() => forgetWithSession(device.session.state))
  const { criteria, expanded, found, recent } = useStore(searchStore)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [problem, setProblem] = useState<UnreadableCriterion | null>(null)
  const [isBusy, setBusy] = useState(false)
  /** Search was pressed with nothing to search for. */
  const [isEmpty, setEmpty] = useState(false)
  const mayImport = useSession((session) => session.home?.permissions.includes('patient.import')) === true
  const results = useRef<HTMLDivElement>(null)
  const fields = useRef<HTMLDivElement>(null)
  const today = useToday()
  const { rows, isAsked, isHere } = useRows(criteria)
  const { shelf, status } = usePatientShelf()
  const lately = recent.flatMap((id) => shelf?.get(id) ?? [])
  const id = useId()

  function change(field: keyof PatientCriteria, value: string) {
    setProblem(null)
    setEmpty(false)
    setFailure(null)
    searchStore.setState((now) => ({ criteria: { ...now.criteria, [field]: value }, found: null }))
  }

  async function search(page: number) {
    try {
      if (isEmptyQuery(readCriteria(criteria))) {
        setEmpty(true)
        fields.current?.querySelector('input')?.focus()
        return
      }
    } catch (error) {
      if (!(error instanceof UnreadableCriterion)) throw error
      setProblem(error)
      return
    }
    setBusy(true)
    setFailure(await lookUp(device, criteria, page))
    setBusy(false)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    void search(1)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown') return
    const first = results.current?.querySelector('a')
    if (!first) return
    event.preventDefault()
    first.focus()
  }

  const text = (field: keyof PatientCriteria, label: string, more: { inputMode?: 'numeric' | 'tel'; hint?: string } = {}) => (
    <TextField
      label={label}
      autoComplete="off"
      spellCheck={false}
      value={criteria[field] ?? ''}
      onChange={(value) => change(field, value)}
      onKeyDown={onKeyDown}
      error={problem?.field === field ? problem.message : undefined}
      {...more}
    />
  )

  return (
    <section aria-label="Patients" className="mb-4 rounded-lg border border-line bg-surface">
      <form role="search" noValidate onSubmit={submit} className="flex flex-col gap-3 p-4">
        <div ref={fields} className="grid grid-cols-2 gap-3 lg:grid-cols-5">
          {text('name', 'Name')}
          {text('last_name', 'Last Name')}
          {text('dob', 'DOB')}
          {text('phone', 'Phone', { inputMode: 'tel' })}
          {text('address', 'Address')}
        </div>
        {expanded && (
          <div id={`${id}-more`}>
            <MoreFields criteria={criteria} text={text} onChange={change} />
          </div>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <Tooltip text="Look up patient information">
            <Button type="submit" variant="primary" busy={isBusy} icon={<Search size={18} aria-hidden />}>
              Search
            </Button>
          </Tooltip>
          <NewPatientButton criteria={criteria} />
          <Button
            variant="quiet"
            aria-expanded={expanded}
            aria-controls={`${id}-more`}
            icon={expanded ? <ChevronUp size={18} aria-hidden /> : <ChevronDown size={18} aria-hidden />}
            onClick={() => searchStore.setState({ expanded: !expanded })}
          >
            {expanded ? 'Fewer fields' : 'More fields'}
          </Button>
          {isAsked && (
            <Button variant="quiet" icon={<X size={18} aria-hidden />} onClick={() => searchStore.setState({ criteria: {}, found: null })}>
              Clear
            </Button>
          )}
          {mayImport && (
            <Link to="/patients/import" className={buttonClasses('quiet')}>
              <FileUp size={18} aria-hidden /> Import patients
            </Link>
          )}
          <p role="status" className="ml-auto text-sm text-ink-2">
            {isEmpty && !isAsked && 'Fill in at least one field'}
            {isAsked &&
              (isHere || found
                ? shelf && wordsFor(rows.length, found?.total ?? null, status === 'opening')
                : 'Of insurance only the server knows: press Search')}
          </p>
        </div>
        {failure && (
          <Notice tone="warn" title={failure.kind === 'unreachable' ? 'The server could not be asked' : 'The search failed'}>
            {failure.kind === 'unreachable'
              ? 'What is listed is what this device knows. Search again when there is a connection.'
              : failure.message}
          </Notice>
        )}
        {isOffline && isAsked && !failure && (
          <p className="flex items-center gap-2 text-sm text-ink-2">
            <CloudOff size={16} aria-hidden />
            {isHere
              ? 'No connection: only this store’s patients on this device are searched.'
              : 'No connection: who has which insurance is known to the server only.'}
          </p>
        )}
      </form>
      <div ref={results} className={rows.length > 0 || (!isAsked && lately.length > 0) ? 'border-t border-line' : ''}>
        {isAsked ? (
          <PatientRows label="Patients found" rows={rows} today={today} />
        ) : (
          lately.length > 0 && (
            <>
              <h2 className="engraved px-4 pt-3">Recent patients</h2>
              <PatientRows label="Recent patients" rows={lately} today={today} />
            </>
          )
        )}
        {found && found.patients.length < found.total && (
          <div className="border-t border-line p-3">
            <Button busy={isBusy} onClick={() => void search(found.page + 1)}>
              Show more
            </Button>
          </div>
        )}
      </div>
    </section>
  )
}

/** This device's patients first, and of the server's answer whom this device does not know. */
function useRows(criteria: PatientCriteria): { rows: PatientRow[]; isAsked: boolean; isHere: boolean } {
  const { shelf, turn } = usePatientShelf()
  const found = useStore(searchStore, (state) => state.found)
  const asked = useDeferredValue(criteria)
  const query = useMemo(() => {
    try {
      return readCriteria(asked)
    } catch {
      // Half a date, as one types it: told when it is searched for.
      return null
    }
  }, [asked])
  return useMemo(() => {
    if (query === null || isEmptyQuery(query)) return { rows: [], isAsked: false, isHere: true }
    // Of insurance only the server knows.
    const isHere = query.insuranceName === null && query.coverage === null
    const here: PatientRow[] = isHere && turn >= 0 ? (shelf?.search(query, shownAtOnce) ?? []) : []
    const known = new Set(here.map(({ id }) => id))
    return { rows: [...here, ...(found?.patients ?? []).filter(({ id }) => !known.has(id))], isAsked: true, isHere }
  }, [query, shelf, turn, found])
}

function MoreFields({
  criteria,
  text,
  onChange,
}: {
  criteria: PatientCriteria
  text: (field: keyof PatientCriteria, label: string, more?: { inputMode?: 'numeric'; hint?: string }) => React.ReactNode
  onChange: (field: keyof PatientCriteria, value: string) => void
}) {
  const choices = usePatientChoices().value
  const coverage = useCoverageTypes()
  const any = { value: '', label: 'Any' }
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-5">
      <SelectField
        label="State"
        options={[any, ...usStates.map(([value, label]) => ({ value, label: `${label} (${value})` }))]}
        value={criteria.state ?? ''}
        onChange={(value) => onChange('state', value)}
      />
      {text('city', 'City')}
      {text('zip', 'ZIP', { inputMode: 'numeric' })}
      {text('age', 'Age', { inputMode: 'numeric' })}
      {text('insurance_name', 'Insurance Name')}
      <SelectField
        label="Coverage"
        options={[any, ...(coverage.value?.coverage_types ?? []).map(({ key, name }) => ({ value: key, label: name }))]}
        hint={coverage.failure && !coverage.value ? 'The choices are shown with a connection' : undefined}
        value={criteria.coverage ?? ''}
        onChange={(value) => onChange('coverage', value)}
      />
      <SelectField
        label="Priority"
        options={[any, { value: 'normal', label: 'Normal' }, { value: 'vip', label: 'VIP' }, { value: 'urgent', label: 'Urgent' }]}
        value={criteria.priority ?? ''}
        onChange={(value) => onChange('priority', value)}
      />
      {text('last_exam', 'Last Exam', { hint: 'On this day or later' })}
      <SelectField
        label="Preferred Provider"
        options={[any, ...(choices?.providers ?? []).map(({ id_user, name }) => ({ value: String(id_user), label: name }))]}
        value={criteria.preferred_provider ?? ''}
        onChange={(value) => onChange('preferred_provider', value)}
      />
      <SelectField
        label="Preferred Location"
        options={[any, ...(choices?.locations ?? []).map(({ store_id, store_name }) => ({ value: String(store_id), label: store_name }))]}
        value={criteria.preferred_location ?? ''}
        onChange={(value) => onChange('preferred_location', value)}
      />
      <Checkbox
        label="Inactive"
        hint="Finds them, too"
        checked={criteria.inactive === 'true'}
        onChange={(checked) => onChange('inactive', checked ? 'true' : '')}
      />
    </div>
  )
}

function wordsFor(shown: number, total: number | null, isReading: boolean): string {
  if (total === null) {
    if (isReading) return 'Reading this device’s patients…'
    if (shown === 0) return 'Nobody on this device'
    return shown < shownAtOnce ? `${formatNumberOf(shown, 'patient')} on this device` : `The first ${shownAtOnce} on this device`
  }
  return total > shown ? `${shown} of ${formatNumberOf(total, 'patient')}` : formatNumberOf(shown, 'patient')
}
