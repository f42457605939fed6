import { useNavigate } from '@tanstack/react-router'
import type { PatientCriteria } from '#contract/patients/patient-search.ts'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { rememberOpened } from '../store.ts'

type Asked = { criteria: PatientCriteria; onClose: () => void }

const Fetched = fetchedDialog(async () => {
  const [{ PatientDialog }, { formOfSearch }] = await Promise.all([import('./patient-dialog.tsx'), import('../form.ts')])
  return function FetchedDialog({ criteria, onClose, onOpen }: Asked & { onOpen: (id: string) => void }) {
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

/** Registers a new patient. The form starts with the search criteria. */
export function NewPatientDialog({ criteria, onClose }: Asked) {
  const navigate = useNavigate()
  return (
    <Fetched
      criteria={criteria}
      onClose={onClose}
      onOpen={(id) => void navigate({ to: '/patient/$id_patient', params: { id_patient: id } })}
    />
  )
}
