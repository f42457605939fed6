import { createFileRoute } from '@tanstack/react-router'
import { TabletsScreen } from '#src/features/settings/tablets/tablets-screen.tsx'

export const Route = createFileRoute('/_shell/settings/tablets')({ component: TabletsScreen })
