import { UserRoundPlus } from 'lucide-react'
import { useState } from 'react'
import type { PatientCriteria } from '#contract/patients/patient-search.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Tooltip } from '#src/ui/tooltip.tsx'
import { NewPatientDialog } from './new-patient-dialog.tsx'

/** Registers a new patient. The form starts with the search criteria. */
export function NewPatientButton({ criteria }: { criteria: PatientCriteria }) {
  const mayWrite = useSession(({ home }) => home?.permissions.includes('patient.write') ?? false)
  const [asked, setAsked] = useState<PatientCriteria | null>(null)
  if (!mayWrite) return null
  return (
    <>
      <Tooltip text="Add new patient">
        <Button icon={<UserRoundPlus size={18} aria-hidden />} onClick={() => setAsked(criteria)}>
          New patient
        </Button>
      </Tooltip>
      {asked && <NewPatientDialog criteria={asked} onClose={() => setAsked(null)} />}
    </>
  )
}
