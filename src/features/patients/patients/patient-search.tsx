import { Link } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useToday } from '#src/sync/react/use-today.ts'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { lookUp } from './actions.ts'
import { MoreSearchFields } from './components/more-search-fields.tsx'
import { NewPatientButton } from './components/new-patient-button.tsx'
import { PatientLink } from './components/patient-link.tsx'
import { PatientRows } from './components/patient-rows.tsx'
import { SearchPanel } from './components/search-panel.tsx'
import { forgetWithSession, searchStore } from './store.ts'
import { usePatientShelf } from '#src/sync/react/use-patient-shelf.ts'
import { useMatchSource } from './hooks/use-match-source.ts'

/** The patient search: this device's patients while the user types, the server's with the button. */
export function PatientSearch() {
  const home = useSession((session) => session.home)
  if (!home?.permissions.includes('patient.read')) return null
  return <Search key={home.id_user} />
}

function Search() {
  const device = useDevice()
  // Runs before the first render shows another user's search.
  useState(() => forgetWithSession(device.session.state))
  const { criteria, found, asking, recent } = useStore(searchStore)
  const mayImport = useSession((session) => session.home?.permissions.includes('patient.import')) === true
  const today = useToday()
  const source = useMatchSource()
  const { shelf } = usePatientShelf()
  const lately = recent.flatMap((id) => shelf?.get(id) ?? [])

  return (
    <SearchPanel
      source={source}
      today={today}
      Link={PatientLink}
      MoreFields={MoreSearchFields}
      onSearch={() => void lookUp(device)}
      actions={
        <>
          <NewPatientButton criteria={criteria} />
          {mayImport && (
            <Link to="/patients/import" className={buttonClasses('quiet')}>
              <FileUp size={18} aria-hidden /> Import patients
            </Link>
          )}
        </>
      }
    >
      {({ isAsked }, goUp) => (
        <>
          {!isAsked && lately.length > 0 && (
            <div className="border-t border-line">
              <h2 className="engraved px-4 pt-3">Recent patients</h2>
              <PatientRows label="Recent patients" rows={lately} today={today} Link={PatientLink} onUp={goUp} />
            </div>
          )}
          {found && found.patients.length < found.total && (
            <div className="border-t border-line p-3">
              <Button busy={asking} onClick={() => void lookUp(device, found.page + 1)}>
                Show more
              </Button>
            </div>
          )}
        </>
      )}
    </SearchPanel>
  )
}
