import { type ComponentProps, type ComponentType, type ReactNode, useLayoutEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { listedAtOnce } from '../model/patient-line.ts'
import { takePrinted } from '../printed-panel.ts'
import { searchPanelId } from '../model/search-panel-id.ts'
import { searchStore } from '../store.ts'
import { type Matches, type MatchSource, useMatches } from '../use-matches.ts'
import { giveFocusOn, takeFocusOver } from '../model/focus-handover.ts'
import { type PatientLinkProps, PatientRows } from './patient-rows.tsx'
import { PatientSearchForm, type PatientSearchFormProps } from './patient-search-form.tsx'

export type SearchPanelProps = Pick<PatientSearchFormProps, 'MoreFields' | 'onSearch' | 'actions'> & {
  source: MatchSource
  /** `YYYY-MM-DD` */
  today: string
  Link: ComponentType<PatientLinkProps>
  /** What stands below whoever was found; `goUp` leads back to the fields. */
  children?: (matches: Matches, goUp: () => void) => ReactNode
}

/**
 * The search for patients at the head of the home page. It stands there up to three times at each start: in the page itself, before the app
 * has come, and with it. What is typed, and the place at which someone is typing, go from the one to the other.
 */
export function SearchPanel({ source, today, Link, children, ...form }: SearchPanelProps) {
  const found = useStore(searchStore, (state) => state.found)
  const matches = useMatches(source, listedAtOnce, found)
  const panel = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const { current } = panel
    if (!current) return
    takeFocusOver(current)
    takePrinted(current)
    return () => giveFocusOn(current)
  }, [])

  return (
    <section ref={panel} id={searchPanelId} aria-label="Patients" className="mb-4 scroll-mt-20 rounded-lg border border-line bg-surface">
      <PatientSearchForm matches={matches} {...form}>
        {(goUp) => (
          <>
            {matches.rows.length > 0 && <PatientsFound rows={matches.rows} today={today} Link={Link} onUp={goUp} />}
            {children?.(matches, goUp)}
          </>
        )}
      </PatientSearchForm>
    </section>
  )
}

export function PatientsFound(props: Omit<ComponentProps<typeof PatientRows>, 'label'>) {
  return (
    <div className="border-t border-line">
      <PatientRows label="Patients found" {...props} />
    </div>
  )
}
