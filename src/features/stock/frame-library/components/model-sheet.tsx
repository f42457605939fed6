import { useCallback, type ReactNode } from 'react'
import { sizeOf } from '#contract/stock/frame.ts'
import { frameLibraryEndpoints as library, type Model, type Product } from '#contract/library/frame-library.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatDate, formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { ModelPhoto } from './model-photo.tsx'

export function modelSize({ eye, bridge, temple }: Pick<Model, 'eye' | 'bridge' | 'temple'>): string | null {
  return sizeOf({ size_lens_width: eye, size_bridge_width: bridge, size_temple_length: temple })
}

/** A color and size of a product: its measures, prices and stock, and the custom glasses made from it. */
export function ModelSheet({
  model,
  product,
  onClose,
  onChange,
  onStock,
  onCustom,
  onPhoto,
}: {
  model: Model
  product: Product
  onClose: () => void
  onChange: (() => void) | null
  onStock: (() => void) | null
  onCustom: (() => void) | null
  /** Reloads the model after a change of its photo. Null when the user may not change it. */
  onPhoto: (() => Promise<void>) | null
}) {
  const { prices } = model
  const money = (cents: number | null) => (cents === null ? null : formatMoney(cents))
  const millimetres = (mm: number | null) => (mm === null ? null : `${mm} mm`)
  const rule = prices.rule?.kind === 'markup' ? `${prices.rule.factor} × net cost` : null
  const pieces = model.locations.reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={`${product.brand_name} ${product.title}`}
      description={`${model.title_variant}${modelSize(model) ? ` · ${modelSize(model)}` : ''}`}
      footer={
        <>
          {onChange && <Button onClick={onChange}>Edit</Button>}
          {onCustom && <Button onClick={onCustom}>Custom glasses</Button>}
          {onStock && (
            <Button variant="primary" onClick={onStock}>
              Add to stock
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {model.discontinued_at !== null && <Notice tone="warn">Discontinued since {formatDate(model.discontinued_at)}.</Notice>}
        <ModelPhoto model={model} alt={`${product.brand_name} ${product.title}, ${model.title_variant}`} onChanged={onPhoto} />
        <Facts
          label="Measurements"
          facts={[
            ['UPC', model.upc],
            ['A', millimetres(model.a)],
            ['B', millimetres(model.b)],
            ['ED', millimetres(model.ed)],
            ['DBL', millimetres(model.dbl)],
            ['Minimum in stock', model.min_qty === 0 ? null : String(model.min_qty)],
          ]}
        />
        <Facts
          label="Prices"
          facts={[
            ['Selling price', money(prices.selling_price) ?? 'None'],
            ['Selling rule', rule],
            ['MSRP', money(prices.msrp)],
            ['List cost', money(prices.list_cost)],
            ['Discount', prices.discount_pct === null ? null : `${prices.discount_pct}%`],
            ['Net cost', money(prices.net_cost)],
            ['Margin', prices.margin_pct === null ? null : `${prices.margin_pct}%`],
          ]}
        />
        <section aria-label="In stock">
          <h3 className="mb-1 font-semibold">In stock {pieces < model.min_qty && <Badge tone="warn">Fewer than {model.min_qty}</Badge>}</h3>
          {model.locations.length === 0 ? (
            <p className="text-ink-2">Not in any store.</p>
          ) : (
            <ul className="divide-y divide-line rounded-md border border-line">
              {model.locations.map(({ store_id, store_name, quantity }) => (
                <li key={store_id} className="flex min-h-row items-center justify-between gap-3 px-4">
                  <span className="min-w-0 truncate">{store_name}</span>
                  <span className="figures">{formatNumberOf(quantity, 'piece')}</span>
                </li>
              ))}
            </ul>
          )}
        </section>
        <Glasses idModel={model.id_model} />
      </div>
    </Dialog>
  )
}

function Facts({ label, facts }: { label: string; facts: [string, ReactNode][] }) {
  return (
    <section aria-label={label}>
      <h3 className="mb-1 font-semibold">{label}</h3>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt className="text-sm text-ink-2">{name}</dt>
              <dd className="figures wrap-anywhere">{value}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  )
}

/** The custom glasses made from the model. Shows nothing when there are none. */
function Glasses({ idModel }: { idModel: number }) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const timeZone = home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone
  const { value, failure } = useLoaded(
    useCallback(() => device.call(library.customGlassesOf, { params: { id_model: String(idModel) } }), [device, idModel]),
  )
  if (failure && !value) return <p className="text-sm text-ink-2">Couldn’t load custom glasses.</p>
  if (!value || value.glasses.length === 0) return null
  return (
    <section aria-label="Custom glasses">
      <h3 className="mb-1 font-semibold">Custom glasses</h3>
      <ul className="divide-y divide-line rounded-md border border-line">
        {value.glasses.map((glasses) => (
          <li key={glasses.id_custom} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5">
            <span className="min-w-0">
              {glasses.kind === 'own' ? 'Patient’s own' : 'Made for one patient'}
              {[glasses.color, modelSize(glasses), glasses.note].filter(Boolean).map((word) => ` · ${word}`)}
            </span>
            <span className="text-sm text-ink-2">
              {glasses.selling_price !== null && `${formatMoney(glasses.selling_price)} · `}
              {glasses.rep}, {formatDate(glasses.at, timeZone)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
