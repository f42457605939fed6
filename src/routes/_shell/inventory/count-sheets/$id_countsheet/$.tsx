import { createFileRoute } from '@tanstack/react-router'

// The specification has longer addresses below a sheet. All of them show the sheet.
export const Route = createFileRoute('/_shell/inventory/count-sheets/$id_countsheet/$')({ component: () => null })
