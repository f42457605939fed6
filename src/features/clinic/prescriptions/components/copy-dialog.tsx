import { useState } from 'react'
import * as v from 'valibot'
import type { Prescription } from '#contract/rx/prescription.ts'
import { prescriptionEndpoints } from '#contract/rx/prescriptions.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DiscardButton } from '#src/ui/forms/discard-button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { prescriberGap } from '../model/rx-text.ts'
import { notDone } from '../words.ts'

const timeoutMs = 15_000
const reasons = ['For the patient', 'For another provider', 'For a laboratory', 'For our own records'] as const

const readTyped = readAs(v.object({ reason: v.picklist(reasons), more: v.string() }))
const fresh = { reason: reasons[0], more: '' }

type CopyDialogProps = {
  rx: Prescription
  way: 'print' | 'export'
  /** Prints or saves it, once it has been written down. */
  onCopy: () => void
  onClose: () => void
}

/** Asks what a copy is for. That is kept before there is one: who cannot be written down takes none. */
export function CopyDialog({ rx, way, onCopy, onClose }: CopyDialogProps) {
  const device = useDevice()
  const draft = useTyped(`rx ${way} ${rx.id_rx}`, fresh, readTyped)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const gap = way === 'print' ? prescriberGap(rx) : null
  if (draft.typed === null) return null
  const { reason, more } = draft.typed
  const verb = way === 'print' ? 'Print' : 'Export'

  async function copy() {
    setBusy(true)
    const body = { way, reason: more.trim() ? `${reason}: ${more.trim()}` : reason }
    const answer = await device.call(prescriptionEndpoints.recordRxCopy, { params: { id: rx.id_rx }, body }, { timeoutMs })
    setBusy(false)
    if (!answer.ok) return setProblem(notDone(way === 'print' ? 'NOT PRINTED' : 'NOT EXPORTED', answer.failure))
    await draft.forget()
    onClose()
    onCopy()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={`${verb} the prescription`}
      description="The access log records who made a copy, when, and why."
      footer={
        <>
          <DiscardButton forget={draft.forget} onClose={onClose}>
            Cancel
          </DiscardButton>
          <Button variant="primary" busy={busy} onClick={() => void copy()}>
            {verb}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {problem && <Notice tone="bad">{problem}</Notice>}
        {gap && <Notice tone="warn">{gap}</Notice>}
        {(rx.status === 'draft' || rx.withdrawn) && (
          <Notice tone="warn">{rx.withdrawn ? 'This prescription was withdrawn. The copy says so.' : 'This is a draft. The copy says so.'}</Notice>
        )}
        <RadioGroup
          label="Purpose"
          columns={2}
          value={reason}
          onChange={(chosen) => draft.change({ reason: chosen, more })}
          options={reasons.map((value) => ({ value, label: value }))}
        />
        <TextField
          label="Details, if needed"
          maxLength={150}
          autoComplete="off"
          value={more}
          onChange={(text) => draft.change({ reason, more: text })}
        />
      </div>
    </Dialog>
  )
}
