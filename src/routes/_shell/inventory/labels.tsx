import { createFileRoute } from '@tanstack/react-router'
import { LabelsScreen } from '#src/features/stock/labels/labels-screen.tsx'

export const Route = createFileRoute('/_shell/inventory/labels')({ component: LabelsScreen })
