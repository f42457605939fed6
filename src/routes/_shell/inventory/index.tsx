import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { InventoryScreen } from '#src/features/stock/inventory/inventory-screen.tsx'
import { Labels, LookUp, viewUrls } from './-look-up.tsx'

export const Route = createFileRoute('/_shell/inventory/')({ component: Frames })

function Frames() {
  const navigate = useNavigate()
  return <InventoryScreen view="frames" onView={(view) => void navigate({ to: viewUrls[view] })} LookUp={LookUp} Labels={Labels} />
}
