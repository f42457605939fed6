import { useCallback, useEffect, useRef, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { storeInvoiceEndpoints as calls, type VendorInvoiceCard } from '#contract/receiving/store-invoices.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { FormDialog } from '#src/domain/forms/form-dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { formOfInvoice, readInvoice } from '../model/invoice-form.ts'
import type { VendorPlace } from '../places.ts'
import { keptAtServer } from '../words.ts'

type Props = {
  /** Null for a new invoice. */
  invoice: VendorInvoiceCard | null
  /** The store invoice to add to, or null for a new one. */
  receipt: string | null
  onSaved: (place: VendorPlace) => void
  onClose: () => void
}

const threes = 'grid grid-cols-2 gap-3 sm:grid-cols-3'
const money = { inputMode: 'decimal', figures: true, placeholder: '0.00' } as const

/** Adds a vendor's invoice, or changes its data. */
export function VendorInvoiceDialog({ invoice, receipt, onSaved, onClose }: Props) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const seesCosts = useSession((session) => session.home?.permissions.includes('frame.see-cost') ?? false)
  // A retry after a lost answer uses the same ids, so that one invoice is made.
  const [ids] = useState<VendorPlace>(() => ({ invoice_id: receipt ?? uuidv7(), id_vendor_invoice: uuidv7() }))
  const version = useRef(invoice?.version ?? 0)
  const vendors = useLoaded(useCallback(() => device.call(calls.invoiceVendors, {}), [device]))
  const contacts = useLoaded(useCallback(() => device.call(calls.vendorContacts, { query: {} }), [device]))
  const known = vendors.value?.vendors ?? (invoice ? [{ vendor_id: invoice.vendor_id, name: invoice.vendor, terms: null }] : [])
  return (
    <FormDialog
      place={invoice ? `own: vendor invoice ${invoice.id_vendor_invoice}` : `own: new vendor invoice ${receipt ?? ''}`}
      ids={ids}
      title={invoice ? `Invoice ${invoice.vendor_invoice_no}` : receipt ? 'Add a vendor invoice' : 'New receipt'}
      {...(!invoice && { description: 'Enter what’s on the vendor’s invoice. You’ll scan the frames next.' })}
      offline={isOffline ? keptAtServer : null}
      first={formOfInvoice(invoice)}
      saveLabel={invoice ? 'Save' : 'Start receiving'}
      read={(form) => readInvoice(form, seesCosts)}
      send={async (input, made) => {
        if (invoice) {
          const params = { id: invoice.id_vendor_invoice }
          return await device.call(calls.changeVendorInvoice, { params, body: { version: version.current, ...input } })
        }
        const body = { invoice_id: made.invoice_id, vendor_invoice: { id_vendor_invoice: made.id_vendor_invoice, ...input } }
        const answer = await device.call(calls.createInvoice, { body })
        return answer.ok ? { ok: true, value: made } : answer
      }}
      conflict={{
        code: 'vendor-invoice-changed',
        theirs: (now) => {
          version.current = (now as VendorInvoiceCard).version
          return formOfInvoice(now as VendorInvoiceCard)
        },
      }}
      onSaved={(saved) => {
        if (invoice) showToast({ title: 'Invoice saved', tone: 'good' })
        onSaved(saved)
      }}
      onClose={onClose}
    >
      {({ form, text, date, choice }) => {
        const terms = known.find(({ vendor_id }) => String(vendor_id) === form.vendor_id)?.terms
        const asked = (contacts.value?.contacts ?? []).filter(({ vendor_id }) => String(vendor_id) === form.vendor_id)
        return (
          <>
            <div className={threes}>
              {choice(
                'vendor_id',
                'Vendor',
                known.map(({ vendor_id, name }) => ({ value: String(vendor_id), label: name })),
                'Select',
              )}
              {text('vendor_invoice_no', 'Invoice number', { required: true, figures: true, maxLength: 60 })}
              {choice('id_vendor_contact', 'Contact', [
                { value: '', label: 'None' },
                ...asked.map(({ id_vendor_contact, name }) => ({ value: id_vendor_contact, label: name })),
              ])}
            </div>
            <TakenNumber vendorId={form.vendor_id} number={form.vendor_invoice_no} except={invoice?.id_vendor_invoice ?? null} />
            <div className={threes}>
              {date('invoice_date', 'Invoice date')}
              {date('received_date', 'Received')}
              {date('due_date', 'Due')}
              {text('po_no', 'Purchase order', { figures: true, maxLength: 60 })}
              {text('terms', 'Terms', { maxLength: 120, hint: terms ? `Usually ${terms}` : undefined })}
            </div>
            {seesCosts && (
              <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
                {text('shipping_cents', 'Shipping', money)}
                {text('tax_cents', 'Tax', money)}
                {text('discount_cents', 'Discount', money)}
                {text('total_cents', 'Invoice total', { ...money, placeholder: 'Not entered' })}
              </div>
            )}
            {text('note', 'Note', { maxLength: 1000 })}
          </>
        )
      }}
    </FormDialog>
  )
}

const pauseMs = 250

/** Warns while the user types a number that the vendor has used before. */
function TakenNumber({ vendorId, number, except }: { vendorId: string; number: string; except: string | null }) {
  const device = useDevice()
  const [taken, setTaken] = useState<{ of: string; words: string | null }>({ of: '', words: null })
  const typed = number.trim()
  const of = `${vendorId} ${typed}`
  useEffect(() => {
    if (vendorId === '' || typed === '') return
    const controller = new AbortController()
    const query = { vendor_id: vendorId, vendor_invoice_no: typed, ...(except !== null && { except }) }
    const timer = setTimeout(() => {
      void device.call(calls.checkInvoiceNumber, { query }, { signal: controller.signal }).then((answer) => {
        if (!controller.signal.aborted && answer.ok) setTaken({ of, words: answer.value.taken })
      })
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [device, vendorId, typed, except, of])
  return taken.of === of && taken.words !== null ? <Notice tone="warn">{taken.words}.</Notice> : null
}
