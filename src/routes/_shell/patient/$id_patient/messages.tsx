import { createFileRoute } from '@tanstack/react-router'
import { MessagesScreen } from '#src/features/patients/messages/messages-screen.tsx'

export const Route = createFileRoute('/_shell/patient/$id_patient/messages')({ component: Messages })

function Messages() {
  const { id_patient } = Route.useParams()
  return <MessagesScreen idPatient={id_patient} />
}
