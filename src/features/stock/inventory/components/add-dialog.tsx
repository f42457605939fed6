import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { inventoryEndpoints } from '#contract/stock/frames.ts'
import { stockEndpoints, type KnownProduct } from '#contract/stock/stock.ts'
import { netCost } from '#contract/stock/stock-money.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useReference } from '#src/sync/react/use-reference.ts'
import { useChanges } from '#src/sync/react/use-changes.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { TextField, type TextFieldProps } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { centsOf } from '#src/ui/forms/typed-money.ts'
import { type AddedField, emptyAdded, formOfProduct, readAdded } from '../model/added-form.ts'

const labels: Record<Exclude<AddedField, 'brand_id'>, string> = {
  title_product: 'Model',
  title_variant: 'Color',
  size_lens_width: 'Lens, mm',
  size_bridge_width: 'Bridge, mm',
  size_temple_length: 'Temple, mm',
  upc: 'UPC',
  item_list_cost: 'List cost',
  item_discount: 'Discount, %',
  pb_selling_price: 'Selling price',
  board_location: 'Place',
  note: 'Note',
  quantity: 'Pieces',
}
const pauseMs = 250

/** Adds pieces of one model to the store, each with its own store tag and F#. */
export function AddDialog({
  onClose,
  onAdded,
  onLabels,
}: {
  onClose: () => void
  onAdded: () => void
  /** Prints labels for the added pieces. Null when the user may not. */
  onLabels: ((ids: number[]) => void) | null
}) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const storeName = useSession((session) => session.home?.store_name)
  const formId = useId()
  const element = useRef<HTMLFormElement>(null)
  // A retry after a lost answer uses the same id, so that the pieces are added once.
  const [ids] = useState(() => ({ add_id: uuidv7() }))
  const draft = useChanges('own: new frames', emptyAdded, ids)
  const [problems, setProblems] = useState<Partial<Record<AddedField, string>>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const brands = useReference(inventoryEndpoints.brands)

  if (draft === null) return null
  const form = draft.typed
  const { add_id = '' } = draft.ids

  function change(field: AddedField, value: string) {
    draft?.change({ [field]: value })
    setProblems(({ [field]: _mended, ...others }) => others)
  }
  function show(found: Partial<Record<AddedField, string>>) {
    setProblems(found)
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const read = readAdded(form)
    if (!read.ok) return show(read.problems)
    setBusy(true)
    setFailure(null)
    const answer = await device.call(stockEndpoints.addFrames, { body: { add_id, ...read.added } })
    setBusy(false)
    if (answer.ok) {
      await draft?.forget()
      const { items } = answer.value
      const tags = items.map(({ sku }) => sku)
      const ids = items.map(({ id_inventory }) => id_inventory)
      const [first, last] = [tags[0] ?? '', tags.at(-1) ?? '']
      showToast({
        title: `${formatNumberOf(tags.length, 'frame')} added`,
        description: tags.length === 1 ? first : `${first} to ${last}`,
        tone: 'good',
        ...(onLabels && { action: { label: 'Print labels', run: () => onLabels(ids) } }),
      })
      onAdded()
      onClose()
      return
    }
    setFailure(answer.failure.message)
    if (answer.failure.kind === 'refused') {
      show(Object.fromEntries(answer.failure.fields.map(({ path, message }) => [path.replace(/^body\./, ''), message])))
    }
  }

  const text = (field: Exclude<AddedField, 'brand_id'>, more: Partial<TextFieldProps> = {}) => (
    <TextField
      label={labels[field]}
      autoComplete="off"
      spellCheck={false}
      value={form[field]}
      onChange={(value) => change(field, value)}
      error={problems[field]}
      {...more}
    />
  )
  const net = netCost(centsOf(form.item_list_cost) ?? null, Number(form.item_discount) || 0)
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title="Add frames"
      description={`They’ll be in ${storeName ?? 'this store'} as Ready for Sale.`}
      closeOnOutside={false}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form={formId} variant="primary" busy={isBusy} disabled={isOffline}>
            Add
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TypedNotice of={draft} />
        {isOffline && <Notice tone="warn">You need a connection to add frames. The server assigns store tags.</Notice>}
        {failure && (
          <Notice tone="bad" title="NOT SAVED">
            {failure}
          </Notice>
        )}
        <ProductSearch onChoose={(product) => draft.change(formOfProduct(product, form))} />
        <form
          ref={element}
          id={formId}
          noValidate
          aria-label="Add frames"
          className="grid grid-cols-2 gap-3 sm:grid-cols-3"
          onSubmit={(event) => void submit(event)}
        >
          <SelectField
            label="Brand"
            required
            placeholder="Select"
            options={(brands.value?.brands ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            value={form.brand_id}
            onChange={(value) => change('brand_id', value)}
            error={problems.brand_id}
          />
          {text('title_product', { required: true })}
          {text('title_variant')}
          {text('size_lens_width', { inputMode: 'decimal', figures: true })}
          {text('size_bridge_width', { inputMode: 'decimal', figures: true })}
          {text('size_temple_length', { inputMode: 'decimal', figures: true })}
          {text('upc', { inputMode: 'numeric', figures: true })}
          {text('item_list_cost', { inputMode: 'decimal', figures: true })}
          {text('item_discount', { inputMode: 'decimal', figures: true, hint: net === null ? undefined : `Net ${formatMoney(net)}` })}
          {text('pb_selling_price', { inputMode: 'decimal', figures: true })}
          {text('board_location', { placeholder: 'Wall A2' })}
          {text('quantity', { required: true, inputMode: 'numeric', figures: true })}
          <div className="col-span-2 sm:col-span-3">{text('note')}</div>
        </form>
      </div>
    </Dialog>
  )
}

/** Finds a model that the chain already has, to copy its names, sizes and prices. */
function ProductSearch({ onChoose }: { onChoose: (product: KnownProduct) => void }) {
  const device = useDevice()
  const [typed, setTyped] = useState('')
  const [products, setProducts] = useState<readonly KnownProduct[] | null>(null)
  const query = typed.trim()
  useEffect(() => {
    if (query.length < 2) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      void device.call(stockEndpoints.searchProducts, { query: { query } }, { signal: controller.signal }).then((answer) => {
        if (!controller.signal.aborted) setProducts(answer.ok ? answer.value.products : null)
      })
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [device, query])
  const shown = query.length < 2 ? null : products
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label="Copy from an earlier model"
        placeholder="Brand, model or UPC"
        autoComplete="off"
        value={typed}
        onChange={setTyped}
      />
      {shown?.length === 0 && <p className="text-sm text-ink-2">No matches. Type it below.</p>}
      {shown && shown.length > 0 && (
        <ul aria-label="Models" className="max-h-56 divide-y divide-line overflow-y-auto rounded-md border border-line">
          {shown.map((product) => (
            <li key={`${product.brand_id} ${product.title_product} ${product.title_variant}`}>
              <button
                type="button"
                className="flex min-h-row w-full flex-col justify-center px-4 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
                onClick={() => {
                  onChoose(product)
                  setTyped('')
                }}
              >
                <span className="font-medium">
                  {product.brand_name} {product.title_product}
                </span>
                <span className="text-sm text-ink-2">{product.title_variant}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
