import { createFileRoute } from '@tanstack/react-router'
import { RxPage } from '#src/features/clinic/prescriptions/rx-page.tsx'

export const Route = createFileRoute('/_shell/patient/$id_patient/rx/$id_rx')({ component: Page })

function Page() {
  const { id_patient, id_rx } = Route.useParams()
  return <RxPage key={id_rx} idPatient={id_patient} idRx={id_rx} />
}
