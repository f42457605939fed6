import { Search, SlidersHorizontal } from 'lucide-react'
import { useCallback, useState } from 'react'
import { storeInvoiceEndpoints as calls } from '#contract/receiving/store-invoices.ts'
import { type VendorInvoiceStatus, vendorInvoiceStatuses } from '#contract/receiving/vendor-invoice-rules.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/forms/checkbox.tsx'
import { DateField } from '#src/ui/forms/date-field.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { statusWords } from '../words.ts'

/** The filters of the list. An empty text does not filter. */
export type ReceiptFilters = {
  search: string
  store: string
  vendor: string
  status: VendorInvoiceStatus | ''
  from: string
  to: string
  difference: boolean
}
export const noFilters: ReceiptFilters = { search: '', store: '', vendor: '', status: '', from: '', to: '', difference: false }

const statuses = [
  { value: '' as const, label: 'Any' },
  ...vendorInvoiceStatuses.map((status) => ({ value: status, label: statusWords[status].label })),
]

type Props = { filters: ReceiptFilters; onFilters: (filters: ReceiptFilters) => void }

/** A phone shows only the search until the user opens the filters. */
export function ReceiptFilterBar({ filters, onFilters }: Props) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const [isOpen, setOpen] = useState(false)
  const vendors = useLoaded(useCallback(() => device.call(calls.invoiceVendors, {}), [device]))
  const change = (more: Partial<ReceiptFilters>) => onFilters({ ...filters, ...more })
  return (
    <form role="search" aria-label="Receipts" onSubmit={(event) => event.preventDefault()} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <div className="min-w-0 flex-[1_1_12rem]">
          <TextField
            label="Search"
            icon={<Search size={18} aria-hidden />}
            placeholder="Number, purchase order or vendor"
            autoComplete="off"
            spellCheck={false}
            value={filters.search}
            onChange={(search) => change({ search })}
          />
        </div>
        <Button icon={<SlidersHorizontal size={18} aria-hidden />} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filters
        </Button>
      </div>
      {isOpen && (
        <div className="grid grid-cols-2 gap-3 rounded-lg border border-line bg-surface p-4 md:grid-cols-3">
          <SelectField
            label="Store"
            options={(home?.locations ?? []).map(({ store_id, store_name }) => ({ value: String(store_id), label: store_name }))}
            value={filters.store || String(home?.store_id ?? '')}
            onChange={(store) => change({ store })}
          />
          <SelectField
            label="Vendor"
            options={[
              { value: '', label: 'Any' },
              ...(vendors.value?.vendors ?? []).map(({ vendor_id, name }) => ({ value: String(vendor_id), label: name })),
            ]}
            value={filters.vendor}
            onChange={(vendor) => change({ vendor })}
          />
          <SelectField label="Status" options={statuses} value={filters.status} onChange={(status) => change({ status })} />
          <DateField label="From" value={filters.from} onChange={(from) => change({ from })} />
          <DateField label="To" value={filters.to} onChange={(to) => change({ to })} />
          <div className="self-end">
            <Checkbox label="With differences" checked={filters.difference} onChange={(difference) => change({ difference })} />
          </div>
        </div>
      )}
    </form>
  )
}
