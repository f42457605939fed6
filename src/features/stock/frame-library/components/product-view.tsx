import { Glasses, Pencil, Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { frameLibraryEndpoints as library, type Model, type Product } from '#contract/library/frame-library.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { formatCount, formatDate, formatMoney } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { type Column, VirtualTable } from '#src/ui/lists/virtual-table.tsx'
import { ModelThumbnail } from './model-photo.tsx'
import { ModelSheet, modelSize } from './model-sheet.tsx'

const CustomDialog = fetchedDialog(async () => (await import('./library-dialogs.tsx')).CustomDialog)
const ModelDialog = fetchedDialog(async () => (await import('./library-dialogs.tsx')).ModelDialog)
const ProductDialog = fetchedDialog(async () => (await import('./library-dialogs.tsx')).ProductDialog)
const StockDialog = fetchedDialog(async () => (await import('./library-dialogs.tsx')).StockDialog)

type Open = { kind: 'product' | 'add' } | { kind: 'sheet' | 'change' | 'stock' | 'custom'; model: Model }

/** A product with all its models. */
export function ProductView({
  idProduct,
  may,
  onChanged,
}: {
  idProduct: number
  may: { write: boolean; add: boolean }
  onChanged: () => void
}) {
  const device = useDevice()
  const loaded = useLoaded(
    useCallback(() => device.call(library.modelsByProduct, { params: { id: String(idProduct) } }), [device, idProduct]),
  )
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const changed = () => {
    void loaded.reload()
    onChanged()
  }
  if (!loaded.value) {
    if (!loaded.failure) return <Skeleton lines={6} height="row" />
    return <NotLoaded failure={loaded.failure} offline="The library is available online." onRetry={() => void loaded.reload()} />
  }
  const { product, models } = loaded.value
  return (
    <section aria-label={product.title} className="flex min-h-0 flex-1 flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold wrap-anywhere">
            {product.brand_name} {product.title}
          </h2>
          <p className="text-sm text-ink-2">{aboutOf(product)}</p>
        </div>
        {may.write && (
          <div className="flex flex-wrap gap-2">
            <Button icon={<Pencil size={18} aria-hidden />} onClick={() => setOpen({ kind: 'product' })}>
              Edit
            </Button>
            <Button icon={<Plus size={18} aria-hidden />} onClick={() => setOpen({ kind: 'add' })}>
              Add model
            </Button>
          </div>
        )}
      </div>
      {loaded.failure && <p className="text-sm text-warn">You’re offline. This may be out of date.</p>}
      {models.length === 0 ? (
        <EmptyState icon={<Glasses aria-hidden />} title="No colors or sizes yet.">
          {may.write && 'Add the first model of this product.'}
        </EmptyState>
      ) : (
        <VirtualTable
          label="Models"
          columns={columns}
          rows={models}
          rowKey={keyOf}
          rowHeight={60}
          onOpen={(model) => setOpen({ kind: 'sheet', model })}
        />
      )}
      {open?.kind === 'product' && (
        <ProductDialog
          product={product}
          brand={{ brand_id: product.brand_id, name: product.brand_name }}
          onClose={close}
          onSaved={changed}
        />
      )}
      {open?.kind === 'add' && <ModelDialog model={null} product={product} like={models[0] ?? null} onClose={close} onSaved={changed} />}
      {open?.kind === 'change' && <ModelDialog model={open.model} product={product} like={null} onClose={close} onSaved={changed} />}
      {open?.kind === 'stock' && <StockDialog model={open.model} product={product} onClose={close} onSaved={changed} />}
      {open?.kind === 'custom' && (
        <CustomDialog
          model={open.model}
          product={product}
          onClose={close}
          onSaved={() => queueMicrotask(() => setOpen({ kind: 'sheet', model: open.model }))}
        />
      )}
      {open?.kind === 'sheet' && (
        <ModelSheet
          model={models.find(({ id_model }) => id_model === open.model.id_model) ?? open.model}
          product={product}
          onClose={close}
          onPhoto={may.write ? loaded.reload : null}
          onChange={may.write ? () => setOpen({ kind: 'change', model: open.model }) : null}
          onStock={may.add ? () => setOpen({ kind: 'stock', model: open.model }) : null}
          onCustom={may.add ? () => setOpen({ kind: 'custom', model: open.model }) : null}
        />
      )}
    </section>
  )
}

function aboutOf(product: Product): string {
  const words = [product.material, product.shape, product.rim, product.gender && `for ${product.gender}`]
  const launched = product.launch_date && `launched ${formatDate(product.launch_date)}`
  const ended = product.discontinued_at && `discontinued since ${formatDate(product.discontinued_at)}`
  return [...words, launched, ended].filter(Boolean).join(' · ')
}

const keyOf = (model: Model) => model.id_model
const piecesOf = ({ locations }: Model) => locations.reduce((sum, { quantity }) => sum + quantity, 0)

const columns: readonly Column<Model>[] = [
  {
    key: 'model',
    header: 'Color and size',
    width: 'minmax(0, 1.5fr)',
    cell: (model) => (
      <div className="flex items-center gap-3">
        <ModelThumbnail idPhoto={model.id_photo} />
        <div className="min-w-0">
          <p className="truncate font-medium">
            {model.title_variant} {model.discontinued_at !== null && <Badge tone="warn">Discontinued</Badge>}
          </p>
          <p className="figures truncate text-sm text-ink-2">{[modelSize(model) ?? 'No size', model.upc].filter(Boolean).join(' · ')}</p>
        </div>
      </div>
    ),
  },
  {
    key: 'stock',
    header: 'In stock',
    width: '5rem',
    numeric: true,
    cell: (model) => (
      <span className={piecesOf(model) < model.min_qty ? 'font-semibold text-warn' : ''}>{formatCount(piecesOf(model))}</span>
    ),
  },
  {
    key: 'price',
    header: 'Price',
    width: '5.5rem',
    numeric: true,
    cell: ({ prices }) => (prices.selling_price === null ? '–' : formatMoney(prices.selling_price)),
  },
]
