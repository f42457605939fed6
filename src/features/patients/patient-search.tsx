import { Link } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { useDevice, useSession } from '#src/sync/device-context.tsx'
import { useToday } from '#src/sync/use-today.ts'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { lookUp } from './actions.ts'
import { NewPatientButton } from './components/new-patient-button.tsx'
import { PatientRows } from './components/patient-rows.tsx'
import { PatientSearchForm } from './components/patient-search-form.tsx'
import { forgetWithSession, searchPanelId, searchStore } from './store.ts'
import { useMatches } from './use-matches.ts'
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
  // Before anything of it is shown.
  useState(() => forgetWithSession(device.session.state))
  const { criteria, found, asking, recent } = useStore(searchStore)
  const mayImport = useSession((session) => session.home?.permissions.includes('patient.import')) === true
  const today = useToday()
  const matches = useMatches(shownAtOnce, found)
  const { shelf } = usePatientShelf()
  const lately = recent.flatMap((id) => shelf?.get(id) ?? [])

  return (
    <section id={searchPanelId} aria-label="Patients" className="mb-4 scroll-mt-20 rounded-lg border border-line bg-surface">
      <PatientSearchForm
        matches={matches}
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
        {(goUp) => (
          <>
            {matches.rows.length > 0 && (
              <div className="border-t border-line">
                <PatientRows label="Patients found" rows={matches.rows} today={today} onUp={goUp} />
              </div>
            )}
            {!matches.isAsked && lately.length > 0 && (
              <div className="border-t border-line">
                <h2 className="engraved px-4 pt-3">Recent patients</h2>
                <PatientRows label="Recent patients" rows={lately} today={today} onUp={goUp} />
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
      </PatientSearchForm>
    </section>
  )
}
