import { Search, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { inventoryStatuses } from '#contract/stock/frame.ts'
import { inventoryEndpoints } from '#contract/stock/frames.ts'
import { useReference } from '#src/sync/react/use-reference.ts'
import { Button } from '#src/ui/button.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { priceProblems, type StockFilters, type StockOrderKey, stockOrders } from '../model/filters.ts'
import type { Store } from '../model/stock-list.ts'

const days = (word: string, list: readonly number[]) => [
  { value: '', label: 'Any' },
  ...list.map((one) => ({ value: String(one), label: `${word} ${one} days` })),
]
const unseen = days('For', [14, 30, 60, 90, 180])
const ages = days('Over', [90, 180, 365, 730])
const statuses = [
  { value: '', label: 'Any' },
  { value: 'in-stock', label: 'In stock' },
  ...inventoryStatuses.map((status) => ({ value: status, label: status })),
] as const
const orders = Object.entries(stockOrders).map(([value, { label }]) => ({ value: value as StockOrderKey, label }))

/** The filters of the list. A phone shows only the search until the user opens them. */
export function FilterBar({
  filters,
  order,
  stores,
  withOrder,
  onFilters,
  onOrder,
  children,
}: {
  filters: StockFilters
  order: StockOrderKey
  stores: readonly Store[]
  withOrder: boolean
  onFilters: (filters: StockFilters) => void
  onOrder: (order: StockOrderKey) => void
  /** More controls in the row of the search. */
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const brands = useReference(inventoryEndpoints.brands)
  const vendors = useReference(inventoryEndpoints.vendors)
  const problems = priceProblems(filters)
  const change = (more: Partial<StockFilters>) => onFilters({ ...filters, ...more })
  const ofVendor = brands.value?.brands.filter((brand) => filters.vendor === '' || brand.vendor_id === Number(filters.vendor)) ?? []
  return (
    <form role="search" aria-label="Frames" onSubmit={(event) => event.preventDefault()} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <div className="min-w-0 flex-[1_1_12rem]">
          <TextField
            label="Search"
            icon={<Search size={18} aria-hidden />}
            placeholder="Store tag, F#, UPC, brand, model or color"
            autoComplete="off"
            spellCheck={false}
            value={filters.search}
            onChange={(search) => change({ search })}
          />
        </div>
        <Button icon={<SlidersHorizontal size={18} aria-hidden />} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filters
        </Button>
        {children}
      </div>
      {isOpen && (
        <div className="grid grid-cols-2 gap-3 rounded-lg border border-line bg-surface p-4 md:grid-cols-3 xl:grid-cols-5">
          <SelectField
            label="Store"
            options={[
              { value: '', label: 'All stores' },
              ...stores.map(({ store_id, store_name }) => ({ value: String(store_id), label: store_name })),
            ]}
            value={filters.store}
            onChange={(store) => change({ store })}
          />
          <SelectField label="Status" options={statuses} value={filters.status} onChange={(status) => change({ status })} />
          <SelectField
            label="Vendor"
            options={named(vendors.value?.vendors ?? [])}
            value={filters.vendor}
            onChange={(vendor) => change({ vendor, brand: '' })}
          />
          <SelectField label="Brand" options={named(ofVendor)} value={filters.brand} onChange={(brand) => change({ brand })} />
          {withOrder && <SelectField label="Order" options={orders} value={order} onChange={onOrder} />}
          <TextField
            label="Price from"
            inputMode="decimal"
            value={filters.priceMin}
            onChange={(priceMin) => change({ priceMin })}
            error={problems.priceMin}
          />
          <TextField
            label="Price to"
            inputMode="decimal"
            value={filters.priceMax}
            onChange={(priceMax) => change({ priceMax })}
            error={problems.priceMax}
          />
          <SelectField label="Not seen" options={unseen} value={filters.unseenDays} onChange={(unseenDays) => change({ unseenDays })} />
          <SelectField
            label="In stock for"
            hint="Needs a connection"
            options={ages}
            value={filters.ageDays}
            onChange={(ageDays) => change({ ageDays })}
          />
        </div>
      )}
    </form>
  )
}

function named(rows: readonly { id: number; name: string }[]) {
  return [{ value: '', label: 'Any' }, ...rows.map(({ id, name }) => ({ value: String(id), label: name }))]
}
