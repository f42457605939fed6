import type { CountSheet } from '#contract/counts/count-sheets.ts'
import type { WakeState } from '#src/device/wake-lock.ts'
import { showToast } from '#src/ui/toast-store.ts'
import type { SheetModel } from '../model/sheet-model.ts'
import { CloseDialog } from './close-dialog.tsx'
import { PaceDialog } from './pace-dialog.tsx'
import { ScannerDialog } from './scanner-dialog.tsx'
import { DeleteCountDialog, NotesDialog, RecountDialog } from './sheet-dialogs.tsx'

export type OpenDialog = 'close' | 'notes' | 'recount' | 'delete' | 'pace' | 'scanner'

type SheetDialogProps = {
  dialog: OpenDialog
  model: SheetModel
  sheet: CountSheet
  wake: WakeState
  onClose: () => void
  /** Called when a user wants to see the exceptions before closing the count. */
  onExceptions: () => void
  onDeleted: () => void
}

/** The dialogs of a count sheet. The first open dialog loads their code. */
export function SheetDialog({ dialog, model, sheet, wake, onClose, onExceptions, onDeleted }: SheetDialogProps) {
  switch (dialog) {
    case 'close':
      return (
        <CloseDialog
          model={model}
          sheet={sheet}
          onClose={onClose}
          onClosed={() => {
            onClose()
            showToast({ tone: 'good', title: `Count ${sheet.number === null ? '' : `#${sheet.number} `}closed` })
          }}
          onExceptions={onExceptions}
        />
      )
    case 'notes':
      return <NotesDialog model={model} sheet={sheet} onClose={onClose} />
    case 'recount':
      return <RecountDialog model={model} sheet={sheet} onClose={onClose} />
    case 'pace':
      return <PaceDialog model={model} onClose={onClose} />
    case 'scanner':
      return <ScannerDialog wake={wake} onClose={onClose} />
    case 'delete':
      return <DeleteCountDialog sheet={sheet} scans={model.ledger.events.size} onClose={onClose} onDeleted={onDeleted} />
  }
}
