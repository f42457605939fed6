import { useCallback, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { patientReturnReasons, warranties } from '#contract/returns/patient-return-rules.ts'
import {
  type PatientReturn,
  patientReturnEndpoints,
  type PatientReturnRequest,
  type ReturnableLine,
} from '#contract/returns/patient-returns.ts'
import type { ListedInvoice } from '#contract/money/invoices.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { FormDialog, type Read } from '#src/domain/forms/form-dialog.tsx'
import { formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { patientReasonWords, warrantyWords } from './model/patient-words.ts'

type Props = { invoice: ListedInvoice; onClose: () => void }
/** `warranty`, `note`, the returned quantity under each line's id, and its reason under `why:` and the id. */
type Form = Record<string, string>

/**
 * Requests a return of an invoice's items. A manager's confirmation refunds it. The device keeps the typed fields until
 * they are saved.
 */
export function RequestReturnDialog({ invoice, onClose }: Props) {
  const device = useDevice()
  const { id_invoice: id } = invoice
  const load = useCallback(() => device.call(patientReturnEndpoints.listInvoiceReturns, { params: { id } }), [device, id])
  const { value, failure, reload } = useLoaded(load)
  const lines = value?.lines.filter(({ left }) => left > 0) ?? []
  if (lines.length > 0) return <Entry invoice={invoice} lines={lines} onClose={onClose} />
  return (
    <Dialog open title={`Return for invoice ${invoice.invoice_no}`} onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      {value && 'Nothing left to return on this invoice.'}
      {!value && !failure && <Skeleton lines={4} height="row" />}
      {!value && failure && <NotLoaded failure={failure} offline="Invoice items are available online." onRetry={() => void reload()} />}
    </Dialog>
  )
}

function Entry({ invoice, lines, onClose }: Props & { lines: readonly ReturnableLine[] }) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  // The same id after a lost answer makes it the same return.
  const [ids] = useState(() => ({ return_id: uuidv7() }))
  return (
    <FormDialog<Form, Omit<PatientReturnRequest, 'return_id'>, PatientReturn, typeof ids>
      place={`patient: return of ${invoice.id_invoice}`}
      ids={ids}
      title={`Return for invoice ${invoice.invoice_no}`}
      description="Choose what the patient brought back. Nothing is refunded until the return is confirmed."
      offline={isOffline ? 'You’re offline. Save when you’re back online.' : null}
      first={{
        ...Object.fromEntries(
          lines.flatMap(({ item_sale_id }) => [
            [item_sale_id, '0'],
            [why(item_sale_id), ''],
          ]),
        ),
        warranty: 'none',
        note: '',
      }}
      read={(form) => readForm(lines, form)}
      send={(body, { return_id }) =>
        device.call(patientReturnEndpoints.requestPatientReturn, {
          params: { id: invoice.id_invoice },
          body: { return_id, ...body },
        })
      }
      onSaved={({ number }) =>
        showToast({ title: `Return #${number} saved`, description: 'A manager will confirm or deny it.', tone: 'good' })
      }
      onClose={onClose}
    >
      {({ form, text, choice }) => (
        <>
          {lines.map((line) => (
            <div key={line.item_sale_id} className="grid gap-2 sm:grid-cols-2">
              {choice(
                line.item_sale_id,
                [line.sku, line.description, formatMoney(line.share_cents)].filter(Boolean).join(', '),
                Array.from({ length: line.left + 1 }, (_, count) => ({
                  value: String(count),
                  label: count === 0 ? 'Stays with the patient' : `${formatNumberOf(count, 'item')} returned`,
                })),
              )}
              {form[line.item_sale_id] !== '0' &&
                choice(
                  why(line.item_sale_id),
                  `Reason: ${line.description}`,
                  patientReturnReasons.map((value) => ({ value, label: patientReasonWords[value] })),
                  'Select',
                )}
            </div>
          ))}
          {choice(
            'warranty',
            'Warranty',
            warranties.map((value) => ({ value, label: warrantyWords[value] })),
          )}
          {text('note', 'Note', { maxLength: 500 })}
        </>
      )}
    </FormDialog>
  )
}

const why = (id: string) => `why:${id}`

function readForm(lines: readonly ReturnableLine[], form: Form): Read<Form, Omit<PatientReturnRequest, 'return_id'>> {
  const [first] = lines
  const back = lines.filter(({ item_sale_id }) => Number(form[item_sale_id]) > 0)
  if (back.length === 0 && first) return { ok: false, problems: { [first.item_sale_id]: 'Choose what was returned' } }
  const read = back.map(({ item_sale_id }) => ({
    item_sale_id,
    qty: Number(form[item_sale_id]),
    reason: patientReturnReasons.find((reason) => reason === form[why(item_sale_id)]),
  }))
  const unexplained = read.filter(({ reason }) => reason === undefined)
  if (unexplained.length > 0) {
    return { ok: false, problems: Object.fromEntries(unexplained.map(({ item_sale_id }) => [why(item_sale_id), 'This field is required'])) }
  }
  return {
    ok: true,
    body: {
      warranty: warranties.find((one) => one === form['warranty']) ?? 'none',
      note: form['note'] ?? '',
      lines: read.flatMap(({ reason, ...line }) => (reason === undefined ? [] : [{ ...line, reason }])),
    },
  }
}
