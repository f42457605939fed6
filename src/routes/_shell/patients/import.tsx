import { createFileRoute } from '@tanstack/react-router'
import { PatientImportScreen } from '#src/features/patients/import/import-screen.tsx'

export const Route = createFileRoute('/_shell/patients/import')({ component: PatientImportScreen })
