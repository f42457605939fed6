import { createFileRoute } from '@tanstack/react-router'
import { SyncCenterScreen } from '#src/features/app/sync-center/sync-center-screen.tsx'

export const Route = createFileRoute('/_shell/sync')({ component: SyncCenterScreen })
