import { ArrowLeft, Glasses, Plus, Search, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { brandTypes, genders, materials, shapes, type VendorBranch } from '#contract/library/frame-library.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { useSettled } from '#src/sync/react/use-settled.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/forms/checkbox.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { ShowMore } from '#src/ui/lists/show-more.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { LibraryTree } from './components/library-tree.tsx'
import { ProductList } from './components/product-list.tsx'
import { ProductView } from './components/product-view.tsx'
import { isLooked, type Looked, nothingLooked, useProducts, useTree } from './hooks/use-library.ts'

const BrandDialog = fetchedDialog(async () => (await import('./components/library-dialogs.tsx')).BrandDialog)
const ProductDialog = fetchedDialog(async () => (await import('./components/library-dialogs.tsx')).ProductDialog)
const VendorDialog = fetchedDialog(async () => (await import('./components/library-dialogs.tsx')).VendorDialog)

/** The place in the library. The address holds it, so that the Back button works. */
export type LibraryPlace = { brand?: number | undefined; product?: number | undefined }

type Open = { kind: 'vendor'; vendor: VendorBranch | null } | { kind: 'brand' | 'product' }
const offline = 'The library is available online. Inventory shows what’s in stock, even offline.'

/** /frame-library: the range of the vendors, from vendor to brand to product to model. */
export function FrameLibraryScreen({ place, onPlace }: { place: LibraryPlace; onPlace: (place: LibraryPlace) => void }) {
  const permissions = useSession((session) => session.home?.permissions)
  const may = { write: permissions?.includes('library.write') ?? false, add: permissions?.includes('frame.add') ?? false }
  const [looked, setLooked] = useState<Looked>(nothingLooked)
  const settled = useSettled(looked)
  const [open, setOpen] = useState<Open | null>(null)
  const [showsFilters, setShowsFilters] = useState(false)
  const tree = useTree(settled)
  const brandId = place.brand ?? null
  const products = useProducts(settled, brandId)
  const vendors = tree.value?.vendors ?? []
  const brand = vendors.flatMap(({ brands }) => brands).find(({ brand_id }) => brand_id === brandId)
  const look = (more: Partial<Looked>) => {
    setLooked((before) => ({ ...before, ...more }))
    if (place.product !== undefined) onPlace({ brand: place.brand })
  }
  const changed = () => {
    void products.reload()
    void tree.reload()
  }
  const close = () => setOpen(null)
  const isDeep = brandId !== null || place.product !== undefined
  const isInside = isDeep || isLooked(settled)
  return (
    <div className="fills-page">
      <PageHeader
        title="Frame library"
        actions={
          may.write && (
            <>
              {!isDeep && (
                <>
                  <Button icon={<Plus size={18} aria-hidden />} onClick={() => setOpen({ kind: 'vendor', vendor: null })}>
                    Vendor
                  </Button>
                  <Button icon={<Plus size={18} aria-hidden />} disabled={vendors.length === 0} onClick={() => setOpen({ kind: 'brand' })}>
                    Brand
                  </Button>
                </>
              )}
              {brand && place.product === undefined && (
                <Button variant="primary" icon={<Plus size={18} aria-hidden />} onClick={() => setOpen({ kind: 'product' })}>
                  Add product
                </Button>
              )}
            </>
          )
        }
      />
      <search className="mb-3 flex flex-col gap-3">
        <div className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <TextField
              label="Search"
              type="search"
              icon={<Search size={18} aria-hidden />}
              placeholder="Vendor, brand, product, color or UPC"
              autoComplete="off"
              value={looked.search}
              onChange={(search) => look({ search })}
            />
          </div>
          <Button
            aria-expanded={showsFilters}
            icon={<SlidersHorizontal size={18} aria-hidden />}
            onClick={() => setShowsFilters((before) => !before)}
          >
            Filters
          </Button>
        </div>
        {showsFilters && <Filters looked={looked} onLook={look} />}
      </search>
      {!tree.value && tree.failure && (
        <NotLoaded failure={tree.failure} title="Couldn’t load the library" offline={offline} onRetry={() => void tree.reload()} />
      )}
      {!tree.value && !tree.failure && <Skeleton lines={8} height="row" />}
      {tree.value && (
        <div className="grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)] gap-4 md:grid-cols-[16rem_minmax(0,1fr)]">
          <div className={`min-h-0 flex-col ${isInside ? 'hidden md:flex' : 'flex'}`}>
            {vendors.length > 0 ? (
              <LibraryTree
                vendors={vendors}
                brandId={brandId}
                allOpen={isLooked(settled)}
                onBrand={(id) => onPlace({ brand: id })}
                onVendor={may.write ? (vendor) => setOpen({ kind: 'vendor', vendor }) : null}
              />
            ) : (
              <p className="rounded-lg border border-line bg-surface p-4 text-ink-2">
                {isLooked(settled) ? 'No matching vendors.' : 'No vendors yet.'}
              </p>
            )}
          </div>
          <div className={`min-h-0 min-w-0 flex-col gap-3 ${isInside ? 'flex' : 'hidden md:flex'}`}>
            {isDeep && (
              <p>
                <Button
                  variant="quiet"
                  icon={<ArrowLeft size={18} aria-hidden />}
                  onClick={() => onPlace(place.product === undefined ? {} : { brand: place.brand })}
                >
                  {place.product === undefined ? 'All brands' : (brand?.name ?? 'Products')}
                </Button>
              </p>
            )}
            {place.product !== undefined && <ProductView idProduct={place.product} may={may} onChanged={changed} />}
            {place.product === undefined && !isInside && (
              <EmptyState icon={<Glasses aria-hidden />} title="Pick a vendor and brand.">
                Or search for a brand, a product, a color or a UPC.
              </EmptyState>
            )}
            {place.product === undefined && isInside && (
              <>
                {!products.value && products.failure && (
                  <NotLoaded failure={products.failure} offline={offline} onRetry={() => void products.reload()} />
                )}
                {!products.value && !products.failure && <Skeleton lines={6} height="row" />}
                {products.value && products.total === 0 && (
                  <EmptyState
                    icon={<Glasses aria-hidden />}
                    title={isLooked(settled) ? 'No matches.' : 'This brand has no products yet.'}
                    {...(isLooked(settled) && { action: <Button onClick={() => setLooked(nothingLooked)}>Show everything</Button> })}
                  />
                )}
                {products.total > 0 && (
                  <>
                    <p role="status" className="text-sm text-ink-2">
                      {brand && `${brand.name} · `}
                      {formatNumberOf(products.total, 'product')}
                    </p>
                    <ProductList
                      products={products.rows}
                      onOpen={({ brand_id, id_product }) =>
                        onPlace({ brand: brandId === null ? undefined : brand_id, product: id_product })
                      }
                    />
                    <ShowMore of={products} />
                  </>
                )}
              </>
            )}
          </div>
        </div>
      )}
      {open?.kind === 'vendor' && <VendorDialog vendor={open.vendor} onClose={close} onSaved={changed} />}
      {open?.kind === 'brand' && (
        <BrandDialog
          vendors={vendors}
          vendorId={vendors.find(({ brands }) => brands.some(({ brand_id }) => brand_id === brandId))?.vendor_id ?? null}
          onClose={close}
          onSaved={(id) => {
            setLooked(nothingLooked)
            changed()
            onPlace({ brand: id })
          }}
        />
      )}
      {open?.kind === 'product' && brand && (
        <ProductDialog
          product={null}
          brand={brand}
          onClose={close}
          onSaved={({ id_product, brand_id }) => {
            changed()
            onPlace({ brand: brand_id, product: id_product })
          }}
        />
      )}
    </div>
  )
}

const everyOf = (words: readonly string[]) => [
  { value: '', label: 'All' },
  ...words.map((word) => ({ value: word, label: word.charAt(0).toUpperCase() + word.slice(1) })),
]

function Filters({ looked, onLook }: { looked: Looked; onLook: (more: Partial<Looked>) => void }) {
  const choice = (label: string, field: 'type' | 'gender' | 'shape' | 'material', words: readonly string[]) => (
    <SelectField label={label} options={everyOf(words)} value={looked[field]} onChange={(value) => onLook({ [field]: value })} />
  )
  return (
    <div className="grid grid-cols-2 gap-3 rounded-lg border border-line bg-surface p-4 sm:grid-cols-4">
      {choice('Kind', 'type', brandTypes)}
      {choice('Made for', 'gender', genders)}
      {choice('Shape', 'shape', shapes)}
      {choice('Material', 'material', materials)}
      <div className="col-span-2">
        <Checkbox label="In stock only" checked={looked.in_stock} onChange={(in_stock) => onLook({ in_stock })} />
      </div>
      <div className="col-span-2">
        <Checkbox label="Include discontinued" checked={looked.discontinued} onChange={(discontinued) => onLook({ discontinued })} />
      </div>
    </div>
  )
}
