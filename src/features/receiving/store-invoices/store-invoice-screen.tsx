import { Link } from '@tanstack/react-router'
import { ArrowLeft, ChevronRight, Plus, ReceiptText } from 'lucide-react'
import { useCallback, useState } from 'react'
import { storeInvoiceEndpoints as calls, type StoreInvoice } from '#contract/receiving/store-invoices.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatDateTime, formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { VendorInvoiceDialog } from './components/vendor-invoice-dialog.tsx'
import { differenceOf } from './components/difference.tsx'
import { type VendorPlace, vendorPlace } from './places.ts'
import { keptAtServer, statusWords } from './words.ts'

type Props = { invoiceId: string; onOpen: (place: VendorPlace) => void; onGone: () => void }

/** /receipts/store/invoice/:id: one delivery, with its vendors' invoices. */
export function StoreInvoiceScreen({ invoiceId, onOpen, onGone }: Props) {
  const device = useDevice()
  const load = useCallback(() => device.call(calls.viewInvoice, { params: { id: invoiceId } }), [device, invoiceId])
  const { value, failure, reload } = useLoaded(load)
  if (value) return <Opened receipt={value} onOpen={onOpen} onGone={onGone} />
  if (!failure) return <Skeleton lines={6} height="row" />
  return (
    <NotLoaded
      failure={failure}
      title="Couldn’t open the receipt"
      icon={<ReceiptText aria-hidden />}
      offline={keptAtServer}
      onRetry={() => void reload()}
    />
  )
}

function Opened({ receipt, onOpen, onGone }: { receipt: StoreInvoice; onOpen: (place: VendorPlace) => void; onGone: () => void }) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const isOffline = useConnection((connection) => connection.online) === false
  const [asked, setAsked] = useState<'add' | 'delete' | null>(null)
  const isHere = receipt.store_id === home?.store_id
  const may = (permission: 'vendor-invoice.write' | 'vendor-invoice.settle') => isHere && (home?.permissions.includes(permission) ?? false)
  const timeZone = home?.locations.find(({ store_id }) => store_id === receipt.store_id)?.time_zone
  const close = () => setAsked(null)

  async function remove() {
    const answer = await device.call(calls.deleteInvoice, { params: { id: receipt.invoice_id } })
    close()
    if (!answer.ok) {
      showToast({ title: 'Receipt not deleted', description: answer.failure.message, tone: 'bad' })
      return
    }
    showToast({ title: `Receipt ${receipt.number} deleted`, tone: 'good' })
    void device.pull()
    onGone()
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <PageHeader
        windowTitle={`Receipt ${receipt.number}`}
        caption={receipt.store}
        back={
          <Link
            to="/receipts"
            aria-label="All receipts"
            className="-ml-2 inline-flex size-target shrink-0 items-center justify-center rounded-md hover:bg-hover"
          >
            <ArrowLeft size={20} aria-hidden />
          </Link>
        }
        title={
          <span className="flex flex-wrap items-center gap-2">
            Receipt {receipt.number}
            {receipt.open > 0 && <Badge tone="info">{formatNumberOf(receipt.open, 'open invoice')}</Badge>}
          </span>
        }
        actions={
          <>
            {may('vendor-invoice.settle') && (
              <Button disabled={isOffline} onClick={() => setAsked('delete')}>
                Delete
              </Button>
            )}
            {may('vendor-invoice.write') && (
              <Button variant="primary" icon={<Plus size={18} aria-hidden />} disabled={isOffline} onClick={() => setAsked('add')}>
                Add a vendor invoice
              </Button>
            )}
          </>
        }
      >
        {formatNumberOf(receipt.pieces, 'piece')} · started by <bdi>{receipt.created_by}</bdi>,{' '}
        {formatDateTime(receipt.created_at, timeZone)}
      </PageHeader>
      {isOffline && <Notice tone="warn">{keptAtServer}</Notice>}
      {receipt.vendor_invoices.length === 0 ? (
        <EmptyState icon={<ReceiptText aria-hidden />} title="No vendor invoice yet">
          Add the invoice that came with the shipment.
        </EmptyState>
      ) : (
        <ul aria-label="Vendor invoices" className="divide-y divide-line rounded-lg border border-line bg-surface">
          {receipt.vendor_invoices.map((invoice) => {
            const { label, tone } = statusWords[invoice.status]
            return (
              <li key={invoice.id_vendor_invoice}>
                <Link
                  {...vendorPlace(invoice)}
                  className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2"
                >
                  <span className="min-w-0 flex-[1_1_14rem]">
                    <span className="block truncate font-medium">{invoice.vendor}</span>
                    <span className="figures block truncate text-sm text-ink-2">{invoice.vendor_invoice_no}</span>
                  </span>
                  <span className="figures text-sm">{formatNumberOf(invoice.pieces, 'piece')}</span>
                  {invoice.totals && <span className="figures text-sm">{formatMoney(invoice.totals.computed_cents)}</span>}
                  {differenceOf(invoice)}
                  <Badge tone={tone}>{label}</Badge>
                  <ChevronRight size={18} aria-hidden className="text-ink-3" />
                </Link>
              </li>
            )
          })}
        </ul>
      )}
      {asked === 'add' && <VendorInvoiceDialog invoice={null} receipt={receipt.invoice_id} onSaved={onOpen} onClose={close} />}
      {asked === 'delete' && (
        <SureDialog
          title={`Delete receipt ${receipt.number}?`}
          text={
            receipt.pieces === 0
              ? 'Its vendor invoices are deleted too.'
              : `Its vendor invoices are deleted too, and ${formatNumberOf(receipt.pieces, 'frame')} removed from stock, if none were sold or moved.`
          }
          yes="Delete"
          onYes={remove}
          onClose={close}
        />
      )}
    </div>
  )
}
