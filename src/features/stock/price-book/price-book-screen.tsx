import { Search, Square, SquareCheck, Tag, Tags } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { type BookedModel, priceBookEndpoints as book } from '#contract/library/price-book.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { formatCount, formatDate, formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { ShowMore } from '#src/ui/lists/show-more.tsx'
import { type Column, VirtualTable } from '#src/ui/lists/virtual-table.tsx'
import { ChangesList } from './components/changes-list.tsx'
import { bookedSize, PriceSheet } from './components/price-sheet.tsx'
import { useBook } from './hooks/use-book.ts'

const PlanDialog = fetchedDialog(async () => (await import('./components/plan-dialog.tsx')).PlanDialog)

type View = 'prices' | 'changes'
const views = [
  { key: 'prices', label: 'Prices' },
  { key: 'changes', label: 'Changes' },
] as const

type Props = { view: View; onView: (view: View) => void; brand: number | null; onBrand: (brand: number | null) => void }

/** /price-book: costs and prices of the models, and changes of many prices. */
export function PriceBookScreen({ view, onView, brand, onBrand }: Props) {
  const mayPrice = useSession((session) => session.home?.permissions.includes('frame.price') ?? false)
  return (
    <div className="fills-page">
      <PageHeader title="Price book" />
      {mayPrice ? (
        <Tabs label="Price book" tabs={views} selected={view} onSelect={onView} fill>
          <div className="flex min-h-0 flex-1 flex-col gap-3 pt-4">
            {view === 'prices' ? <Prices brand={brand} onBrand={onBrand} mayPrice /> : <ChangesList />}
          </div>
        </Tabs>
      ) : (
        <div className="flex min-h-0 flex-1 flex-col gap-3">
          <Prices brand={brand} onBrand={onBrand} mayPrice={false} />
        </div>
      )}
    </div>
  )
}

type Open = { kind: 'sheet'; model: BookedModel } | { kind: 'plan'; models: readonly BookedModel[] }

function Prices({ brand, onBrand, mayPrice }: { brand: number | null; onBrand: (brand: number | null) => void; mayPrice: boolean }) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<number> | null>(null)
  const [open, setOpen] = useState<Open | null>(null)
  const tree = useLoaded(useCallback(() => device.call(book.bookVendorBrand, {}), [device]))
  const lines = useBook(brand, search)
  const models = lines.rows
  const columns = useMemo(() => columnsFor(chosen), [chosen])
  const close = () => setOpen(null)

  function openLine(model: BookedModel) {
    if (!chosen) return setOpen({ kind: 'sheet', model })
    const next = new Set(chosen)
    if (!next.delete(model.id_model)) next.add(model.id_model)
    setChosen(next)
  }
  const changed = () => {
    setChosen(null)
    void lines.reload()
    void tree.reload()
  }
  const brands = (tree.value?.vendors ?? []).flatMap((vendor) =>
    vendor.brands.map(({ brand_id, name, models: priced, unpriced }) => ({
      value: String(brand_id),
      label: `${vendor.name} · ${name} (${formatCount(priced)}${unpriced > 0 ? `, ${formatCount(unpriced)} without a price` : ''})`,
    })),
  )
  return (
    <>
      <search className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="Brand"
          options={[{ value: '', label: 'All brands' }, ...brands]}
          value={brand === null ? '' : String(brand)}
          onChange={(value) => {
            setChosen(null)
            onBrand(value === '' ? null : Number(value))
          }}
        />
        <TextField
          label="Search"
          type="search"
          icon={<Search size={18} aria-hidden />}
          placeholder="Product, color or UPC"
          autoComplete="off"
          value={search}
          onChange={(value) => {
            setChosen(null)
            setSearch(value)
          }}
        />
      </search>
      {!lines.isAsked && (
        <EmptyState icon={<Tag aria-hidden />} title="Select a brand.">
          Or search for a product, a color or a UPC.
        </EmptyState>
      )}
      {lines.isAsked && !lines.value && lines.failure && (
        <NotLoaded
          failure={lines.failure}
          title="Couldn’t load prices"
          offline="The price book is available online. Inventory shows frame prices, even offline."
          onRetry={() => void lines.reload()}
        />
      )}
      {lines.isAsked && !lines.value && !lines.failure && <Skeleton lines={8} height="row" />}
      {lines.isAsked && lines.value && lines.total === 0 && (
        <EmptyState icon={<Tag aria-hidden />} title={search.trim() === '' ? 'No prices for this brand.' : 'No matches.'} />
      )}
      {lines.isAsked && lines.total > 0 && (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <p role="status" className="mr-auto text-sm text-ink-2">
              {chosen ? `${formatNumberOf(chosen.size, 'model')} selected` : formatNumberOf(lines.total, 'model')}
            </p>
            {mayPrice && !chosen && (
              <Button icon={<Tags size={18} aria-hidden />} onClick={() => setChosen(new Set())}>
                Select models
              </Button>
            )}
            {chosen && (
              <>
                <Button onClick={() => setChosen(new Set(models.map(({ id_model }) => id_model)))}>
                  Select all {formatCount(models.length)}
                </Button>
                <Button
                  variant="primary"
                  disabled={chosen.size === 0 || isOffline}
                  onClick={() => setOpen({ kind: 'plan', models: models.filter(({ id_model }) => chosen.has(id_model)) })}
                >
                  Change prices
                </Button>
                <Button onClick={() => setChosen(null)}>Done</Button>
              </>
            )}
          </div>
          <VirtualTable label="Prices" columns={columns} rows={models} rowKey={keyOf} rowHeight={64} onOpen={openLine} />
          <ShowMore of={lines} />
        </>
      )}
      {open?.kind === 'sheet' && (
        <PriceSheet model={open.model} onClose={close} onChange={mayPrice ? () => setOpen({ kind: 'plan', models: [open.model] }) : null} />
      )}
      {open?.kind === 'plan' && <PlanDialog models={open.models} onClose={close} onChanged={changed} />}
    </>
  )
}

const keyOf = (model: BookedModel) => model.id_model
const amount = (cents: number | null) => (cents === null ? '–' : formatMoney(cents))

function columnsFor(chosen: ReadonlySet<number> | null): readonly Column<BookedModel>[] {
  const mark: Column<BookedModel> = {
    key: 'chosen',
    header: <span className="sr-only">Selected</span>,
    width: '1.5rem',
    cell: ({ id_model }) =>
      chosen?.has(id_model) ? (
        <SquareCheck size={22} className="text-accent-text" aria-label="Selected" />
      ) : (
        <Square size={22} className="text-ink-3" aria-label="Not selected" />
      ),
  }
  return chosen ? [mark, ...columns] : columns
}

const columns: readonly Column<BookedModel>[] = [
  {
    key: 'model',
    header: 'Model',
    width: 'minmax(0, 2fr)',
    cell: (model) => (
      <>
        <p className="truncate font-medium">
          {model.brand_name} {model.title}
        </p>
        <p className="truncate text-sm text-ink-2">{[model.title_variant, bookedSize(model)].filter(Boolean).join(' · ')}</p>
        {model.planned_on !== null && <p className="truncate text-sm text-accent-text">New price {formatDate(model.planned_on)}</p>}
      </>
    ),
  },
  {
    key: 'list',
    header: 'List',
    width: '5.5rem',
    numeric: true,
    from: 'lg',
    cell: ({ prices }) => (
      <>
        <p>{amount(prices.list_cost)}</p>
        {prices.discount_pct !== null && prices.discount_pct > 0 && <p className="text-sm text-ink-2">−{prices.discount_pct}%</p>}
      </>
    ),
  },
  { key: 'net', header: 'Net', width: '5rem', numeric: true, from: 'md', cell: ({ prices }) => amount(prices.net_cost) },
  { key: 'price', header: 'Price', width: '5.5rem', numeric: true, cell: ({ prices }) => <strong>{amount(prices.selling_price)}</strong> },
  {
    key: 'margin',
    header: 'Margin',
    width: '4.5rem',
    numeric: true,
    from: 'md',
    cell: ({ prices }) => (prices.margin_pct === null ? '–' : `${prices.margin_pct}%`),
  },
  { key: 'stock', header: 'In stock', width: '4.5rem', numeric: true, from: 'lg', cell: ({ in_stock }) => formatCount(in_stock) },
]
