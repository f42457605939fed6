import type { ItemHistory } from '#contract/stock/frames.ts'
import { formatDateTime } from '#src/ui/format.ts'
import { Spinner } from '#src/ui/spinner.tsx'

const columns = ['Date', 'Action', 'Status', 'From', 'To', 'Stock', 'By', 'Details'] as const

/** The history view. `undefined` while it loads, null when it is not available. */
export function FrameHistory({ history, timeZone }: { history: ItemHistory | null | undefined; timeZone: string | undefined }) {
  if (history === undefined) return <Spinner label="Loading the history…" />
  if (history === null) return <p className="text-ink-2">History isn’t available right now.</p>
  const { general_info: info, transaction_history: rows } = history
  const facts: [string, string | null][] = [
    ['Status', info.status],
    ['Store', info.store],
    ['In stock', info.in_stock ? 'Yes' : 'No'],
    ['Defective', info.defective ? 'Yes' : 'No'],
    ['Received', info.receipt_add && `#${info.receipt_add.number}, ${formatDateTime(info.receipt_add.date, timeZone)}`],
    ['Patient', info.patient?.patient ?? null],
    ['Patient invoice', info.patient?.patient_invoice ?? null],
    ['Order', info.patient?.order ?? null],
    ['Request', info.patient?.request ?? null],
  ]
  return (
    <section aria-label="Item history" className="flex flex-col gap-4">
      <dl className="grid grid-cols-2 gap-x-8 gap-y-3 sm:grid-cols-4">
        {facts.map(([label, value]) =>
          value === null ? null : (
            <div key={label}>
              <dt className="text-sm text-ink-2">{label}</dt>
              <dd className="break-words">{value}</dd>
            </div>
          ),
        )}
      </dl>
      {rows.length === 0 ? (
        <p className="text-ink-2">No history for this frame yet.</p>
      ) : (
        <section aria-label="Transactions" className="overflow-x-auto rounded-lg border border-line" {...{ tabIndex: 0 }}>
          <table className="w-full text-sm">
            <thead>
              <tr className="border-b border-line text-left text-ink-2">
                {columns.map((column) => (
                  <th key={column} scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={`${row.date} ${row.action} ${index}`} className="border-b border-line align-top last:border-0">
                  <td className="figures px-3 py-2 whitespace-nowrap">{formatDateTime(row.date, timeZone)}</td>
                  <td className="px-3 py-2 whitespace-nowrap">{row.action}</td>
                  <td className="px-3 py-2 whitespace-nowrap">{row.status}</td>
                  <td className="px-3 py-2">{row.store_info.from_store}</td>
                  <td className="px-3 py-2">{row.store_info.to_store}</td>
                  <td className="px-3 py-2 whitespace-nowrap">{row.stock}</td>
                  <td className="px-3 py-2">
                    <bdi>{row.rep}</bdi>
                  </td>
                  <td className="min-w-40 px-3 py-2 break-words">{row.extra}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}
