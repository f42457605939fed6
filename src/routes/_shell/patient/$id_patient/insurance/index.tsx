import { createFileRoute } from '@tanstack/react-router'
import { InsuranceScreen } from '#src/features/insurance/insurance-screen.tsx'

export const Route = createFileRoute('/_shell/patient/$id_patient/insurance/')({ component: Insurance })

function Insurance() {
  const { id_patient } = Route.useParams()
  return <InsuranceScreen idPatient={id_patient} />
}
