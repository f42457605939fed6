import { createFileRoute } from '@tanstack/react-router'
import { InventorySettingsScreen } from '#src/features/settings/inventory/inventory-settings-screen.tsx'

export const Route = createFileRoute('/_shell/settings/inventory')({ component: InventorySettingsScreen })
