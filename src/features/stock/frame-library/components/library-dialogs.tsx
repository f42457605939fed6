import { useRef, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import {
  brandTypes,
  frameLibraryEndpoints as library,
  genders,
  materials,
  type Model,
  type Product,
  rims,
  shapes,
  type VendorBranch,
} from '#contract/library/frame-library.ts'
import { stockEndpoints } from '#contract/stock/stock.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { showToast } from '#src/ui/toast-store.ts'
import {
  endingOptions,
  formOfCustom,
  formOfModel,
  formOfProduct,
  pricedForm,
  readCustom,
  readModel,
  readProduct,
  readStock,
} from '../model/library-form.ts'
import { LibraryFormDialog } from './library-form-dialog.tsx'

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const optionsOf = (words: readonly string[], none = 'Not specified') => [
  { value: '', label: none },
  ...words.map((word) => ({ value: word, label: capital(word) })),
]
const threes = 'grid grid-cols-2 gap-3 sm:grid-cols-3'
const hintOf = (word: string, cents: number | null | undefined) => (typeof cents === 'number' ? `${word} ${formatMoney(cents)}` : undefined)
const figures = { inputMode: 'decimal', figures: true } as const

/** Adds a product to a brand, or changes one. */
export function ProductDialog({
  product,
  brand,
  onClose,
  onSaved,
}: {
  product: Product | null
  brand: { brand_id: number; name: string }
  onClose: () => void
  onSaved: (product: Product) => void
}) {
  const device = useDevice()
  const version = useRef(product?.version ?? 0)
  return (
    <LibraryFormDialog
      place={product ? `own: product ${product.id_product}` : `own: new product of ${brand.brand_id}`}
      title={product ? `Edit ${product.title}` : `Add a ${brand.name} product`}
      {...(product && { description: 'Frames in stock keep the name on their tag.' })}
      first={formOfProduct(product)}
      read={readProduct}
      send={(input) =>
        product
          ? device.call(library.updateProduct, {
              params: { id_product: String(product.id_product) },
              body: { version: version.current, ...input },
            })
          : device.call(library.addProduct, { body: { brand_id: brand.brand_id, ...input } })
      }
      conflict={{
        code: 'product-changed',
        theirs: (now) => {
          version.current = (now as Product).version
          return formOfProduct(now as Product)
        },
      }}
      onSaved={(saved) => {
        showToast({ title: product ? `${saved.title} updated` : `${saved.title} added to the library`, tone: 'good' })
        onSaved(saved)
      }}
      onClose={onClose}
    >
      {({ text, date, choice }) => (
        <>
          {text('title', 'Name or number', { required: true })}
          <div className={threes}>
            {choice('material', 'Material', optionsOf(materials))}
            {choice('shape', 'Shape', optionsOf(shapes))}
            {choice('rim', 'Rim', optionsOf(rims))}
            {choice('gender', 'Made for', optionsOf(genders))}
            {date('launch_date', 'Launched')}
            {date('discontinued_at', 'Discontinued since')}
          </div>
        </>
      )}
    </LibraryFormDialog>
  )
}

/** Adds a color and size to a product, or changes one. */
export function ModelDialog({
  model,
  product,
  like,
  onClose,
  onSaved,
}: {
  model: Model | null
  product: Product
  /** A new model starts with the sizes and prices of this one. */
  like: Model | null
  onClose: () => void
  onSaved: () => void
}) {
  const device = useDevice()
  const version = useRef(model?.version ?? 0)
  const mayPrice = useSession((session) => session.home?.permissions.includes('frame.price') ?? false)
  const showsPrices = mayPrice || model === null
  return (
    <LibraryFormDialog
      place={model ? `own: model ${model.id_model}` : `own: new model of ${product.id_product}`}
      title={model ? `Edit ${product.title} ${model.title_variant}` : `Add a ${product.title} model`}
      description={model ? 'Frames in stock keep what’s on their tags.' : `${product.brand_name}, one color and size`}
      first={formOfModel(model, like)}
      read={readModel}
      send={({ input, prices }) =>
        model
          ? device.call(library.updateModel, {
              params: { id_model: String(model.id_model) },
              body: { version: version.current, ...input, ...(mayPrice && { prices }) },
            })
          : device.call(library.addModel, { body: { id_product: product.id_product, ...input, prices } })
      }
      conflict={{
        code: 'model-changed',
        theirs: (now) => {
          version.current = (now as Model).version
          return formOfModel(now as Model)
        },
      }}
      onSaved={(saved) => {
        showToast({ title: `${product.title} ${saved.title_variant} ${model ? 'updated' : 'added to the library'}`, tone: 'good' })
        onSaved()
      }}
      onClose={onClose}
    >
      {({ form, text, date, choice }) => {
        const total = showsPrices ? pricedForm(form) : null
        return (
          <>
            <div className={threes}>
              {text('color_code', 'Color code', { placeholder: 'C1' })}
              {text('color_name', 'Color')}
              {text('upc', 'UPC', { inputMode: 'numeric', figures: true })}
            </div>
            <fieldset>
              <legend className="mb-2 engraved">Size, mm</legend>
              <div className="grid grid-cols-3 gap-3 sm:grid-cols-7">
                {text('eye', 'Eye', figures)}
                {text('bridge', 'Bridge', figures)}
                {text('temple', 'Temple', figures)}
                {text('a', 'A', figures)}
                {text('b', 'B', figures)}
                {text('ed', 'ED', figures)}
                {text('dbl', 'DBL', figures)}
              </div>
            </fieldset>
            {showsPrices && (
              <fieldset>
                <legend className="mb-2 engraved">Prices</legend>
                <div className={threes}>
                  {text('list_cost', 'List cost', figures)}
                  {text('discount_pct', 'Discount, %', {
                    ...figures,
                    hint: hintOf('Net', total?.net_cost),
                  })}
                  {text('msrp', 'MSRP', figures)}
                  {choice('rule', 'Selling price', [
                    { value: 'fixed', label: 'Fixed' },
                    { value: 'markup', label: 'Multiply net cost' },
                  ])}
                  {form.rule === 'markup' ? (
                    <>
                      {text('factor', 'Factor', {
                        ...figures,
                        placeholder: '2.5',
                        hint: hintOf('Price', total?.selling_price),
                      })}
                      {choice('ending', 'Ending', endingOptions)}
                    </>
                  ) : (
                    text('price', 'Price', figures)
                  )}
                </div>
              </fieldset>
            )}
            <div className={threes}>
              {text('min_qty', 'Minimum in stock', { inputMode: 'numeric', figures: true })}
              {date('discontinued_at', 'Discontinued since')}
            </div>
          </>
        )
      }}
    </LibraryFormDialog>
  )
}

/** Adds pieces of a model to the store's stock, each with its own store tag and F#. */
export function StockDialog({
  model,
  product,
  onClose,
  onSaved,
}: {
  model: Model
  product: Product
  onClose: () => void
  onSaved: () => void
}) {
  const device = useDevice()
  const storeName = useSession((session) => session.home?.store_name)
  /** A retry uses the same id, so that the pieces are added once. */
  const [ids] = useState(() => ({ add_id: uuidv7() }))
  return (
    <LibraryFormDialog
      place={`own: pieces of ${model.id_model}`}
      ids={ids}
      title={`Add ${product.title} ${model.title_variant} to stock`}
      description={`They’ll be in ${storeName ?? 'this store'} as Ready for Sale.`}
      first={{ quantity: '1', board_location: '', note: '' }}
      saveLabel="Add"
      read={readStock}
      send={(typed, { add_id }) =>
        device.call(stockEndpoints.addFrames, {
          body: {
            add_id,
            brand_id: product.brand_id,
            title_product: product.title,
            title_variant: model.title_variant,
            size_lens_width: model.eye,
            size_bridge_width: model.bridge,
            size_temple_length: model.temple,
            upc: model.upc,
            item_list_cost: model.prices.list_cost,
            item_discount: model.prices.discount_pct,
            pb_selling_price: model.prices.selling_price,
            ...typed,
          },
        })
      }
      onSaved={({ items }) => {
        const [first, last] = [items[0]?.sku ?? '', items.at(-1)?.sku ?? '']
        const description = items.length === 1 ? first : `${first} to ${last}`
        showToast({ title: `${formatNumberOf(items.length, 'frame')} added`, description, tone: 'good' })
        void device.pull()
        onSaved()
      }}
      onClose={onClose}
    >
      {({ text }) => (
        <div className={threes}>
          {text('quantity', 'Pieces', { required: true, inputMode: 'numeric', figures: true })}
          {text('board_location', 'Place', { placeholder: 'Wall A2' })}
          {text('note', 'Note')}
        </div>
      )}
    </LibraryFormDialog>
  )
}

/** Adds custom glasses: made once from a model, or a patient's own that are like it. */
export function CustomDialog({
  model,
  product,
  onClose,
  onSaved,
}: {
  model: Model
  product: Product
  onClose: () => void
  onSaved: () => void
}) {
  const device = useDevice()
  const [ids] = useState(() => ({ id_custom: uuidv7() }))
  return (
    <LibraryFormDialog
      place={`own: custom glasses of ${model.id_model}`}
      ids={ids}
      title="Custom glasses"
      description={`From ${product.brand_name} ${product.title} ${model.title_variant}. They’re never in stock.`}
      first={formOfCustom(model)}
      read={readCustom}
      send={(input, { id_custom }) =>
        device.call(library.addCustomGlasses, { params: { id_model: String(model.id_model) }, body: { id_custom, ...input } })
      }
      onSaved={() => {
        showToast({ title: 'Custom glasses saved', tone: 'good' })
        onSaved()
      }}
      onClose={onClose}
    >
      {({ form, text, choice }) => (
        <>
          <div className={threes}>
            {choice('kind', 'Type', [
              { value: 'one-off', label: 'Made for one patient' },
              { value: 'own', label: 'Patient’s own' },
            ])}
            {text('color', 'Color')}
            {form.kind !== 'own' && text('selling_price', 'Price', figures)}
          </div>
          <div className="grid grid-cols-3 gap-3">
            {text('eye', 'Eye, mm', figures)}
            {text('bridge', 'Bridge, mm', figures)}
            {text('temple', 'Temple, mm', figures)}
          </div>
          {text('note', 'Note', { placeholder: 'Job or tray number' })}
        </>
      )}
    </LibraryFormDialog>
  )
}

const brandTypeOptions = brandTypes.map((type) => ({ value: type, label: capital(type) }))

/** Adds a vendor, or changes one. */
export function VendorDialog({ vendor, onClose, onSaved }: { vendor: VendorBranch | null; onClose: () => void; onSaved: () => void }) {
  const device = useDevice()
  const first = {
    name: vendor?.name ?? '',
    account_no: vendor?.account_no ?? '',
    terms: vendor?.terms ?? '',
    ra_policy: vendor?.ra_policy ?? '',
  }
  return (
    <LibraryFormDialog
      place={vendor ? `own: vendor ${vendor.vendor_id}` : 'own: new vendor'}
      title={vendor ? `Edit ${vendor.name}` : 'Add a vendor'}
      first={first}
      read={(form) => (form.name.trim() === '' ? { ok: false, problems: { name: 'This field is required' } } : { ok: true, body: form })}
      send={async (body) =>
        vendor
          ? await device.call(library.updateVendor, { params: { vendor_id: String(vendor.vendor_id) }, body })
          : await device.call(library.addVendor, { body })
      }
      onSaved={onSaved}
      onClose={onClose}
    >
      {({ text }) => (
        <>
          {text('name', 'Name', { required: true })}
          <div className="grid gap-3 sm:grid-cols-2">
            {text('account_no', 'Account number')}
            {text('terms', 'Terms', { placeholder: 'Net 30' })}
          </div>
          {text('ra_policy', 'How to get a return authorization (RA)')}
        </>
      )}
    </LibraryFormDialog>
  )
}

/** Adds a brand to a vendor. */
export function BrandDialog({
  vendors,
  vendorId,
  onClose,
  onSaved,
}: {
  vendors: readonly VendorBranch[]
  vendorId: number | null
  onClose: () => void
  onSaved: (brandId: number) => void
}) {
  const device = useDevice()
  return (
    <LibraryFormDialog
      place="own: new brand"
      title="Add a brand"
      first={{ vendor_id: vendorId === null ? '' : String(vendorId), name: '', type: 'ophthalmic' }}
      read={(form) => {
        const problems = {
          ...(form.vendor_id === '' && { vendor_id: 'Choose a vendor' }),
          ...(form.name.trim() === '' && { name: 'This field is required' }),
        }
        const type = brandTypes.find((one) => one === form.type) ?? 'ophthalmic'
        if (Object.keys(problems).length > 0) return { ok: false, problems }
        return { ok: true, body: { vendor_id: Number(form.vendor_id), name: form.name, type } }
      }}
      send={(body) => device.call(library.addBrand, { body })}
      onSaved={({ brand_id }) => onSaved(brand_id)}
      onClose={onClose}
    >
      {({ text, choice }) => (
        <>
          {choice(
            'vendor_id',
            'Vendor',
            vendors.map(({ vendor_id, name }) => ({ value: String(vendor_id), label: name })),
            'Select',
          )}
          <div className="grid gap-3 sm:grid-cols-2">
            {text('name', 'Name', { required: true })}
            {choice('type', 'Kind', brandTypeOptions)}
          </div>
        </>
      )}
    </LibraryFormDialog>
  )
}
