import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { Patient } from '#contract/patients/patient.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { usePatientShelf } from '#src/sync/react/use-patient-shelf.ts'
import { WorkDialog } from './work-dialog.tsx'

const PatientDialog = fetchedDialog(async () => (await import('./patient-dialog.tsx')).PatientDialog)

/** Opens the patient dialog for this patient. Work that the server refused comes first. */
export function EditPatientButton({ patient, onSaved }: { patient: Patient; onSaved: () => void }) {
  const { shelf } = usePatientShelf()
  const mayWrite = useSession(({ home }) => home?.permissions.includes('patient.write') ?? false)
  const [base, setBase] = useState<Patient | null>(null)
  const [idWork, setIdWork] = useState<string | null>(null)
  if (!mayWrite) return null
  const works = shelf?.unsent(patient.id) ?? []
  const work = works.find(({ id }) => id === idWork)

  function open() {
    const refused = works.find(({ state }) => state === 'attention')
    if (refused) setIdWork(refused.id)
    else setBase(patient)
  }

  return (
    <>
      <Button icon={<Pencil size={18} aria-hidden />} onClick={open}>
        Edit
      </Button>
      {work && <WorkDialog idPatient={patient.id} work={work} onClose={() => setIdWork(null)} />}
      {base && <PatientDialog task={{ kind: 'edit', base }} onClose={() => setBase(null)} onSaved={onSaved} />}
    </>
  )
}
