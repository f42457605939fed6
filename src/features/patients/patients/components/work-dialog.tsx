import type { UnsentWork } from '#src/sync/device/device.ts'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { baseOf, isConflict } from '../model/conflict.ts'
import { usePatientShelf } from '#src/sync/react/use-patient-shelf.ts'

const ConflictDialog = fetchedDialog(async () => (await import('./conflict-dialog.tsx')).ConflictDialog)
const PatientDialog = fetchedDialog(async () => (await import('./patient-dialog.tsx')).PatientDialog)

/** Resolves refused work: a choice between both values after a conflict, otherwise the form with the typed text. */
export function WorkDialog({ idPatient, work, onClose }: { idPatient: string; work: UnsentWork; onClose: () => void }) {
  const { shelf } = usePatientShelf()
  if (isConflict(work)) return <ConflictDialog idPatient={idPatient} work={work} onClose={onClose} />
  const row = work.patient ?? shelf?.mirrored(idPatient) ?? shelf?.get(idPatient)
  return row && <PatientDialog task={{ kind: 'correct', work, base: baseOf(work, row) }} onClose={onClose} />
}
