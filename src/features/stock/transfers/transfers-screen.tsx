import { Plus, Truck } from 'lucide-react'
import { useState } from 'react'
import { isOverdue, type TransferCard, transferEndpoints, type TransferTab } from '#contract/stock/transfers.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useWaiting } from '#src/sync/react/use-waiting.ts'
import { transferWork } from '#src/domain/transfers/record-transfer.ts'
import { usePage } from '#src/sync/react/use-page.ts'
import { useStores } from '#src/domain/stores/use-stores.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { formatAge, formatCount, formatDate } from '#src/ui/format.ts'
import { PageHeader } from '#src/ui/page-header.tsx'
import { ServerList } from '#src/ui/lists/server-list.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { type Column, VirtualTable } from '#src/ui/lists/virtual-table.tsx'
import { statusWords } from './words.ts'

const NewTransferDialog = fetchedDialog(async () => (await import('./components/new-transfer-dialog.tsx')).NewTransferDialog)

const tabs = [
  { key: 'to-send', label: 'To send' },
  { key: 'in-transit', label: 'In transit (ICT)' },
  { key: 'to-receive', label: 'To receive' },
  { key: 'done', label: 'Done' },
] as const

const nothing: Record<TransferTab, string> = {
  'to-send': 'Nothing to send.',
  'in-transit': 'Nothing in transit.',
  'to-receive': 'Nothing to receive.',
  done: 'No completed transfers yet.',
}

const words = {
  failed: 'Couldn’t load transfers',
  offline: 'This list hasn’t been opened on this tablet yet. Offline, you can still scan arrived frames in a count.',
}

/** `tab` is the tab in the address. An unknown one shows the first tab. */
type Props = { tab: string | undefined; onTab: (tab: TransferTab) => void; onOpen: (id: string) => void }

/** /transfer: the transfers that leave this store, and those that arrive. */
export function TransfersScreen({ tab: asked, onTab, onOpen }: Props) {
  const tab = tabs.find(({ key }) => key === asked)?.key ?? tabs[0].key
  const mayMove = useSession((session) => session.home?.permissions.includes('frame.transfer') ?? false)
  const [isNew, setNew] = useState(false)
  return (
    <div className="fills-page">
      <PageHeader
        title="Transfers"
        actions={
          mayMove && (
            <Button variant="primary" icon={<Plus size={18} aria-hidden />} onClick={() => setNew(true)}>
              New transfer
            </Button>
          )
        }
      />
      <Tabs label="Transfers" tabs={tabs} selected={tab} onSelect={onTab} fill>
        {tab === 'to-send' && <BegunHere onOpen={onOpen} />}
        <TransferList key={tab} tab={tab} onOpen={onOpen} />
      </Tabs>
      {isNew && <NewTransferDialog onClose={() => setNew(false)} onMade={onOpen} />}
    </div>
  )
}

/** The transfers that were started on this tablet and that the server does not have yet. */
function BegunHere({ onOpen }: Pick<Props, 'onOpen'>) {
  const stores = useStores()
  const begun = (useWaiting(transferWork) ?? []).filter((one) => one.kind === 'transfer.begin')
  if (begun.length === 0) return null
  return (
    <ul aria-label="On this tablet only" className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface">
      {begun.map(({ id, body, refusal }) => (
        <li key={id}>
          <button
            type="button"
            className="flex min-h-tall w-full items-center justify-between gap-3 px-4 text-left hover:bg-hover"
            onClick={() => onOpen(body.id_transfer)}
          >
            <span className="font-medium">
              New transfer to {stores.find(({ store_id }) => store_id === body.to_store_id)?.store_name ?? 'another store'}
            </span>
            <Badge tone={refusal ? 'bad' : 'warn'}>{refusal ? 'Couldn’t send' : 'On this tablet only'}</Badge>
          </button>
        </li>
      ))}
    </ul>
  )
}

function TransferList({ tab, onOpen }: { tab: TransferTab } & Pick<Props, 'onOpen'>) {
  const device = useDevice()
  const timeZone = useSession(({ home }) => home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone)
  const list = usePage(transferEndpoints.listTransfers, { tab }, 'transfers')
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 pt-4">
      <ServerList of={list} words={{ ...words, none: { title: nothing[tab] } }} icon={<Truck aria-hidden />} timeZone={timeZone}>
        {(rows) => (
          <VirtualTable
            label="Transfers"
            columns={columnsOf(tab, device.serverNow(), timeZone)}
            rows={rows}
            rowKey={idOf}
            rowHeight={64}
            onOpen={({ id_transfer }) => onOpen(id_transfer)}
          />
        )}
      </ServerList>
    </div>
  )
}

/** Leaves out the store of the list: only the other one is news. */
const routeOf = ({ from_store, to_store }: TransferCard, tab: TransferTab) => {
  if (tab === 'to-receive') return `from ${from_store}`
  return tab === 'done' ? `${from_store} → ${to_store}` : `to ${to_store}`
}

const idOf = ({ id_transfer }: TransferCard) => id_transfer

function columnsOf(tab: TransferTab, now: number, timeZone: string | undefined): Column<TransferCard>[] {
  const dateOf = ({ created_at, sent_at, closed_at }: TransferCard) =>
    tab === 'done' ? (closed_at ?? created_at) : (sent_at ?? created_at)
  return [
    {
      key: 'number',
      header: 'Transfer',
      width: 'minmax(0, 1fr)',
      cell: (row) => (
        <>
          <p className="truncate font-medium">
            #{row.number} · {routeOf(row, tab)}
          </p>
          <p className="truncate text-sm text-ink-2">
            {isOverdue(row, now) && <span className="font-medium text-bad lg:hidden">Overdue · </span>}
            {[row.note, row.carrier, row.tracking].filter(Boolean).join(' · ') || <bdi>{row.created_by}</bdi>}
          </p>
        </>
      ),
    },
    {
      key: 'pieces',
      header: 'Pieces',
      width: '5rem',
      numeric: true,
      cell: ({ pieces, arrived, status }) =>
        status === 'draft' || status === 'sent' ? formatCount(pieces) : `${formatCount(arrived)} of ${formatCount(pieces)}`,
    },
    {
      key: 'date',
      header: tab === 'done' ? 'Closed' : tab === 'to-send' ? 'Started' : 'Sent',
      width: '7.5rem',
      from: 'md',
      cell: (row) => (
        <>
          <p className="figures text-sm">{formatDate(dateOf(row), timeZone)}</p>
          <p className="figures text-sm text-ink-2">{formatAge(now - Date.parse(dateOf(row)))}</p>
        </>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      width: '9.5rem',
      from: 'lg',
      cell: (row) => {
        const { label, tone } = statusWords[row.status]
        return isOverdue(row, now) ? <Badge tone="bad">Overdue</Badge> : <Badge tone={tone}>{label}</Badge>
      },
    },
  ]
}
