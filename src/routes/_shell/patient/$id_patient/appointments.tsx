import { createFileRoute } from '@tanstack/react-router'
import { AppointmentListTab } from '#src/features/clinic/appointments/appointment-list.tsx'

export const Route = createFileRoute('/_shell/patient/$id_patient/appointments')({ component: Appointments })

function Appointments() {
  return <AppointmentListTab idPatient={Route.useParams().id_patient} />
}
