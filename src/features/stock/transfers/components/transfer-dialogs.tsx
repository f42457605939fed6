import type { TransferLine } from '#contract/stock/transfers.ts'
import { formatNumberOf } from '#src/ui/format.ts'
import { WordsDialog } from '#src/ui/words-dialog.tsx'

/** What has not arrived becomes Missing, with the reason that stands in its history. */
export function GiveUpDialog({
  pieces,
  busy,
  onGiveUp,
  onClose,
}: {
  pieces: number
  busy: boolean
  onGiveUp: (reason: string) => void
  onClose: () => void
}) {
  return (
    <WordsDialog
      title={`Close without ${formatNumberOf(pieces, 'piece')}?`}
      description="Frames that haven’t arrived will be marked Missing."
      label="What happened"
      yes="Close transfer"
      busy={busy}
      onWords={onGiveUp}
      onClose={onClose}
    />
  )
}

/** A piece that arrived broken is in stock here as Defective. */
export function DamagedDialog({
  line,
  busy,
  onDamaged,
  onClose,
}: {
  line: TransferLine
  busy: boolean
  onDamaged: (note: string) => Promise<void>
  onClose: () => void
}) {
  return (
    <WordsDialog
      title={`${line.frame.sku} arrived damaged`}
      description="It will be received as Defective."
      label="What’s damaged"
      yes="Receive as damaged"
      busy={busy}
      onWords={(words) => void onDamaged(words)}
      onClose={onClose}
    />
  )
}
