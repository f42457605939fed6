import { createFileRoute, redirect } from '@tanstack/react-router'

/** One of two other addresses of a patient's page. */
export const Route = createFileRoute('/_shell/patient-details/$patient_id')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/patient/$id_patient', params: { id_patient: params.patient_id }, replace: true })
  },
})
