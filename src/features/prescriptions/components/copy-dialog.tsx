import { useState } from 'react'
import type { Prescription } from '#contract/prescription.ts'
import { prescriptionEndpoints } from '#contract/prescriptions.ts'
import { useDevice } from '#src/sync/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/radio-group.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { prescriberGap } from '../rx-text.ts'
import { notDone } from '../words.ts'

const timeoutMs = 15_000
const reasons = ['For the patient', 'For another provider', 'For a laboratory', 'For our own records'] as const

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
  const [reason, setReason] = useState<(typeof reasons)[number]>(reasons[0])
  const [more, setMore] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const gap = way === 'print' ? prescriberGap(rx) : null
  const verb = way === 'print' ? 'Print' : 'Export'

  async function copy() {
    setBusy(true)
    const body = { way, reason: more.trim() ? `${reason}: ${more.trim()}` : reason }
    const answer = await device.call(prescriptionEndpoints.recordRxCopy, { params: { id: rx.id_rx }, body }, { timeoutMs })
    setBusy(false)
    if (!answer.ok) return setProblem(notDone(way === 'print' ? 'NOT PRINTED' : 'NOT EXPORTED', answer.failure))
    onClose()
    onCopy()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={`${verb} the prescription`}
      description="Who took a copy, when and what for is kept in the access log."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
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
          <Notice tone="warn">{rx.withdrawn ? 'It was withdrawn, and the copy says so.' : 'It is a draft, and the copy says so.'}</Notice>
        )}
        <RadioGroup
          label="What for"
          columns={2}
          value={reason}
          onChange={setReason}
          options={reasons.map((value) => ({ value, label: value }))}
        />
        <TextField label="More about it, if needed" maxLength={150} autoComplete="off" value={more} onChange={setMore} />
      </div>
    </Dialog>
  )
}
