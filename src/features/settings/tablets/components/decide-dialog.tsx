import { useState } from 'react'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { decideHeldWork, type Decision } from '../actions.ts'
import type { HeldGroup } from '../model/held-groups.ts'

type DialogProps = { group: HeldGroup; decision: Decision; onClose: () => void; onDecided: (count: number) => void }

/** Applies or discards what waits, with a reason that the server keeps. */
export function DecideDialog({ group, decision, onClose, onDecided }: DialogProps) {
  const device = useDevice()
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const [problem, setProblem] = useState<{ title: string; problem: string } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const isApplying = decision === 'apply'
  const pieces = formatNumberOf(group.commands.length, 'piece', 'pieces')

  async function confirm() {
    if (reason.trim() === '') return setError('Enter a reason')
    setProblem(null)
    setBusy(true)
    const outcome = await decideHeldWork(device, group.commands, decision, reason.trim())
    setBusy(false)
    if ('problem' in outcome) setProblem(outcome)
    else onDecided(outcome.decided)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      role="alertdialog"
      closeOnOutside={false}
      size="sm"
      title={`${isApplying ? 'Apply' : 'Discard'} ${pieces} from “${group.author}”?`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant={isApplying ? 'primary' : 'danger'} busy={isBusy} onClick={() => void confirm()}>
            {isApplying ? 'Apply' : 'Discard'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {problem && (
          <Notice tone="bad" title={problem.title}>
            {problem.problem}
          </Notice>
        )}
        <p>
          {isApplying ? (
            <>
              It counts as done by <bdi>{group.author}</bdi>. The server records that you applied it, and why.
            </>
          ) : (
            <>
              It isn’t done. The server keeps the work and a record that you discarded it, and why. The tablet shows{' '}
              <bdi>{group.author}</bdi> that it was discarded.
            </>
          )}
        </p>
        <TextField label="Reason" required maxLength={500} value={reason} onChange={setReason} error={error} />
      </div>
    </Dialog>
  )
}
