import { useState } from 'react'
import * as v from 'valibot'
import { type Prescription, type Withdrawal, withdrawals } from '#contract/rx/prescription.ts'
import { prescriptionEndpoints } from '#contract/rx/prescriptions.ts'
import { withdrawalsOf } from '#contract/rx/rx-rules.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DiscardButton } from '#src/ui/forms/discard-button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { notDone } from '../words.ts'

const timeoutMs = 15_000
const ways: Record<Withdrawal, { label: string; hint: string; done: string }> = {
  cancelled: { label: 'Cancel it', hint: 'Correct, but no longer in use', done: 'Prescription canceled' },
  entered_in_error: {
    label: 'It was entered in error',
    hint: 'It was never correct: wrong patient or wrong values. The last exam and recall go back to what they were before signing.',
    done: 'Prescription marked as entered in error',
  },
}

const readTyped = readAs(v.object({ way: v.nullable(v.picklist(withdrawals)), reason: v.string() }))

/** Takes back what was signed. It needs a reason, which is kept with who and when; nothing is deleted. */
export function WithdrawDialog({ rx, onDone, onClose }: { rx: Prescription; onDone: () => Promise<void>; onClose: () => void }) {
  const device = useDevice()
  const possible = withdrawalsOf(rx.status)
  const only = possible.length === 1 ? possible[0]! : null
  const draft = useTyped(`rx withdrawal ${rx.id_rx}`, { way: only, reason: '' }, readTyped)
  const [asked, setAsked] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  if (draft.typed === null) return null
  const { reason } = draft.typed
  // Its status may be another one since, of which less is possible.
  const way = possible.find((each) => each === draft.typed?.way) ?? only

  async function withdraw() {
    setAsked(true)
    if (way === null || reason.trim() === '') return
    setBusy(true)
    const request = { params: { id: rx.id_rx }, body: { status: way, reason: reason.trim(), version: rx.version } }
    const answer = await device.call(prescriptionEndpoints.withdrawRx, request, { timeoutMs })
    setBusy(false)
    if (!answer.ok) return setProblem(notDone('NOT WITHDRAWN', answer.failure))
    showToast({ title: ways[way].done, tone: 'good' })
    await draft.forget()
    onClose()
    await onDone()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      title="Withdraw the prescription"
      description={
        rx.status === 'active'
          ? 'It stays in the list, marked. No earlier one replaces it. The patient has no active prescription of this type until another is signed.'
          : 'It stays in the list, marked.'
      }
      footer={
        <>
          <DiscardButton forget={draft.forget} onClose={onClose}>
            Keep it
          </DiscardButton>
          <Button variant="danger" busy={busy} onClick={() => void withdraw()}>
            Withdraw
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TypedNotice of={draft} />
        {problem && <Notice tone="bad">{problem}</Notice>}
        <RadioGroup
          label="What happened"
          look="cards"
          value={way}
          onChange={(chosen) => draft.change({ way: chosen, reason })}
          error={asked && way === null ? 'Choose one' : undefined}
          options={possible.map((value) => ({ value, label: ways[value].label, hint: ways[value].hint }))}
        />
        <TextArea
          label="Reason"
          required
          maxLength={200}
          value={reason}
          onChange={(text) => draft.change({ way, reason: text })}
          hint="Saved with the prescription and in the access log."
          error={asked && reason.trim() === '' ? 'This field is required' : undefined}
        />
      </div>
    </Dialog>
  )
}
