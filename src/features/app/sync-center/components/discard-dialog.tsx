import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { discard } from '../actions.ts'
import { titleOf } from '../words.ts'

/** Discards one command by name, with a reason that the server keeps. */
export function DiscardDialog({ command, onClose }: { command: OutboxCommand; onClose: () => void }) {
  const device = useDevice()

  async function confirm(reason: string) {
    try {
      await discard(device, command, reason)
    } catch {
      return { title: 'NOT DISCARDED. Couldn’t write to this device’s storage. Try again.' }
    }
    showToast({ title: 'Discarded', description: titleOf(command, 'refused') })
    onClose()
    return null
  }

  return (
    <SureDialog
      title={`Discard “${titleOf(command, 'refused')}”?`}
      text={
        <p>
          It was done by <bdi>{command.author.name}</bdi> and won’t be sent as work. The server keeps a record of who discarded it and why.
        </p>
      }
      reason={{ place: `own: discarding of ${command.id}`, label: 'Reason', max: 500, required: true }}
      yes="Discard"
      no="Keep it"
      danger
      onYes={confirm}
      onClose={onClose}
    />
  )
}
