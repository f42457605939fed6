import type { TransferLine } from '#contract/stock/transfers.ts'
import type { NotDone } from '#src/domain/forms/kept-form.tsx'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { formatNumberOf } from '#src/ui/format.ts'

type GiveUpProps = { idTransfer: string; pieces: number; onGiveUp: (reason: string) => Promise<NotDone | null>; onClose: () => void }

/** Marks the pieces that did not arrive as Missing, with a reason for their history. */
export function GiveUpDialog({ idTransfer, pieces, onGiveUp, onClose }: GiveUpProps) {
  return (
    <SureDialog
      title={`Close without ${formatNumberOf(pieces, 'piece')}?`}
      description="Frames that haven’t arrived will be marked Missing."
      reason={{ place: `own: closing of transfer ${idTransfer}`, label: 'What happened', max: 500, required: true }}
      yes="Close transfer"
      onYes={onGiveUp}
      onClose={onClose}
    />
  )
}

type DamagedProps = { idTransfer: string; line: TransferLine; onDamaged: (note: string) => Promise<NotDone | null>; onClose: () => void }

/** Receives a damaged piece, which becomes Defective in this store. */
export function DamagedDialog({ idTransfer, line, onDamaged, onClose }: DamagedProps) {
  const place = `own: damage of ${line.frame.id_inventory} in transfer ${idTransfer}` as const
  return (
    <SureDialog
      title={`${line.frame.sku} arrived damaged`}
      description="It will be received as Defective."
      reason={{ place, label: 'What’s damaged', max: 500, required: true }}
      yes="Receive as damaged"
      onYes={onDamaged}
      onClose={onClose}
    />
  )
}
