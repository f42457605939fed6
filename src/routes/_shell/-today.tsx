import { lazy } from 'react'
import { useSheetSummaries } from '#src/features/counts/count-sheets/summaries.ts'
import { HomeScreen } from '#src/features/app/home/home-screen.tsx'
import { PatientSearch } from '#src/features/patients/patients/patient-search.tsx'
import { useOwnPunches } from '#src/features/people/time-clock/queries.ts'

const PortalWork = lazy(async () => ({ default: (await import('#src/features/patients/portal/portal-work.tsx')).PortalWork }))

/** The home page with parts of other features. The specification names it and the dashboard as one. */
export function Today() {
  return (
    <>
      <PatientSearch />
      <HomeScreen useSheets={useSheetSummaries} usePunches={useOwnPunches} PortalWork={PortalWork} />
    </>
  )
}
