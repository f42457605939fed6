import { renderToStaticMarkup } from 'react-dom/server'
import type { PatientRow } from '#src/features/patients/patients/components/patient-rows.tsx'
import { PatientsFound, SearchPanel } from '#src/features/patients/patients/components/search-panel.tsx'
import { ShellFrame } from '#src/features/app/shell/components/shell-frame.tsx'

/** Whoever has everything that stands in a list, for a row of which copies are filled in (see `printed-answer.ts`). */
const anybody: PatientRow = {
  id: 'anybody',
  first_name: 'Name',
  middle_name: null,
  last_name: null,
  pref: null,
  dob: null,
  phone: null,
  city: '',
  priority: 'vip',
  inactive: true,
  patient_no: 1,
}

/** The first desk as it stands in the page itself, which shows it while the code that answers is on its way (see `printed-panel.ts`). */
export function printDesk(): string {
  const source = { shelf: null, status: 'opening', turn: 0, isOffline: false } as const
  const nothing = () => undefined
  return renderToStaticMarkup(
    <div data-printed>
      <ShellFrame expanded>
        <SearchPanel
          source={source}
          today=""
          Link={() => null}
          MoreFields={null}
          onSearch={nothing}
          actions={<span aria-hidden className="h-12 w-36" />}
        />
      </ShellFrame>
      <template>
        <PatientsFound
          rows={[anybody]}
          today=""
          Link={({ className, children }) => (
            <a href="/" className={className}>
              {children}
            </a>
          )}
        />
      </template>
    </div>,
  )
}
