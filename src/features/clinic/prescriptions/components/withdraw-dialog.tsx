import * as v from 'valibot'
import { type Prescription, type Withdrawal, withdrawals } from '#contract/rx/prescription.ts'
import { prescriptionEndpoints } from '#contract/rx/prescriptions.ts'
import { withdrawalsOf } from '#contract/rx/rx-rules.ts'
import { KeptForm } from '#src/domain/forms/kept-form.tsx'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { showToast } from '#src/ui/toast-store.ts'
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

const shape = v.object({ way: v.nullable(v.picklist(withdrawals)), reason: v.string() })
type Typed = v.InferOutput<typeof shape>
const readTyped = readAs(shape)

/** Withdraws a signed prescription. The server keeps the reason, the user and the time, and deletes nothing. */
export function WithdrawDialog({ rx, onDone, onClose }: { rx: Prescription; onDone: () => Promise<void>; onClose: () => void }) {
  const device = useDevice()
  const possible = withdrawalsOf(rx.status)
  const only = possible.length === 1 ? possible[0]! : null
  const draft = useTyped<Typed>(`patient: rx withdrawal ${rx.id_rx}`, { way: only, reason: '' }, readTyped)
  /** The status may have changed since, and may allow fewer ways. */
  const wayOf = (typed: Typed) => possible.find((each) => each === typed.way) ?? only

  async function withdraw(typed: Typed) {
    const way = wayOf(typed)
    if (way === null) return {}
    const request = { params: { id: rx.id_rx }, body: { status: way, reason: typed.reason.trim(), version: rx.version } }
    const answer = await device.call(prescriptionEndpoints.withdrawRx, request, { timeoutMs })
    if (!answer.ok) return notDone('NOT WITHDRAWN', answer.failure)
    showToast({ title: ways[way].done, tone: 'good' })
    return null
  }

  return (
    <KeptForm
      draft={draft}
      title="Withdraw the prescription"
      description={
        rx.status === 'active'
          ? 'It stays in the list, marked. No earlier one replaces it. The patient has no active prescription of this type until another is signed.'
          : 'It stays in the list, marked.'
      }
      cancel="Keep it"
      save="Withdraw"
      danger
      check={(typed) => ({
        ...(wayOf(typed) === null && { way: 'Choose one' }),
        ...(typed.reason.trim() === '' && { reason: 'This field is required' }),
      })}
      send={withdraw}
      onDone={() => {
        onClose()
        void onDone()
      }}
      onClose={onClose}
    >
      {({ typed, problems, change }) => (
        <>
          <RadioGroup
            label="What happened"
            look="cards"
            value={wayOf(typed)}
            onChange={(way) => change({ way })}
            error={problems['way']}
            options={possible.map((value) => ({ value, label: ways[value].label, hint: ways[value].hint }))}
          />
          <TextArea
            label="Reason"
            required
            maxLength={200}
            value={typed.reason}
            onChange={(reason) => change({ reason })}
            hint="Saved with the prescription and in the access log."
            error={problems['reason']}
          />
        </>
      )}
    </KeptForm>
  )
}
