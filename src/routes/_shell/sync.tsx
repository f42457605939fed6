import { createFileRoute } from '@tanstack/react-router'
import { SyncCentreScreen } from '#src/features/app/sync-center/sync-centre-screen.tsx'

export const Route = createFileRoute('/_shell/sync')({ component: SyncCentreScreen })
