import { createFileRoute } from '@tanstack/react-router'
import { PcpListScreen } from '#src/features/patients/pcps/pcp-list-screen.tsx'

export const Route = createFileRoute('/_shell/pcp-list/')({ component: PcpListScreen })
