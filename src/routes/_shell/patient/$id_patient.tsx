import { createFileRoute, Outlet } from '@tanstack/react-router'
import { NextAppointment } from '#src/features/clinic/appointments/next-appointment.tsx'
import { PatientBalance } from '#src/features/money/invoices/patient-balance.tsx'
import { PatientLayout } from '#src/features/patients/patients/patient-layout.tsx'
import { PortalFact } from '#src/features/patients/portal/portal-fact.tsx'

export const Route = createFileRoute('/_shell/patient/$id_patient')({ component: PatientPage })

function PatientPage() {
  const { id_patient } = Route.useParams()
  return (
    <PatientLayout
      key={id_patient}
      idPatient={id_patient}
      facts={
        <>
          <NextAppointment idPatient={id_patient} />
          <PatientBalance idPatient={id_patient} />
          <PortalFact idPatient={id_patient} />
        </>
      }
    >
      <Outlet />
    </PatientLayout>
  )
}
