import { useState, type ReactNode } from 'react'
import { gtin14 } from '#contract/core/codes.ts'
import { storeInvoiceEndpoints as calls, type ReceivedPiece, type VendorInvoice } from '#contract/receiving/store-invoices.ts'
import type { VendorInvoiceStep } from '#contract/receiving/vendor-invoice-rules.ts'
import { dayOf } from '#contract/people/time-clock.ts'
import type { Announcement } from '#src/domain/pieces/announcement.ts'
import { pageSound } from '#src/device/sound.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import type { WaitingReceived } from '#src/domain/receiving/record-received-piece.ts'
import { forgetKept, keptNouns } from '#src/domain/kept-stock/kept-stock.ts'
import { formatNumberOf } from '#src/ui/format.ts'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { inputOf } from '../model/invoice-form.ts'
import type { ChangedLine, OpenInvoice, Wanted } from '../hooks/use-vendor-invoice.ts'
import { keptAtServer } from '../words.ts'
import { ContactsDialog } from './contacts-dialog.tsx'
import type { Line } from './invoice-lines.tsx'
import { ItemDialog } from './item-dialog.tsx'
import { LineDialog } from './line-dialog.tsx'
import { ModelPicker } from './model-picker.tsx'
import { PayDialog } from './pay-dialog.tsx'
import { VendorInvoiceDialog } from './vendor-invoice-dialog.tsx'

/** The dialog that is open on the screen. */
export type AskedOf =
  | { kind: 'edit' | 'contacts' | 'delete' | 'void' | 'post' | 'post-anyway' | 'pay' | 'add-line' }
  | { kind: 'line'; line: Line }
  | { kind: 'receive-rest'; line: Line; quantity: number }
  | { kind: 'one-more'; id_model: number; title: string }
  | { kind: 'receive-model'; typed: string }
  /** A piece that was scanned without a connection, with a UPC that the server does not know. */
  | { kind: 'match'; piece: WaitingReceived; typed: string }
  | { kind: 'item'; piece: ReceivedPiece }

type Props = {
  asked: AskedOf | null
  open: OpenInvoice
  invoice: VendorInvoice
  mayDeleteItems: boolean
  timeZone: string | undefined
  receive: (wanted: Wanted) => Promise<Announcement>
  onGone: () => void
  onClose: () => void
}

export function InvoiceDialogs({ asked, open, invoice, mayDeleteItems, timeZone, receive, onGone, onClose }: Props): ReactNode {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const seesCosts = useSession((session) => session.home?.permissions.includes('frame.see-cost') ?? false)
  if (!asked) return null
  const step = (name: VendorInvoiceStep, more?: { note?: string; paid_on?: string; paid_reference?: string }) =>
    open.step(invoice.version, name, more).then((done) => {
      onClose()
      // The page behind shows the reason, and the typed text stays.
      return done ? null : {}
    })
  const take = async (wanted: Wanted) => {
    const { text, tone, sound } = await receive(wanted)
    pageSound().play(sound)
    showToast({ title: text, tone })
    onClose()
  }
  async function remove() {
    const call = { params: { id: invoice.id_vendor_invoice }, query: { version: String(invoice.version) } }
    const answer = await device.call(calls.deleteInvoice, call)
    onClose()
    if (!answer.ok) {
      void open.reload()
      showToast({ title: 'Invoice not deleted', description: answer.failure.message, tone: 'bad' })
      return
    }
    await forgetKept(device, keptNouns.receipt, invoice.id_vendor_invoice).catch(() => undefined)
    showToast({ title: 'Invoice deleted', tone: 'good' })
    void device.pull()
    onGone()
  }

  switch (asked.kind) {
    case 'edit':
      return <VendorInvoiceDialog invoice={invoice} receipt={invoice.invoice_id} onSaved={() => void open.reload()} onClose={onClose} />
    case 'contacts':
      return (
        <ContactsDialog
          vendor={{ vendor_id: invoice.vendor_id, name: invoice.vendor }}
          onSaved={() => void open.reload()}
          onClose={onClose}
        />
      )
    case 'delete':
      return (
        <SureDialog
          title={`Delete invoice ${invoice.vendor_invoice_no}?`}
          text={
            invoice.pieces === 0
              ? 'Nothing has been received on it.'
              : `This also removes ${formatNumberOf(invoice.pieces, 'frame')} from stock, if none were sold or moved.`
          }
          yes="Delete"
          onYes={remove}
          onClose={onClose}
        />
      )
    case 'void':
      return (
        <SureDialog
          title={`Void invoice ${invoice.vendor_invoice_no}?`}
          text="It stays in the list. You can enter its number again."
          yes="Void"
          onYes={() => step('void')}
          onClose={onClose}
        />
      )
    case 'post':
      return (
        <SureDialog
          title="Post this invoice?"
          text="Received matches the invoice. You can’t change it after posting."
          yes="Post"
          onYes={() => step('post')}
          onClose={onClose}
        />
      )
    case 'post-anyway':
      return (
        <SureDialog
          title="Post with differences?"
          description="You can’t change it after posting. The reason stays on the invoice."
          reason={{ place: `own: posting of ${invoice.id_vendor_invoice}`, label: 'Reason', max: 500, required: true }}
          yes="Post"
          onYes={(note) => step('post', { note })}
          onClose={onClose}
        />
      )
    case 'pay':
      return (
        <PayDialog
          today={dayOf(device.serverNow(), timeZone ?? 'UTC')}
          idInvoice={invoice.id_vendor_invoice}
          onPay={(paid) => step('pay', paid)}
          onClose={onClose}
        />
      )
    case 'add-line':
      return <AddedLine open={open} invoice={invoice} isOffline={isOffline} seesCosts={seesCosts} onClose={onClose} />
    case 'line':
      return (
        <LineDialog
          place={`own: line ${asked.line.id_model} of ${invoice.id_vendor_invoice}`}
          name={`${asked.line.brand_name} ${asked.line.title_product}`}
          line={asked.line}
          offline={isOffline ? keptAtServer : null}
          seesCosts={seesCosts}
          send={(body) => sendLines(device, invoice, withLine(invoice, { id_model: asked.line.id_model, ...body }, seesCosts))}
          onSaved={open.show}
          onClose={onClose}
        />
      )
    case 'receive-rest':
      return (
        <SureDialog
          title={`Receive ${formatNumberOf(asked.quantity, 'frame')} of ${asked.line.title_product}?`}
          text="Each gets its own store tag and F#. Count them before you press Receive."
          yes="Receive"
          onYes={() => take({ id_model: asked.line.id_model, quantity: asked.quantity, name: asked.line.title_product })}
          onClose={onClose}
        />
      )
    case 'one-more':
      return (
        <SureDialog
          title={`Receive another ${asked.title}?`}
          text="It’s a new frame with its own store tag and F#."
          yes="Receive"
          onYes={() => take({ id_model: asked.id_model, name: asked.title })}
          onClose={onClose}
        />
      )
    case 'receive-model':
      return (
        <ModelPicker
          title="Which model did you receive?"
          first={/^\d+$/.test(asked.typed) ? '' : asked.typed}
          onChoose={({ id_model, title }) =>
            void take({ id_model, name: title, ...(gtin14(asked.typed) !== null && { learn: asked.typed }) })
          }
          onClose={onClose}
        />
      )
    case 'match':
      return (
        <ModelPicker
          title={`Which model is ${asked.typed}?`}
          first=""
          onChoose={({ id_model }) => void open.match(asked.piece, id_model, asked.typed).then(onClose)}
          onClose={onClose}
        />
      )
    case 'item':
      return (
        <ItemDialog
          idInventory={asked.piece.frame.id_inventory}
          sku={asked.piece.frame.sku}
          mayDelete={mayDeleteItems}
          timeZone={timeZone}
          onDeleted={open.show}
          onClose={onClose}
        />
      )
  }
}

type AddedProps = { open: OpenInvoice; invoice: VendorInvoice; isOffline: boolean; seesCosts: boolean; onClose: () => void }

/** Asks for the model, then for the data of its line. */
function AddedLine({ open, invoice, isOffline, seesCosts, onClose }: AddedProps) {
  const device = useDevice()
  const [model, setModel] = useState<{ id_model: number; name: string } | null>(null)
  if (!model) {
    return (
      <ModelPicker
        title="Which model is on the invoice?"
        first=""
        onChoose={({ id_model, brand_name, title }) => setModel({ id_model, name: `${brand_name} ${title}` })}
        onClose={onClose}
      />
    )
  }
  return (
    <LineDialog
      place={`own: line ${model.id_model} of ${invoice.id_vendor_invoice}`}
      name={model.name}
      line={invoice.lines.find(({ id_model }) => id_model === model.id_model) ?? null}
      offline={isOffline ? keptAtServer : null}
      seesCosts={seesCosts}
      send={(body) => sendLines(device, invoice, withLine(invoice, { id_model: model.id_model, ...body }, seesCosts))}
      onSaved={open.show}
      onClose={onClose}
    />
  )
}

/** Returns the invoice's lines with this one changed or added. Without a cost the price book's cost applies. */
function withLine(invoice: VendorInvoice, entered: ChangedLine, seesCosts: boolean): ChangedLine[] {
  const { costs, ...line } = entered
  const isKnown = invoice.lines.some(({ id_model }) => id_model === line.id_model)
  const changed: ChangedLine = seesCosts && costs && (isKnown || costs.list_cost !== null) ? { ...line, costs } : line
  const lines: ChangedLine[] = invoice.lines.map(({ id_model, qty_invoiced }) => ({ id_model, qty_invoiced }))
  return isKnown ? lines.map((one) => (one.id_model === line.id_model ? changed : one)) : [...lines, changed]
}

function sendLines(device: ReturnType<typeof useDevice>, invoice: VendorInvoice, lines: ChangedLine[]) {
  const params = { id: invoice.id_vendor_invoice }
  return device.call(calls.changeVendorInvoice, { params, body: { version: invoice.version, ...inputOf(invoice), lines } })
}
