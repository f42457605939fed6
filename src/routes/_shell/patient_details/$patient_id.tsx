import { createFileRoute, redirect } from '@tanstack/react-router'

/** One of two spellings under which a patient’s page is known elsewhere. */
export const Route = createFileRoute('/_shell/patient_details/$patient_id')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/patient/$id_patient', params: { id_patient: params.patient_id }, replace: true })
  },
})
