import { createFileRoute } from '@tanstack/react-router'
import { FilesScreen } from '#src/features/patients/files/files-screen.tsx'

export const Route = createFileRoute('/_shell/patient/$id_patient/file/')({ component: Files })

function Files() {
  const { id_patient } = Route.useParams()
  return <FilesScreen key={id_patient} idPatient={id_patient} />
}
