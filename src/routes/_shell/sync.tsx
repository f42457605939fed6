import { createFileRoute } from '@tanstack/react-router'
import { SyncCentreScreen } from '#src/features/sync-centre/sync-centre-screen.tsx'

export const Route = createFileRoute('/_shell/sync')({ component: SyncCentreScreen })
