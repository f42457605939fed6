import { useState } from 'react'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { correct } from '../actions.ts'
import { correctionOf } from '../model/refusals.ts'

/** Puts the text of one thing right and sends it anew. */
export function CorrectDialog({ command, onClose }: { command: OutboxCommand; onClose: () => void }) {
  const device = useDevice()
  const part = correctionOf(command)
  const [text, setText] = useState(part?.text ?? '')
  const [error, setError] = useState<string>()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (!part) return null
  const { label, max } = part

  async function save() {
    if (text.length > max) return setError(`must be ${max} characters or fewer`)
    setBusy(true)
    try {
      await correct(device, command, text)
      showToast({ title: 'Fixed', description: command.title, tone: 'good' })
      onClose()
    } catch {
      setProblem('NOT SAVED. Couldn’t write to this device’s storage. Try again.')
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      title={`Fix “${command.title}”`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={isBusy} onClick={() => void save()}>
            Save and send
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {problem && <Notice tone="bad" title={problem} />}
        <TextArea label={label} value={text} onChange={setText} error={error} hint={`${text.length} of ${max} characters`} />
      </div>
    </Dialog>
  )
}
