import { createFileRoute } from '@tanstack/react-router'

// The specification's address goes on below the sheet; whatever stands there, the sheet above it is shown.
export const Route = createFileRoute('/_shell/inventory/count-sheets/$id_countsheet/$')({ component: () => null })
