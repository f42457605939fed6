import { useState } from 'react'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { discard } from '../actions.ts'
import { titleOf } from '../words.ts'

/** Gives one thing up, by name and with a reason that the server keeps. */
export function DiscardDialog({ command, onClose }: { command: OutboxCommand; onClose: () => void }) {
  const device = useDevice()
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function confirm() {
    if (reason.trim() === '') return setError('This field is required')
    setBusy(true)
    try {
      await discard(device, command, reason.trim())
      showToast({ title: 'Discarded', description: titleOf(command, 'refused') })
      onClose()
    } catch {
      setProblem('NOT DISCARDED. Couldn’t write to this device’s storage. Try again.')
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      role="alertdialog"
      closeOnOutside={false}
      size="sm"
      title={`Discard “${titleOf(command, 'refused')}”?`}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button variant="danger" busy={isBusy} onClick={() => void confirm()}>
            Discard
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {problem && <Notice tone="bad" title={problem} />}
        <p>
          It was done by <bdi>{command.author.name}</bdi> and won’t be sent as work. The server keeps a record of who discarded it and why.
        </p>
        <TextField label="Reason" required maxLength={500} value={reason} onChange={setReason} error={error} />
      </div>
    </Dialog>
  )
}
