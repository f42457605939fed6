import { Glasses } from 'lucide-react'
import { useCallback, useState, type ReactNode } from 'react'
import { sizeOf } from '#contract/stock/frame.ts'
import { storeInvoiceEndpoints as calls, type VendorInvoice } from '#contract/receiving/store-invoices.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatDateTime, formatMoney } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { StatusBadge } from '#src/ui/status-badge.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { keptAtServer } from '../words.ts'

type Props = {
  idInventory: number
  sku: string
  mayDelete: boolean
  timeZone: string | undefined
  onDeleted: (invoice: VendorInvoice) => void
  onClose: () => void
}

/** A received piece, with a button to take it off its invoice. */
export function ItemDialog({ idInventory, sku, mayDelete, timeZone, onDeleted, onClose }: Props) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const seesCosts = useSession((session) => session.home?.permissions.includes('frame.see-cost') ?? false)
  const load = useCallback(() => device.call(calls.viewInvoiceItem, { params: { id: String(idInventory) } }), [device, idInventory])
  const { value, failure, reload } = useLoaded(load)
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)

  async function remove(invoiceId: string) {
    setBusy(true)
    showToast({ title: 'Deleting item from the invoice...' })
    const answer = await device.call(calls.deleteInvoiceItem, { body: { sku, invoice_id: invoiceId } })
    setBusy(false)
    if (answer.ok) {
      showToast({ title: 'Item deleted successfully!', tone: 'good' })
      onDeleted(answer.value)
      onClose()
      return
    }
    showToast({ title: 'Failed to delete item.', description: answer.failure.message, tone: 'bad' })
    setAsked(false)
    void reload()
  }

  const mayGo = mayDelete && value?.stays === null
  return (
    <Dialog
      open
      onClose={onClose}
      title={sku}
      size="sm"
      footer={
        isAsked && value ? (
          <>
            <Button onClick={() => setAsked(false)}>Not yet</Button>
            <Button variant="danger" busy={isBusy} onClick={() => void remove(value.vendor_invoice.invoice_id)}>
              Delete item
            </Button>
          </>
        ) : (
          <>
            {mayGo && (
              <Button disabled={isOffline} onClick={() => setAsked(true)}>
                Delete…
              </Button>
            )}
            <Button variant="primary" onClick={onClose}>
              Close
            </Button>
          </>
        )
      }
    >
      {!value && !failure && <Skeleton lines={4} />}
      {!value && failure && (
        <NotLoaded
          failure={failure}
          title="This frame is no longer on the invoice"
          icon={<Glasses aria-hidden />}
          offline={keptAtServer}
          onRetry={() => void reload()}
        />
      )}
      {value && (
        <div className="flex flex-col gap-4">
          {isAsked && <Notice tone="warn">It’s removed from stock, and its tag isn’t reused. Its history is kept.</Notice>}
          {mayDelete && value.stays !== null && <Notice tone="info">{value.stays}. It stays on the invoice.</Notice>}
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
            <Row label="Model">
              {value.item.frame.brand_name} {value.item.frame.title_product}
            </Row>
            <Row label="Color and size">
              {[value.item.frame.title_variant, sizeOf(value.item.frame)].filter(Boolean).join(' · ') || '—'}
            </Row>
            <Row label="F#">
              <span className="figures">{value.item.frame.serial}</span>
            </Row>
            <Row label="UPC">
              <span className="figures">{value.item.frame.upc ?? 'None'}</span>
            </Row>
            <Row label="Status">
              <StatusBadge status={value.item.frame.status} />
            </Row>
            <Row label="Price">
              {value.item.frame.pb_selling_price === null ? 'None yet' : formatMoney(value.item.frame.pb_selling_price)}
            </Row>
            {seesCosts && <Row label="Cost">{value.item.item_net === null ? '—' : formatMoney(value.item.item_net)}</Row>}
            <Row label="Received">{value.item.received_at === null ? '—' : formatDateTime(value.item.received_at, timeZone)}</Row>
            <Row label="Invoice">
              {value.vendor_invoice.vendor} {value.vendor_invoice.vendor_invoice_no}, receipt {value.vendor_invoice.number}
            </Row>
          </dl>
        </div>
      )}
    </Dialog>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  )
}
