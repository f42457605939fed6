import { useNavigate } from '@tanstack/react-router'
import { UserRoundPlus } from 'lucide-react'
import { useState } from 'react'
import type { PatientCriteria } from '#contract/patients/patient-search.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { Tooltip } from '#src/ui/tooltip.tsx'
import { rememberOpened } from '../store.ts'

const NewPatientDialog = fetchedDialog(async () => {
  const [{ PatientDialog }, { formOfSearch }] = await Promise.all([import('./patient-dialog.tsx'), import('../form.ts')])
  return function NewPatientDialog({ criteria, onClose, onOpen }: Asked) {
    return (
      <PatientDialog
        task={{ kind: 'create', given: formOfSearch(criteria) }}
        onClose={onClose}
        onSaved={rememberOpened}
        onOpenPatient={onOpen}
      />
    )
  }
})

type Asked = { criteria: PatientCriteria; onClose: () => void; onOpen: (id: string) => void }

/** Registers a new patient. The form starts with the search criteria. */
export function NewPatientButton({ criteria }: { criteria: PatientCriteria }) {
  const navigate = useNavigate()
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
      {asked && (
        <NewPatientDialog
          criteria={asked}
          onClose={() => setAsked(null)}
          onOpen={(id) => void navigate({ to: '/patient/$id_patient', params: { id_patient: id } })}
        />
      )}
    </>
  )
}
