import * as v from 'valibot'
import type { Prescription } from '#contract/rx/prescription.ts'
import { prescriptionEndpoints } from '#contract/rx/prescriptions.ts'
import { KeptForm } from '#src/domain/forms/kept-form.tsx'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { prescriberGap } from '../model/rx-text.ts'
import { notDone } from '../words.ts'

const timeoutMs = 15_000
const reasons = ['For the patient', 'For another provider', 'For a laboratory', 'For our own records'] as const

const shape = v.object({ reason: v.picklist(reasons), more: v.string() })
type Typed = v.InferOutput<typeof shape>
const readTyped = readAs(shape)
const fresh: Typed = { reason: reasons[0], more: '' }

type CopyDialogProps = {
  rx: Prescription
  way: 'print' | 'export'
  /** Prints or saves it after the audit entry is saved. */
  onCopy: () => void
  onClose: () => void
}

/** Asks what a copy is for. No copy is made unless the audit entry was saved. */
export function CopyDialog({ rx, way, onCopy, onClose }: CopyDialogProps) {
  const device = useDevice()
  const draft = useTyped<Typed>(`patient: rx ${way} ${rx.id_rx}`, fresh, readTyped)
  const gap = way === 'print' ? prescriberGap(rx) : null
  const verb = way === 'print' ? 'Print' : 'Export'

  async function copy({ reason, more }: Typed) {
    const body = { way, reason: more.trim() ? `${reason}: ${more.trim()}` : reason }
    const answer = await device.call(prescriptionEndpoints.recordRxCopy, { params: { id: rx.id_rx }, body }, { timeoutMs })
    return answer.ok ? null : notDone(way === 'print' ? 'NOT PRINTED' : 'NOT EXPORTED', answer.failure)
  }

  return (
    <KeptForm
      draft={draft}
      title={`${verb} the prescription`}
      description="The access log records who made a copy, when, and why."
      cancel="Cancel"
      save={verb}
      send={copy}
      onDone={() => {
        onClose()
        onCopy()
      }}
      onClose={onClose}
    >
      {({ typed, change }) => (
        <>
          {gap && <Notice tone="warn">{gap}</Notice>}
          {(rx.status === 'draft' || rx.withdrawn) && (
            <Notice tone="warn">
              {rx.withdrawn ? 'This prescription was withdrawn. The copy says so.' : 'This is a draft. The copy says so.'}
            </Notice>
          )}
          <RadioGroup
            label="Purpose"
            columns={2}
            value={typed.reason}
            onChange={(reason) => change({ reason })}
            options={reasons.map((value) => ({ value, label: value }))}
          />
          <TextField
            label="Details, if needed"
            maxLength={150}
            autoComplete="off"
            value={typed.more}
            onChange={(more) => change({ more })}
          />
        </>
      )}
    </KeptForm>
  )
}
