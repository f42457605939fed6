import { outBy } from '#contract/receiving/vendor-invoice-rules.ts'
import type { VendorInvoiceCard } from '#contract/receiving/store-invoices.ts'
import { Badge } from '#src/ui/badge.tsx'
import { formatMoney, formatNumberOf } from '#src/ui/format.ts'

/** The total of the pieces, and whether it matches the vendor's paper. */
export function TotalsLine({ totals, pieces }: Pick<VendorInvoiceCard, 'totals' | 'pieces'>) {
  if (!totals) return null
  const off = outBy(totals)
  const parts = [
    ['Pieces', totals.subtotal_cents],
    ['Shipping', totals.shipping_cents],
    ['Tax', totals.tax_cents],
    ['Discount', -totals.discount_cents],
  ] as const
  const shown = parts.filter(([label, cents]) => cents !== 0 || label === 'Pieces')
  return (
    <section aria-label="Totals check" className="rounded-lg border border-line bg-surface px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
        <dl className="flex flex-1 flex-wrap items-baseline gap-x-6 gap-y-1">
          {[...shown, ['Total', totals.computed_cents] as const].map(([label, cents]) => (
            <div key={label} className="flex items-baseline gap-2">
              <dt className="text-sm text-ink-2">{label}</dt>
              <dd className={`figures ${label === 'Total' ? 'font-semibold' : ''}`}>{formatMoney(cents)}</dd>
            </div>
          ))}
          <div className="flex items-baseline gap-2">
            <dt className="text-sm text-ink-2">Invoice total</dt>
            <dd className="figures">{totals.total_cents === null ? 'not entered' : formatMoney(totals.total_cents)}</dd>
          </div>
        </dl>
        <div role="status">
          {off !== null && <Badge tone="warn">{off}</Badge>}
          {off === null && totals.total_cents !== null && totals.missing_costs === 0 && pieces > 0 && <Badge tone="good">Matches</Badge>}
        </div>
      </div>
      {totals.missing_costs > 0 && (
        <p className="mt-1 text-sm text-ink-2">{formatNumberOf(totals.missing_costs, 'piece')} without a cost, not counted here.</p>
      )}
    </section>
  )
}
