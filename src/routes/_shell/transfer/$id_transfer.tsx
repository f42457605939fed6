import { createFileRoute } from '@tanstack/react-router'
import { TransferScreen } from '#src/features/stock/transfers/transfer-screen.tsx'

export const Route = createFileRoute('/_shell/transfer/$id_transfer')({ component: OneTransfer })

function OneTransfer() {
  const { id_transfer } = Route.useParams()
  return <TransferScreen key={id_transfer} idTransfer={id_transfer} />
}
