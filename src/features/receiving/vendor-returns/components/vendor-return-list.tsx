import { Undo2 } from 'lucide-react'
import { isOverdue } from '#contract/returns/vendor-return-rules.ts'
import { type VendorReturnCard, vendorReturnEndpoints } from '#contract/returns/vendor-returns.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { usePage } from '#src/sync/react/use-page.ts'
import { Badge } from '#src/ui/badge.tsx'
import { formatAge, formatCount, formatDate, formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { ServerList } from '#src/ui/lists/server-list.tsx'
import { type Column, VirtualTable } from '#src/ui/lists/virtual-table.tsx'
import { creditWords, reasonWords, statusWords } from '../model/vendor-words.ts'

const words = {
  failed: 'Couldn’t load returns',
  offline: 'Returns are available online. Offline, you can still choose “Return to vendor” in the frame lookup.',
}
const nothing = {
  open: { title: 'No returns waiting.', hint: 'Start one here, or choose “Return to vendor” in the frame lookup.' },
  done: { title: 'No completed returns yet.' },
}

/** The store's returns to vendors: the open ones or the completed ones. */
export function VendorReturnList({ tab, onOpen }: { tab: 'open' | 'done'; onOpen: (id: string) => void }) {
  const device = useDevice()
  const timeZone = useSession(({ home }) => home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone)
  const list = usePage(vendorReturnEndpoints.listVendorReturns, { list: tab }, 'return_invoices')
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 pt-4">
      <ServerList of={list} words={{ ...words, none: nothing[tab] }} icon={<Undo2 aria-hidden />} timeZone={timeZone}>
        {(rows) => (
          <VirtualTable
            label="Returns"
            columns={columnsOf(device.serverNow(), timeZone)}
            rows={rows}
            rowKey={idOf}
            rowHeight={64}
            onOpen={({ return_id }) => onOpen(return_id)}
          />
        )}
      </ServerList>
    </div>
  )
}

const idOf = ({ return_id }: VendorReturnCard) => return_id

function columnsOf(now: number, timeZone: string | undefined): Column<VendorReturnCard>[] {
  return [
    {
      key: 'return',
      header: 'Return',
      width: 'minmax(0, 1fr)',
      cell: (row) => (
        <>
          <p className="truncate font-medium">{row.vendor}</p>
          <p className="truncate text-sm text-ink-2">
            {[
              `#${row.number}`,
              formatNumberOf(row.pieces, 'piece'),
              row.ra_number && `RMA ${row.ra_number}`,
              reasonWords[row.reason],
              row.note,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </>
      ),
    },
    { key: 'pieces', header: 'Pieces', width: '4rem', numeric: true, from: 'md', cell: ({ pieces }) => formatCount(pieces) },
    {
      key: 'credit',
      header: 'Credit',
      width: '7rem',
      numeric: true,
      from: 'md',
      cell: ({ credit }) =>
        credit && (
          <>
            <p>{credit.received_cents === null ? '–' : formatMoney(credit.received_cents)}</p>
            <p className="text-sm text-ink-2">of {formatMoney(credit.expected_cents)}</p>
          </>
        ),
    },
    {
      key: 'since',
      header: 'Since',
      width: '7.5rem',
      from: 'lg',
      cell: ({ since }) => (
        <>
          <p className="figures text-sm">{formatDate(since, timeZone)}</p>
          <p className="figures text-sm text-ink-2">{formatAge(now - Date.parse(since))}</p>
        </>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      width: '8.5rem',
      cell: (row) => {
        const { label, tone } = statusWords[row.status]
        const credit = creditWords(row)
        return (
          <span className="flex flex-wrap gap-1">
            <Badge tone={tone}>{label}</Badge>
            {isOverdue(row.status, row.since, now) && <Badge tone="bad">Overdue</Badge>}
            {credit && <Badge tone={credit.tone}>{credit.label}</Badge>}
          </span>
        )
      },
    },
  ]
}
