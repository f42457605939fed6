import { createFileRoute } from '@tanstack/react-router'
import { AccessLog } from '#src/features/patients/patients/access-log.tsx'

export const Route = createFileRoute('/_shell/patient/$id_patient/history')({ component: AccessLog })
