import { useState, type ReactNode } from 'react'
import * as v from 'valibot'
import type { DraftPlace } from '#src/sync/device/drafts.ts'
import { readAs } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { KeptForm, type NotDone } from './kept-form.tsx'

type Reason = { place: DraftPlace; label: string; max: number; required: boolean; hint?: string }

type Sure = {
  title: ReactNode
  description?: ReactNode
  text?: ReactNode
  yes: string
  no?: string
  danger?: boolean
  disabled?: boolean
  /** Asks for a reason, which is kept until the action is done. */
  reason?: Reason | undefined
  /** Does the action, then closes the dialog. The dialog shows why it was not done. */
  onYes: (reason: string) => Promise<NotDone | null | void>
  onClose: () => void
}

/** Asks before an action that cannot simply be undone. */
export function SureDialog({ reason, ...sure }: Sure) {
  return reason ? <SureWithReason {...sure} reason={reason} /> : <Sure {...sure} />
}

function Sure({ title, description, text, yes, no = 'Not yet', danger = false, disabled = false, onYes, onClose }: Sure) {
  const [isBusy, setBusy] = useState(false)
  const [notDone, setNotDone] = useState<NotDone | null>(null)

  async function run() {
    setBusy(true)
    setNotDone(null)
    const answer = await onYes('')
    setBusy(false)
    setNotDone(answer ?? null)
  }

  const why = typeof notDone === 'string' ? { title: undefined, text: notDone } : notDone
  return (
    <Dialog
      open
      role="alertdialog"
      size="sm"
      title={title}
      description={description}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{no}</Button>
          <Button variant={danger ? 'danger' : 'primary'} busy={isBusy} disabled={disabled} onClick={() => void run()}>
            {yes}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {why && (why.title !== undefined || why.text !== undefined) && (
          <Notice tone="bad" title={why.title}>
            {why.text}
          </Notice>
        )}
        {typeof text === 'string' ? <p>{text}</p> : text}
      </div>
    </Dialog>
  )
}

const readReason = readAs(v.object({ reason: v.string() }))
const fresh = { reason: '' }

function SureWithReason({
  reason: { place, label, max, required, hint },
  text,
  yes,
  no = 'Not yet',
  onYes,
  ...rest
}: Sure & { reason: Reason }) {
  const draft = useTyped(place, fresh, readReason)
  return (
    <KeptForm<typeof fresh>
      {...rest}
      draft={draft}
      role="alertdialog"
      size="sm"
      save={yes}
      cancel={no}
      check={({ reason }) => (required && reason.trim() === '' ? { reason: 'This field is required' } : {})}
      send={async ({ reason }) => (await onYes(reason.trim())) ?? null}
      onDone={() => undefined}
    >
      {({ typed, problems, change }) => (
        <>
          {typeof text === 'string' ? <p>{text}</p> : text}
          <TextArea
            label={label}
            hint={hint}
            required={required}
            maxLength={max}
            value={typed.reason}
            onChange={(reason) => change({ reason })}
            error={problems['reason']}
          />
        </>
      )}
    </KeptForm>
  )
}
