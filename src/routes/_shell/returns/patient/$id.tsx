import { createFileRoute } from '@tanstack/react-router'
import { PatientReturnScreen } from '#src/features/money/patient-returns/patient-return-screen.tsx'

export const Route = createFileRoute('/_shell/returns/patient/$id')({ component: OnePatientReturn })

function OnePatientReturn() {
  const { id } = Route.useParams()
  const navigate = Route.useNavigate()
  return <PatientReturnScreen key={id} id={id} onGone={() => void navigate({ to: '/returns' })} />
}
