import { createFileRoute } from '@tanstack/react-router'
import { PatientDetails } from '#src/features/patients/patients/patient-details.tsx'

export const Route = createFileRoute('/_shell/patient/$id_patient/')({ component: PatientDetails })
