import { createFileRoute } from '@tanstack/react-router'
import { OpticalSettingsScreen } from '#src/features/settings/optical/optical-settings-screen.tsx'

export const Route = createFileRoute('/_shell/settings/optical')({ component: OpticalSettingsScreen })
