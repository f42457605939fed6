import { createFileRoute } from '@tanstack/react-router'
import { ImportScreen } from '#src/features/patient-import/import-screen.tsx'

export const Route = createFileRoute('/_shell/patients/import')({ component: ImportScreen })
