import { Plus, ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { storeInvoiceEndpoints as calls, type StoreInvoiceCard, type VendorInvoiceCard } from '#contract/receiving/store-invoices.ts'
import { expectedHere } from '#contract/receiving/vendor-invoice-rules.ts'
import { useConnection, useSession } from '#src/sync/react/device-context.tsx'
import { useWaiting } from '#src/sync/react/use-waiting.ts'
import { receivedPieces } from '#src/domain/receiving/record-received-piece.ts'
import { usePage } from '#src/sync/react/use-page.ts'
import { useSettled } from '#src/sync/react/use-settled.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { incompleteDate } from '#src/ui/forms/date-field.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { formatCount, formatDate, formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { PageHeader } from '#src/ui/page-header.tsx'
import { ServerList } from '#src/ui/lists/server-list.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { type Column, VirtualTable } from '#src/ui/lists/virtual-table.tsx'
import { differenceOf } from './components/difference.tsx'
import { noFilters, ReceiptFilterBar, type ReceiptFilters } from './components/receipt-filters.tsx'
import type { VendorPlace } from './places.ts'
import { piecesIn } from './model/waiting-receipt.ts'
import { keptAtServer, statusWords } from './words.ts'

const VendorInvoiceDialog = fetchedDialog(async () => (await import('./components/vendor-invoice-dialog.tsx')).VendorInvoiceDialog)

export type ReceiptTab = 'vendors' | 'stores'
const tabs = [
  { key: 'vendors', label: 'Vendor invoices' },
  { key: 'stores', label: 'Store invoices' },
] as const

type Props = {
  tab: ReceiptTab
  onTab: (tab: ReceiptTab) => void
  onOpenVendor: (place: VendorPlace) => void
  onOpenStore: (invoiceId: string) => void
}

/** /receipts: the deliveries of vendors to this store. */
export function ReceiptsScreen({ tab, onTab, onOpenVendor, onOpenStore }: Props) {
  const mayWrite = useSession((session) => session.home?.permissions.includes('vendor-invoice.write') ?? false)
  const isOffline = useConnection((connection) => connection.online) === false
  const [filters, setFilters] = useState(noFilters)
  const [isNew, setNew] = useState(false)
  return (
    <div className="fills-page">
      <PageHeader
        title="Receipts"
        actions={
          mayWrite && (
            <Button variant="primary" icon={<Plus size={18} aria-hidden />} disabled={isOffline} onClick={() => setNew(true)}>
              New receipt
            </Button>
          )
        }
      />
      <Tabs label="Receipts" tabs={tabs} selected={tab} onSelect={onTab} fill>
        <div className="flex min-h-0 flex-1 flex-col gap-3 pt-4">
          <ReceiptFilterBar filters={filters} onFilters={setFilters} />
          <List tab={tab} filters={filters} onOpenVendor={onOpenVendor} onOpenStore={onOpenStore} />
        </div>
      </Tabs>
      {isNew && <VendorInvoiceDialog invoice={null} receipt={null} onSaved={onOpenVendor} onClose={() => setNew(false)} />}
    </div>
  )
}

const words = {
  failed: 'Couldn’t load receipts',
  offline: keptAtServer,
  none: { title: 'No receipts yet', hint: 'Create one when a shipment arrives.' },
  noneMatch: { title: 'No receipts match these filters' },
}

type ListProps = Pick<Props, 'tab' | 'onOpenVendor' | 'onOpenStore'> & { filters: ReceiptFilters }

function List({ tab, filters, onOpenVendor, onOpenStore }: ListProps) {
  const timeZone = useSession(({ home }) => home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone)
  const settled = useSettled(filters)
  const list = usePage(calls.listReceipts, { tab, ...queryOf(settled) }, tab === 'vendors' ? 'vendor_invoices' : 'store_invoices')
  const isNarrowed = JSON.stringify(settled) !== JSON.stringify(noFilters)
  return (
    <ServerList of={list} words={words} icon={<ReceiptText aria-hidden />} isNarrowed={isNarrowed} timeZone={timeZone}>
      {() =>
        tab === 'vendors' ? (
          <VirtualTable
            label="Vendor invoices"
            columns={vendorColumns}
            rows={list.value?.vendor_invoices ?? []}
            rowKey={vendorKey}
            rowHeight={64}
            onOpen={onOpenVendor}
          />
        ) : (
          <VirtualTable
            label="Store invoices"
            columns={storeColumns(timeZone)}
            rows={list.value?.store_invoices ?? []}
            rowKey={storeKey}
            rowHeight={64}
            onOpen={({ invoice_id }) => onOpenStore(invoice_id)}
          />
        )
      }
    </ServerList>
  )
}

const vendorKey = ({ id_vendor_invoice }: VendorInvoiceCard) => id_vendor_invoice
const storeKey = ({ invoice_id }: StoreInvoiceCard) => invoice_id

/** Returns false for an incomplete date, which filters nothing. Its field says so. */
const isDay = (typed: string) => typed !== '' && typed !== incompleteDate

function queryOf({ search, store, vendor, status, from, to, difference }: ReceiptFilters) {
  return {
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(store !== '' && { store_id: store }),
    ...(vendor !== '' && { vendor_id: vendor }),
    ...(status !== '' && { status }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(difference && { difference: '1' as const }),
  }
}

const dayWords = (day: string | null) => (day === null ? '—' : formatDate(day))

const vendorColumns: Column<VendorInvoiceCard>[] = [
  {
    key: 'number',
    header: 'Invoice',
    width: 'minmax(0, 1fr)',
    cell: (row) => (
      <>
        <p className="truncate font-medium">{row.vendor}</p>
        <p className="figures truncate text-sm text-ink-2">
          {row.vendor_invoice_no} · receipt {row.number}
        </p>
      </>
    ),
  },
  {
    key: 'date',
    header: 'Dated, received',
    width: '8rem',
    from: 'md',
    cell: (row) => (
      <>
        <p className="figures text-sm">{dayWords(row.invoice_date)}</p>
        <p className="figures text-sm text-ink-2">{dayWords(row.received_date)}</p>
      </>
    ),
  },
  {
    key: 'pieces',
    header: 'Pieces',
    width: '6.5rem',
    numeric: true,
    from: 'md',
    cell: (row) => <Pieces row={row} />,
  },
  {
    key: 'total',
    header: 'Total',
    width: '6.5rem',
    numeric: true,
    from: 'lg',
    cell: ({ totals, pieces }) => {
      const cents = totals?.total_cents ?? (pieces > 0 ? totals?.computed_cents : undefined)
      return cents === undefined ? '–' : formatMoney(cents)
    },
  },
  {
    key: 'status',
    header: 'Status',
    width: '9.5rem',
    cell: (row) => {
      const { label, tone } = statusWords[row.status]
      const difference = differenceOf(row)
      return (
        <div className="flex flex-col items-start gap-1">
          <Badge tone={tone}>{label}</Badge>
          {difference}
        </div>
      )
    },
  },
]

/** Shows `5 of 8`, and the extra or unsent pieces. */
function Pieces({ row }: { row: VendorInvoiceCard }) {
  const { pieces, invoiced, extra, id_vendor_invoice } = row
  const waits = piecesIn((useWaiting(receivedPieces) ?? []).filter(({ body }) => body['id_vendor_invoice'] === id_vendor_invoice))
  const more = [extra > 0 && `${formatCount(extra)} extra`, waits > 0 && `+ ${formatCount(waits)} waiting`].filter(Boolean)
  return (
    <>
      <p className="figures">{invoiced === null ? formatCount(pieces) : `${formatCount(expectedHere(row))} of ${formatCount(invoiced)}`}</p>
      {more.length > 0 && <p className="text-sm text-warn">{more.join(' · ')}</p>}
    </>
  )
}

const storeColumns = (timeZone: string | undefined): Column<StoreInvoiceCard>[] => [
  {
    key: 'number',
    header: 'Receipt',
    width: 'minmax(0, 1fr)',
    cell: (row) => (
      <>
        <p className="truncate font-medium">Receipt {row.number}</p>
        <p className="truncate text-sm text-ink-2">{row.vendors.join(', ') || 'No vendor invoice yet'}</p>
      </>
    ),
  },
  {
    key: 'date',
    header: 'Started',
    width: '8rem',
    from: 'md',
    cell: (row) => (
      <>
        <p className="figures text-sm">{formatDate(row.created_at, timeZone)}</p>
        <p className="truncate text-sm text-ink-2">
          <bdi>{row.created_by}</bdi>
        </p>
      </>
    ),
  },
  { key: 'pieces', header: 'Pieces', width: '4.5rem', numeric: true, cell: ({ pieces }) => formatCount(pieces) },
  {
    key: 'status',
    header: 'Status',
    width: '7.5rem',
    cell: ({ open, invoices }) =>
      open > 0 ? (
        <Badge tone="info">{formatNumberOf(open, 'open', 'open')}</Badge>
      ) : (
        <Badge tone="neutral">{invoices === 0 ? 'Empty' : 'Done'}</Badge>
      ),
  },
]
