import { ChevronDown, ChevronUp, CloudOff, Eraser, Search } from 'lucide-react'
import { useId, useLayoutEffect, useRef, useState, type ComponentType, type FormEvent, type KeyboardEvent, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { type CriteriaProblems, isEmptyQuery, type PatientCriteria, problemsOf, readCriteria } from '#contract/patients/patient-search.ts'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Tooltip } from '#src/ui/tooltip.tsx'
import { searchStore, seek } from '../store.ts'
import type { Matches } from '../hooks/use-matches.ts'
import { extraFields, type MoreFieldsProps, PatientSearchFields } from './patient-search-fields.tsx'

export type PatientSearchFormProps = {
  matches: Matches
  MoreFields: ComponentType<MoreFieldsProps> | null
  /** Called when the criteria are valid. */
  onSearch: () => void
  /** More buttons. */
  actions?: ReactNode
  /** Shows the results. The arrow key moves from the fields to the results, and `goUp` moves back. */
  children: (goUp: () => void) => ReactNode
}

/**
 * The search for patients with all its fields, on the home page and in the header of every other page. Both share the
 * typed text.
 */
export function PatientSearchForm({ matches, MoreFields, onSearch, actions, children }: PatientSearchFormProps) {
  const { criteria, expanded, asking, failure } = useStore(searchStore)
  const [problems, setProblems] = useState<CriteriaProblems>({})
  /** True after Search without any criteria. */
  const [isEmpty, setEmpty] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const results = useRef<HTMLDivElement>(null)
  /** The field where the user pressed the arrow key. */
  const [left, setLeft] = useState<HTMLElement | null>(null)
  /** The result that has the focus. */
  const within = useRef<Element | null>(null)
  // The focused result may disappear. The focus then goes to the first result, or back to the field, not to the top of
  // the page.
  useLayoutEffect(() => {
    if (within.current === null || within.current.isConnected) return
    within.current = null
    ;(results.current?.querySelector('a') ?? left)?.focus({ preventScroll: true })
  })
  const id = useId()
  const { isAsked, isHere, isOffline } = matches
  const filledIn = (field: keyof PatientCriteria) => (criteria[field] ?? '') !== ''
  /** Counts the filled fields that are hidden, so that the user sees that they narrow the search. */
  const putAway = extraFields.filter(filledIn).length

  const focusFirst = (selector = 'input') => form.current?.querySelector<HTMLElement>(selector)?.focus()

  function change(field: keyof PatientCriteria, value: string) {
    setProblems(({ [field]: _mended, ...others }) => others)
    setEmpty(false)
    seek({ ...searchStore.getState().criteria, [field]: value })
  }

  function clear() {
    setProblems({})
    seek({})
    // The Clear button disappears, so the focus goes to the first field.
    focusFirst()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const found = problemsOf(criteria)
    setProblems(found)
    if (Object.keys(found).length > 0) {
      if (extraFields.some((field) => field in found)) searchStore.setState({ expanded: true })
      requestAnimationFrame(() => focusFirst('[aria-invalid=true]'))
    } else if (isEmptyQuery(readCriteria(criteria))) {
      setEmpty(true)
      focusFirst()
    } else onSearch()
  }

  function goDown(event: KeyboardEvent) {
    const first = results.current?.querySelector('a')
    if (event.key !== 'ArrowDown' || !first) return
    event.preventDefault()
    setLeft(event.currentTarget instanceof HTMLElement ? event.currentTarget : null)
    first.focus()
  }

  return (
    <>
      <form ref={form} role="search" noValidate onSubmit={submit} className="flex flex-col gap-3 p-4">
        <PatientSearchFields
          criteria={criteria}
          problems={problems}
          expanded={expanded}
          moreId={`${id}-more`}
          MoreFields={MoreFields}
          onChange={change}
          onKeyDown={goDown}
        />
        <div className="flex flex-wrap items-center gap-2">
          <Tooltip text="Look up patient information">
            <Button type="submit" variant="primary" busy={asking} icon={<Search size={18} aria-hidden />}>
              Search
            </Button>
          </Tooltip>
          <Button
            variant="quiet"
            aria-expanded={expanded}
            aria-controls={`${id}-more`}
            icon={expanded ? <ChevronUp size={18} aria-hidden /> : <ChevronDown size={18} aria-hidden />}
            onClick={() => searchStore.setState({ expanded: !expanded })}
          >
            {expanded ? 'Fewer fields' : putAway > 0 ? `More fields (${putAway})` : 'More fields'}
          </Button>
          {Object.values(criteria).some(Boolean) && <IconButton label="Clear" icon={<Eraser size={18} aria-hidden />} onClick={clear} />}
          {actions && <div className="flex flex-wrap gap-2 sm:ml-auto">{actions}</div>}
        </div>
        <p role="status" className="min-h-5 text-sm text-ink-2">
          {isEmpty && !isAsked ? 'Fill in at least one field' : matches.words}
        </p>
        {failure && (
          <Notice tone="warn" title={failure.kind === 'unreachable' ? 'Couldn’t search the server' : 'The search failed'}>
            {failure.kind === 'unreachable' ? 'These results are from this device. Search again when you’re back online.' : failure.message}
          </Notice>
        )}
        {isOffline && !failure && (
          <p className="flex items-center gap-2 text-sm text-ink-2">
            <CloudOff size={16} aria-hidden className="shrink-0" />
            {isHere
              ? 'You’re offline. Searching only this store’s patients on this device.'
              : 'You’re offline. Insurance can be searched only online.'}
          </p>
        )}
      </form>
      <div ref={results} onFocus={({ target }) => (within.current = target)} onBlur={() => (within.current = null)}>
        {children(() => left?.focus())}
      </div>
    </>
  )
}
