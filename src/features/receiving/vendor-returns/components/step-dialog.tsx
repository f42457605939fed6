import type { VendorReturnStep } from '#contract/returns/vendor-return-rules.ts'
import type { VendorReturn, VendorReturnStepInput } from '#contract/returns/vendor-returns.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { FormDialog, type Read } from '#src/domain/forms/form-dialog.tsx'
import { formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { centsOf, notAnAmount } from '#src/ui/forms/typed-money.ts'

type Form = { ra_number: string; why: string; carrier: string; tracking: string; credit_memo_no: string; amount: string; note: string }
const empty: Form = { ra_number: '', why: '', carrier: '', tracking: '', credit_memo_no: '', amount: '', note: '' }
const required = 'This field is required'

/** The label of each step, and its effect in a sentence. */
export const stepWords: Record<VendorReturnStep, { label: string; what: (back: VendorReturn) => string }> = {
  request: { label: 'Mark RMA requested', what: (back) => `You’ve asked ${back.vendor} for an RMA number.` },
  approve: { label: 'Enter RMA number', what: (back) => `The number ${back.vendor} issued for this return.` },
  deny: {
    label: 'Denied by the vendor',
    what: () => 'Frames taken out for this return go back into stock: good ones as Ready for Sale, damaged ones as Defective.',
  },
  ship: {
    label: 'Ship',
    what: (back) => `This takes ${formatNumberOf(back.pieces, 'frame')} out of stock at ${back.store}.`,
  },
  credit: {
    label: 'Enter credit',
    what: ({ credit }) => (credit ? `Expected: ${formatMoney(credit.expected_cents)}.` : 'The amount the vendor credited.'),
  },
  close: { label: 'Close return', what: () => 'You expect nothing more from the vendor.' },
}

/** Asks only for the values that the next step of a return needs. */
export function StepDialog({
  back,
  step,
  offline,
  onStep,
  onClose,
}: {
  back: VendorReturn
  step: VendorReturnStep
  offline: string | null
  onStep: (given: VendorReturnStepInput) => Promise<Outcome<VendorReturn>>
  onClose: () => void
}) {
  return (
    <FormDialog<Form, VendorReturnStepInput, VendorReturn>
      place={`own: ${step} vendor return ${back.return_id}`}
      title={stepWords[step].label}
      description={stepWords[step].what(back)}
      offline={offline}
      first={empty}
      saveLabel={step === 'ship' || step === 'close' ? stepWords[step].label : 'Save'}
      read={(form) => readStep(step, form)}
      send={onStep}
      onSaved={() => undefined}
      onClose={onClose}
    >
      {({ text }) => (
        <>
          {step === 'approve' && text('ra_number', 'RMA number', { required: true, maxLength: 60 })}
          {step === 'deny' && text('why', 'Reason', { required: true, maxLength: 500 })}
          {step === 'ship' && text('carrier', 'Carrier', { maxLength: 60 })}
          {step === 'ship' && text('tracking', 'Tracking number', { maxLength: 60 })}
          {step === 'credit' && text('credit_memo_no', 'Credit memo number', { required: true, maxLength: 60 })}
          {step === 'credit' && text('amount', 'Amount', { required: true, inputMode: 'decimal' })}
          {step === 'close' && text('note', 'Note', { maxLength: 500 })}
        </>
      )}
    </FormDialog>
  )
}

function readStep(step: VendorReturnStep, form: Form): Read<Form, VendorReturnStepInput> {
  const missing = (...fields: (keyof Form)[]) =>
    Object.fromEntries(fields.filter((field) => form[field].trim() === '').map((field) => [field, required]))
  switch (step) {
    case 'request':
      return { ok: true, body: { step } }
    case 'approve': {
      const problems = missing('ra_number')
      return 'ra_number' in problems ? { ok: false, problems } : { ok: true, body: { step, ra_number: form.ra_number.trim() } }
    }
    case 'deny': {
      const problems = missing('why')
      return 'why' in problems ? { ok: false, problems } : { ok: true, body: { step, why: form.why.trim() } }
    }
    case 'ship':
      return { ok: true, body: { step, carrier: form.carrier, tracking: form.tracking } }
    case 'credit': {
      const problems: Partial<Record<keyof Form, string>> = missing('credit_memo_no', 'amount')
      const credit_received_cents = centsOf(form.amount)
      if (credit_received_cents === undefined) problems.amount = notAnAmount
      if (Object.keys(problems).length > 0 || typeof credit_received_cents !== 'number') return { ok: false, problems }
      return { ok: true, body: { step, credit_memo_no: form.credit_memo_no.trim(), credit_received_cents } }
    }
    case 'close':
      return { ok: true, body: { step, note: form.note } }
  }
}
