import { useEffect, useState } from 'react'
import { sizeOf, type Frame } from '#contract/stock/frame.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatDateTime, formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { Spinner } from '#src/ui/spinner.tsx'
import { StatusBadge } from '#src/ui/status-badge.tsx'
import { everything } from '../model/filters.ts'
import { listOnDevice, type Store } from '../model/stock-list.ts'
import { modelKey } from '../model/stock-order.ts'

type Location = { store_id: number; store_name: string; quantity: number }

/** A piece: this device's data, other stores with its model, and its actions. */
export function FrameSheet({
  frame,
  stores,
  timeZone,
  onClose,
  onLookUp,
  onLabel,
  onPrice,
}: {
  frame: Frame
  stores: readonly Store[]
  timeZone: string | undefined
  onClose: () => void
  onLookUp: () => void
  onLabel: () => void
  onPrice: () => void
}) {
  const mayPrice = useSession((session) => session.home?.permissions.includes('frame.price') ?? false)
  const mayLabel = useSession((session) => session.home?.permissions.includes('frame.label') ?? false)
  const facts: [string, string | null][] = [
    ['Store tag', frame.sku],
    ['Serial / F#', frame.serial],
    ['UPC', frame.upc],
    ['Size', sizeOf(frame)],
    ['Price', frame.pb_selling_price === null ? 'None' : formatMoney(frame.pb_selling_price)],
    ['Store', stores.find(({ store_id }) => store_id === frame.store_id)?.store_name ?? null],
    ['Place', frame.board_location],
    ['Last seen', frame.last_seen_at === null ? 'Never' : formatDateTime(frame.last_seen_at, timeZone)],
  ]
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${frame.brand_name} ${frame.title_product}`}
      description={frame.title_variant}
      footer={
        <>
          {mayLabel && <Button onClick={onLabel}>Print label</Button>}
          {mayPrice && <Button onClick={onPrice}>Change price</Button>}
          <Button variant="primary" onClick={onLookUp}>
            Item history and status
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <p>
          <StatusBadge status={frame.status} />
        </p>
        <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:gap-x-8">
          {facts.map(([label, value]) =>
            value === null ? null : (
              <div key={label}>
                <dt className="text-sm text-ink-2">{label}</dt>
                <dd className="figures wrap-anywhere">{value}</dd>
              </div>
            ),
          )}
        </dl>
        <OtherStores frame={frame} stores={stores} />
      </div>
    </Dialog>
  )
}

/** The stores where this model and color is ready for sale, from this device's data. */
function OtherStores({ frame, stores }: { frame: Frame; stores: readonly Store[] }) {
  const device = useDevice()
  const [locations, setLocations] = useState<Location[] | null>()
  useEffect(() => {
    let gone = false
    const filters = { ...everything, brand: String(frame.brand_id), status: 'Ready for Sale' } as const
    const key = modelKey(frame)
    void listOnDevice(device, { view: 'models', filters, order: 'model', stores, now: 0 })
      .then(({ rows }) => {
        const models = rows.view === 'models' ? rows.lines : []
        const own = models.find((model) => modelKey({ ...model, title_product: model.model }) === key)
        if (!gone) setLocations(own?.locations ?? [])
      })
      .catch(() => gone || setLocations(null))
    return () => {
      gone = true
    }
  }, [device, frame, stores])
  return (
    <section aria-label="Find in other stores">
      <h3 className="mb-1 font-semibold">Ready for sale, this model and color</h3>
      {locations === undefined && <Spinner label="Looking in all stores…" />}
      {locations === null && <p className="text-ink-2">Couldn’t read the frames on this device.</p>}
      {locations?.length === 0 && <p className="text-ink-2">Not in any store.</p>}
      {locations && locations.length > 0 && <LocationList locations={locations} />}
    </section>
  )
}

export function LocationList({ locations }: { locations: readonly Location[] }) {
  return (
    <ul className="divide-y divide-line rounded-md border border-line">
      {locations.map(({ store_id, store_name, quantity }) => (
        <li key={store_id} className="flex min-h-row items-center justify-between gap-3 px-4">
          <span className="min-w-0 truncate">{store_name}</span>
          <span className="figures">{formatNumberOf(quantity, 'piece')}</span>
        </li>
      ))}
    </ul>
  )
}
