import { useCallback } from 'react'
import { sizeOf } from '#contract/stock/frame.ts'
import { type BookedModel, type BookedPrices, priceBookEndpoints as book } from '#contract/library/price-book.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatDate, formatDateTime, formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Spinner } from '#src/ui/spinner.tsx'

/** Returns the size of a model in the book. */
export function bookedSize({ eye, bridge, temple }: BookedModel): string | null {
  return sizeOf({ size_lens_width: eye, size_bridge_width: bridge, size_temple_length: temple })
}

/** A model's price, how it is calculated, and its history. */
export function PriceSheet({ model, onClose, onChange }: { model: BookedModel; onClose: () => void; onChange: (() => void) | null }) {
  const { prices } = model
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${model.brand_name} ${model.title}`}
      description={[model.title_variant, bookedSize(model)].filter(Boolean).join(' · ')}
      footer={
        onChange && (
          <Button variant="primary" onClick={onChange}>
            Change price
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-5">
        {model.planned_on !== null && <Notice>A new price starts {formatDate(model.planned_on)}.</Notice>}
        <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3">
          {factsOf(prices).map(([label, value]) => (
            <div key={label}>
              <dt className="text-sm text-ink-2">{label}</dt>
              <dd className="figures">{value}</dd>
            </div>
          ))}
          <div>
            <dt className="text-sm text-ink-2">In stock</dt>
            <dd className="figures">{formatNumberOf(model.in_stock, 'piece')}</dd>
          </div>
        </dl>
        <History idModel={model.id_model} />
      </div>
    </Dialog>
  )
}

function factsOf({ selling_price, rule, msrp, list_cost, discount_pct, net_cost, margin_pct }: BookedPrices): [string, string][] {
  const facts: [string, string | null][] = [
    ['Selling price', selling_price === null ? 'None' : formatMoney(selling_price)],
    ['Selling rule', rule === null ? null : rule.kind === 'fixed' ? 'Fixed' : `${rule.factor} × net cost`],
    ['Ending', rule?.kind === 'markup' ? (rule.ending === 'exact' ? 'No rounding' : rule.ending) : null],
    ['MSRP', msrp === null ? null : formatMoney(msrp)],
    ['List cost', list_cost === null ? null : formatMoney(list_cost)],
    ['Discount', discount_pct === null ? null : `${discount_pct}%`],
    ['Net cost', net_cost === null ? null : formatMoney(net_cost)],
    ['Margin', margin_pct === null ? null : `${margin_pct}%`],
  ]
  return facts.flatMap(([label, value]) => (value === null ? [] : [[label, value] as [string, string]]))
}

function History({ idModel }: { idModel: number }) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const timeZone = home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone
  const { value, failure, reload } = useLoaded(
    useCallback(() => device.call(book.bookHistory, { params: { id_model: String(idModel) } }), [device, idModel]),
  )
  return (
    <section aria-label="Price history">
      <h3 className="mb-1 font-semibold">Price history</h3>
      {!value && !failure && <Spinner label="Loading…" />}
      {!value && failure && <NotLoaded failure={failure} offline="Price history is available online." onRetry={() => void reload()} />}
      {value?.history.length === 0 && <p className="text-ink-2">No price yet.</p>}
      {value && value.history.length > 0 && (
        <ol className="divide-y divide-line rounded-md border border-line">
          {value.history.map(({ at, rep, planned, prices }, index) => (
            // New rows are only added at the front.
            <li key={value.history.length - index} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5">
              <span className="figures font-medium">
                {prices.selling_price === null ? 'No price' : formatMoney(prices.selling_price)}
                {prices.net_cost !== null && <span className="font-normal text-ink-2"> · net {formatMoney(prices.net_cost)}</span>}
              </span>
              <span className="text-sm text-ink-2">
                <bdi>{rep}</bdi>, {formatDateTime(at, timeZone)}
                {planned && ', with others'}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
