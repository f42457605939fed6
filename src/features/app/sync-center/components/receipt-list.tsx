import { ReceiptText, Search } from 'lucide-react'
import { useState } from 'react'
import { receiptDaysAtDevice } from '#contract/sync/command.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatDateTime } from '#src/ui/format.ts'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { VirtualList } from '#src/ui/lists/virtual-list.tsx'
import { useReceipts } from '../queries.ts'
import { titleOf } from '../words.ts'

/** Proves what arrived: the number that people can quote, the time, the author and the title. */
export function ReceiptList({ timeZone }: { timeZone: string | undefined }) {
  const [search, setSearch] = useState('')
  const receipts = useReceipts(search)
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 pt-3">
      <TextField
        label={`Search the receipts of the last ${receiptDaysAtDevice} days`}
        type="search"
        icon={<Search size={18} aria-hidden />}
        value={search}
        onChange={setSearch}
      />
      <VirtualList
        label="Receipts"
        rows={receipts ?? []}
        rowKey={(receipt) => receipt.id}
        rowHeight={64}
        empty={
          receipts && (
            <EmptyState icon={<ReceiptText aria-hidden />} title={search.trim() ? 'No matching receipts' : 'No receipts yet'}>
              {search.trim()
                ? 'Try part of the number, the name, or what was done.'
                : 'Work sent from this device is listed here once it arrives.'}
            </EmptyState>
          )
        }
        renderRow={(receipt) => (
          <div className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 px-4 py-2">
            <div className="min-w-0">
              <p className="break-words">
                {titleOf({ kind: receipt.command.kind, title: receipt.title }, receipt.outcome === 'applied' ? 'done' : 'refused')}
              </p>
              <p className="figures text-sm text-ink-2">
                <bdi>{receipt.author_name}</bdi>, {formatDateTime(receipt.settled_at, timeZone)}
              </p>
            </div>
            <span className="figures text-sm font-medium">
              {receipt.outcome === 'discarded' ? 'Discarded' : receipt.number === null ? 'Received' : `Received #${receipt.number}`}
            </span>
          </div>
        )}
      />
    </div>
  )
}
