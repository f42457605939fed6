import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { discard } from '../actions.ts'
import { titleOf } from '../words.ts'

/** Gives one thing up, by name and with a reason that the server keeps. */
export function DiscardDialog({ command, onClose }: { command: OutboxCommand; onClose: () => void }) {
  const device = useDevice()

  async function confirm(reason: string) {
    try {
      await discard(device, command, reason)
    } catch {
      return { title: 'NOT DISCARDED. The storage of this device could not be written. Please try again.' }
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
          It was done by <bdi>{command.author.name}</bdi> and will not reach the server as work. That it was discarded, by whom and why, is
          kept there.
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
