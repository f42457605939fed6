import { type RefundMethod, refundMethods, restockPlaces, returnAmounts, usualPlace } from '#contract/returns/patient-return-rules.ts'
import { type PatientReturn, type PatientReturnConfirmation, patientReturnEndpoints } from '#contract/returns/patient-returns.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { FormDialog, type Read } from '#src/domain/forms/form-dialog.tsx'
import { formatMoney } from '#src/ui/format.ts'
import { centsOf, notAnAmount } from '#src/ui/forms/typed-money.ts'
import { methodWords, placeWords } from '../model/patient-words.ts'

/** `fee`, `method`, `note`, and the place of each frame under its line's id. */
type Form = Record<string, string>

export type DecisionDialogProps = {
  back: PatientReturn
  offline: string | null
  onDecided: (back: PatientReturn) => void
  /** Called when another user decided first, or the return has changed. */
  onStale: () => void
  onClose: () => void
}

/** Chooses the place of each frame and the refund, and shows the resulting amounts. */
export function ConfirmReturnDialog({ back, offline, onDecided, onStale, onClose }: DecisionDialogProps) {
  const device = useDevice()
  const frames = back.lines.filter(({ id_inventory }) => id_inventory !== null)
  return (
    <FormDialog<Form, Omit<PatientReturnConfirmation, 'version'>, PatientReturn>
      place={`patient: confirmation of return ${back.return_id}`}
      title="Confirm return"
      description="The item comes off the invoice. Choose where each frame goes."
      offline={offline}
      first={{
        fee: '',
        method: 'original tender',
        note: '',
        ...Object.fromEntries(frames.map(({ item_sale_id, reason }) => [item_sale_id, usualPlace(reason)])),
      }}
      saveLabel="Confirm"
      read={(form) => readForm(back, form)}
      send={async (body) => {
        const answer = await device.call(patientReturnEndpoints.confirmPatientReturn, {
          params: { id: back.return_id },
          body: { ...body, version: back.version },
        })
        if (!answer.ok && answer.failure.kind === 'refused' && answer.failure.status === 409) onStale()
        return answer
      }}
      onSaved={onDecided}
      onClose={onClose}
    >
      {({ form, text, choice }) => (
        <>
          {frames.map(({ item_sale_id, description, sku }) => (
            <div key={item_sale_id}>
              {choice(
                item_sale_id,
                [sku, description].filter(Boolean).join(', '),
                restockPlaces.map((value) => ({ value, label: placeWords[value] })),
              )}
            </div>
          ))}
          {text('fee', 'Restocking fee', { inputMode: 'decimal' })}
          {choice(
            'method',
            'Refund to',
            refundMethods.map((value) => ({ value, label: methodWords[value] })),
          )}
          {text('note', 'Note', { maxLength: 500 })}
          <Outcome back={back} form={form} />
        </>
      )}
    </FormDialog>
  )
}

/** Shows the amounts for the invoice and the patient if the return is confirmed like this. */
function Outcome({ back, form }: { back: PatientReturn; form: Form }) {
  const fee = feeOf(form)
  if (!back.money || fee === undefined) return null
  const shares = back.lines.map(({ share_cents }) => share_cents ?? 0)
  const { credit_cents, refund_cents } = returnAmounts(shares, fee, back.money.pt_balance_cents)
  const refund = form['method'] === 'store credit' ? 'stays on the invoice as credit' : 'goes back to the patient'
  return (
    <p role="status" className="figures rounded-lg border border-line bg-raised p-3">
      {formatMoney(credit_cents)} comes off invoice {back.invoice_no}.{' '}
      {refund_cents > 0 ? `${formatMoney(refund_cents)} ${refund}.` : 'No refund is due.'}
    </p>
  )
}

/** Returns 0 for an empty fee, and undefined for text that is not an amount. */
const feeOf = (form: Form): number | undefined => {
  const fee = centsOf(form['fee'] ?? '')
  return fee === null ? 0 : fee
}

function readForm(back: PatientReturn, form: Form): Read<Form, Omit<PatientReturnConfirmation, 'version'>> {
  const restocking_fee_cents = feeOf(form)
  if (restocking_fee_cents === undefined) return { ok: false, problems: { fee: notAnAmount } }
  const refund_method = refundMethods.find((method): method is RefundMethod => method === form['method']) ?? 'original tender'
  const lines = back.lines.flatMap(({ item_sale_id }) => {
    const restock = restockPlaces.find((place) => place === form[item_sale_id])
    return restock === undefined ? [] : [{ item_sale_id, restock }]
  })
  return { ok: true, body: { restocking_fee_cents, refund_method, note: form['note'] ?? '', lines } }
}
