import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { InventoryScreen } from '#src/features/stock/inventory/inventory-screen.tsx'
import { Labels, LookUp, viewUrls } from './-look-up.tsx'

export const Route = createFileRoute('/_shell/inventory/models')({ component: Models })

function Models() {
  const navigate = useNavigate()
  return <InventoryScreen view="models" onView={(view) => void navigate({ to: viewUrls[view] })} LookUp={LookUp} Labels={Labels} />
}
