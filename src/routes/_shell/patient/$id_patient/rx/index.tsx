import { createFileRoute } from '@tanstack/react-router'
import { RxListPage } from '#src/features/clinic/prescriptions/rx-list-page.tsx'

export const Route = createFileRoute('/_shell/patient/$id_patient/rx/')({ component: Page })

function Page() {
  const { id_patient } = Route.useParams()
  return <RxListPage key={id_patient} idPatient={id_patient} />
}
