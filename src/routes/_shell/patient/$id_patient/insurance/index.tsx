import { createFileRoute } from '@tanstack/react-router'
import { InsuranceScreen } from '#src/features/clinic/insurance/insurance-screen.tsx'

export const Route = createFileRoute('/_shell/patient/$id_patient/insurance/')({
  validateSearch: ({ add }): { add?: true } => (add === true ? { add } : {}),
  component: Insurance,
})

function Insurance() {
  const { id_patient } = Route.useParams()
  const { add = false } = Route.useSearch()
  const navigate = Route.useNavigate()
  return <InsuranceScreen idPatient={id_patient} isAdding={add} onAdded={() => void navigate({ search: {}, replace: true })} />
}
