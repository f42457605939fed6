import type { ComponentType, ReactNode } from 'react'
import { useStore } from 'zustand'
import { listedAtOnce } from '../model/patient-line.ts'
import { searchPanelId } from '../model/search-panel-id.ts'
import { searchStore } from '../store.ts'
import { type Matches, type MatchSource, useMatches } from '../hooks/use-matches.ts'
import { type PatientLinkProps, PatientRows } from './patient-rows.tsx'
import { PatientSearchForm, type PatientSearchFormProps } from './patient-search-form.tsx'

export type SearchPanelProps = Pick<PatientSearchFormProps, 'MoreFields' | 'onSearch' | 'actions'> & {
  source: MatchSource
  /** `YYYY-MM-DD` */
  today: string
  Link: ComponentType<PatientLinkProps>
  /** Content below the results. `goUp` moves the focus back to the fields. */
  children?: (matches: Matches, goUp: () => void) => ReactNode
}

/** The search for patients at the top of the home page. */
export function SearchPanel({ source, today, Link, children, ...form }: SearchPanelProps) {
  const found = useStore(searchStore, (state) => state.found)
  const matches = useMatches(source, listedAtOnce, found)

  return (
    <section id={searchPanelId} aria-label="Patients" className="mb-4 scroll-mt-20 rounded-lg border border-line bg-surface">
      <PatientSearchForm matches={matches} {...form}>
        {(goUp) => (
          <>
            {matches.rows.length > 0 && (
              <div className="border-t border-line">
                <PatientRows label="Patients found" rows={matches.rows} digits={matches.digits} today={today} Link={Link} onUp={goUp} />
              </div>
            )}
            {children?.(matches, goUp)}
          </>
        )}
      </PatientSearchForm>
    </section>
  )
}
