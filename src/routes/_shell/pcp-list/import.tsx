import { createFileRoute } from '@tanstack/react-router'
import { PcpImportScreen } from '#src/features/patients/import/import-screen.tsx'

export const Route = createFileRoute('/_shell/pcp-list/import')({ component: PcpImportScreen })
