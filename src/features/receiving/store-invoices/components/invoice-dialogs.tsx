import { useState, type ReactNode } from 'react'
import { gtin14 } from '#contract/core/codes.ts'
import { storeInvoiceEndpoints as calls, type ReceivedPiece, type VendorInvoice } from '#contract/receiving/store-invoices.ts'
import type { VendorInvoiceStep } from '#contract/receiving/vendor-invoice-rules.ts'
import { dayOf } from '#contract/people/time-clock.ts'
import type { Told } from '#src/camera/scan-entry.tsx'
import { pageSound } from '#src/device/sound.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import type { WaitingReceived } from '#src/domain/receiving/keep-received-piece.ts'
import { forgetKept, keptNouns } from '#src/domain/kept-stock/kept-stock.ts'
import { formatNumberOf } from '#src/ui/format.ts'
import { SureDialog } from '#src/ui/sure-dialog.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { WordsDialog } from '#src/ui/words-dialog.tsx'
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

/** What the screen asks before something is done. */
export type AskedOf =
  | { kind: 'edit' | 'contacts' | 'delete' | 'void' | 'post' | 'post-anyway' | 'pay' | 'add-line' }
  | { kind: 'line'; line: Line }
  | { kind: 'receive-rest'; line: Line; quantity: number }
  | { kind: 'one-more'; id_model: number; title: string }
  | { kind: 'receive-model'; typed: string }
  /** What was scanned without a connection, and the server did not know. */
  | { kind: 'match'; piece: WaitingReceived; typed: string }
  | { kind: 'item'; piece: ReceivedPiece }

type Props = {
  asked: AskedOf | null
  open: OpenInvoice
  invoice: VendorInvoice
  mayDeleteItems: boolean
  timeZone: string | undefined
  receive: (wanted: Wanted) => Promise<Told>
  onGone: () => void
  onClose: () => void
}

export function InvoiceDialogs({ asked, open, invoice, mayDeleteItems, timeZone, receive, onGone, onClose }: Props): ReactNode {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const seesCosts = useSession((session) => session.home?.permissions.includes('frame.see-cost') ?? false)
  const [isBusy, setBusy] = useState(false)
  if (!asked) return null
  const step = (name: VendorInvoiceStep, more?: { note?: string; paid_on?: string; paid_reference?: string }) =>
    void open.step(invoice.version, name, more).then(onClose)
  const take = async (wanted: Wanted) => {
    setBusy(true)
    const told = await receive(wanted)
    setBusy(false)
    pageSound().play(told.sound)
    showToast({ title: told.text, tone: told.tone })
    onClose()
  }
  async function remove() {
    setBusy(true)
    const call = { params: { id: invoice.id_vendor_invoice }, query: { version: String(invoice.version) } }
    const answer = await device.call(calls.deleteInvoice, call)
    setBusy(false)
    onClose()
    if (!answer.ok) {
      void open.reload()
      return showToast({ title: 'Invoice not deleted', description: answer.failure.message, tone: 'bad' })
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
          busy={isBusy}
          onYes={() => void remove()}
          onClose={onClose}
        />
      )
    case 'void':
      return (
        <SureDialog
          title={`Void invoice ${invoice.vendor_invoice_no}?`}
          text="It stays in the list. You can enter its number again."
          yes="Void"
          busy={open.busy}
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
          busy={open.busy}
          onYes={() => step('post')}
          onClose={onClose}
        />
      )
    case 'post-anyway':
      return (
        <WordsDialog
          title="Post with differences?"
          description="You can’t change it after posting. The reason stays on the invoice."
          label="Reason"
          yes="Post"
          busy={open.busy}
          onWords={(note) => step('post', { note })}
          onClose={onClose}
        />
      )
    case 'pay':
      return (
        <PayDialog
          today={dayOf(device.serverNow(), timeZone ?? 'UTC')}
          busy={open.busy}
          onPay={(paid) => step('pay', paid)}
          onClose={onClose}
        />
      )
    case 'add-line':
      return <AddedLine open={open} invoice={invoice} isOffline={isOffline} seesCosts={seesCosts} onClose={onClose} />
    case 'line':
      return (
        <LineDialog
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
          busy={isBusy}
          onYes={() => void take({ id_model: asked.line.id_model, quantity: asked.quantity, name: asked.line.title_product })}
          onClose={onClose}
        />
      )
    case 'one-more':
      return (
        <SureDialog
          title={`Receive another ${asked.title}?`}
          text="It’s a new frame with its own store tag and F#."
          yes="Receive"
          busy={isBusy}
          onYes={() => void take({ id_model: asked.id_model, name: asked.title })}
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

/** First the model, then what the paper says of it. */
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

/** The lines of an invoice with one of them as it was entered, or with one more. Without a cost the price book's counts. */
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
