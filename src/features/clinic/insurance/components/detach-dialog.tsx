import { useState, type ReactNode } from 'react'
import type { Failure } from '#src/api/outcome.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { failureWords } from '../actions.ts'

/** Asks before something is taken off a record, and does it. */
export function DetachDialog({
  title,
  action,
  children,
  detach,
  onClose,
  onDone,
}: {
  title: ReactNode
  action: string
  children: ReactNode
  detach: () => Promise<Failure | null>
  onClose: () => void
  onDone: () => void
}) {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function run() {
    setFailure(null)
    setBusy(true)
    const refused = await detach()
    setBusy(false)
    if (refused) setFailure(refused)
    else onDone()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      role="alertdialog"
      closeOnOutside={false}
      size="sm"
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button variant="danger" busy={isBusy} onClick={() => void run()}>
            {action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {failure && (
          <Notice tone="bad" title="NOT REMOVED">
            {failureWords(failure)}
          </Notice>
        )}
        <p>{children}</p>
      </div>
    </Dialog>
  )
}
