import { useToday } from '#src/sync/react/use-today.ts'
import { useWork } from '#src/sync/react/use-work.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { MoreSearchFields } from './more-search-fields.tsx'
import { PatientLink } from './patient-link.tsx'
import { PatientRows } from './patient-rows.tsx'
import { PatientSearchForm } from './patient-search-form.tsx'
import { useMatches } from '../hooks/use-matches.ts'
import { useMatchSource } from '../hooks/use-match-source.ts'

const shownAtOnce = 5

export type HeaderSearchDialogProps = { onClose: () => void; onSearch: () => void }

/**
 * The search by all fields, over any page. Shows the first matches while the user types; Search shows all on the home
 * page.
 */
export function HeaderSearchDialog({ onClose, onSearch }: HeaderSearchDialogProps) {
  useWork('patient')
  return (
    <Dialog open onClose={onClose} title="Look up a patient" size="lg" place="header">
      <Search onClose={onClose} onSearch={onSearch} />
    </Dialog>
  )
}

function Search({ onClose, onSearch }: HeaderSearchDialogProps) {
  const matches = useMatches(useMatchSource(), shownAtOnce, null)
  const today = useToday()
  return (
    // Negative margins align the form with the title.
    <div className="-mx-4 -my-4">
      <PatientSearchForm matches={matches} MoreFields={MoreSearchFields} onSearch={onSearch}>
        {(goUp) =>
          matches.rows.length > 0 && (
            <div className="border-t border-line">
              <PatientRows label="Patients found" rows={matches.rows} today={today} Link={PatientLink} onUp={goUp} onOpen={onClose} />
            </div>
          )
        }
      </PatientSearchForm>
    </div>
  )
}
