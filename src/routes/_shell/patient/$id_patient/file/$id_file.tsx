import { createFileRoute } from '@tanstack/react-router'
import { FileScreen } from '#src/features/patients/files/file-screen.tsx'

export const Route = createFileRoute('/_shell/patient/$id_patient/file/$id_file')({ component: File })

function File() {
  const { id_patient, id_file } = Route.useParams()
  return <FileScreen key={id_file} idPatient={id_patient} idFile={id_file} />
}
