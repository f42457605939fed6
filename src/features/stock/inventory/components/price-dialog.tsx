import { useId, useState, type FormEvent } from 'react'
import * as v from 'valibot'
import { stockEndpoints, mostPriced, type PricePreview } from '#contract/stock/stock.ts'
import { priceEndings, type PriceChange, type PriceEnding } from '#contract/stock/stock-money.ts'
import type { Frame } from '#contract/stock/frame.ts'
import { inventoryEndpoints } from '#contract/stock/frames.ts'
import { KeptForm } from '#src/domain/forms/kept-form.tsx'
import { readAs, readTexts } from '#src/sync/device/read-as.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { centsOf, notAnAmount, typedMoney } from '#src/ui/forms/typed-money.ts'
import { type Column, VirtualTable } from '#src/ui/lists/virtual-table.tsx'

const kinds = [
  { value: 'percent', label: 'By percent' },
  { value: 'amount', label: 'By amount' },
  { value: 'set', label: 'Set one price' },
  { value: 'markup', label: 'Multiply net cost' },
] as const
type Kind = (typeof kinds)[number]['value']

const endings = priceEndings.map((ending) => ({ value: ending, label: ending === 'exact' ? 'No rounding' : `Ends in ${ending}` }))
const hints: Record<Kind, string> = {
  percent: 'For example 5, or -10 to lower prices',
  amount: 'For example 5, or -2.50 to lower prices',
  set: 'The same price for all',
  markup: 'For example 2.5',
}

/** Returns the typed change, or a text with its problem. */
function readChange(kind: Kind, typed: string, ending: PriceEnding): PriceChange | string {
  if (kind === 'set') {
    const cents = centsOf(typed)
    return typeof cents === 'number' ? { kind, cents } : notAnAmount
  }
  const minus = /^\s*[-−]/.test(typed)
  const bare = typed.replace(/^\s*[-−+]/, '')
  if (kind === 'amount') {
    const cents = centsOf(bare)
    return typeof cents === 'number' ? { kind, cents: minus ? -cents : cents, ending } : notAnAmount
  }
  if (!/^\s*\d{1,4}(\.\d{1,4})?\s*%?\s*$/.test(bare)) return 'Enter a number, like 5 or 2.5'
  const number = Number.parseFloat(bare) * (minus ? -1 : 1)
  if (kind === 'markup') return number >= 0.01 && number <= 100 ? { kind, factor: number, ending } : 'Enter a number from 0.01 to 100'
  return number >= -100 && number <= 1000 ? { kind, percent: number, ending } : 'Enter a number from -100 to 1000'
}

const amount = (cents: number | null) => (cents === null ? '–' : formatMoney(cents))

/** Changes the price of one frame. */
export function PriceDialog({ frame, onClose, onChanged }: { frame: Frame; onClose: () => void; onChanged: () => void }) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const [base, setBase] = useState(frame)
  const [fresh] = useState<Record<string, string>>(() => ({ price: typedMoney(frame.pb_selling_price) }))
  const draft = useTyped(`own: price of ${frame.id_inventory}`, fresh, readTexts)

  async function save({ price = '' }: Record<string, string>) {
    const cents = centsOf(price)
    if (typeof cents !== 'number') return { fields: { price: notAnAmount } }
    const answer = await device.call(stockEndpoints.updatePrice, {
      params: { id_inventory: String(base.id_inventory) },
      body: { pb_selling_price: cents, version: base.version },
    })
    if (answer.ok) {
      showToast({ title: `${frame.sku} is now ${formatMoney(cents)}`, tone: 'good' })
      onChanged()
      return null
    }
    const { failure } = answer
    if (failure.kind === 'refused' && failure.code === 'frame-changed') {
      const now = await device.call(inventoryEndpoints.lookUpFrame, { query: { sku: frame.sku } })
      if (now.ok) {
        setBase(now.value)
        const costs = amount(now.value.pb_selling_price)
        return { title: 'NOT SAVED', text: `${failure.message}. It’s ${now.value.status} at ${costs}. Save again to change it.` }
      }
    }
    return { title: 'NOT SAVED', text: failure.message }
  }

  return (
    <KeptForm
      draft={draft}
      size="sm"
      title={`Price for ${frame.sku}`}
      description={`${frame.brand_name} ${frame.title_product}`}
      save="Save"
      disabled={isOffline}
      send={save}
      onDone={onClose}
      onClose={onClose}
    >
      {({ typed, problems, change }) => (
        <>
          {isOffline && <Notice tone="warn">You need a connection to change prices.</Notice>}
          <TextField
            label="Price"
            required
            inputMode="decimal"
            autoComplete="off"
            figures
            value={typed['price'] ?? ''}
            onChange={(price) => change({ price })}
            error={problems['price']}
          />
        </>
      )}
    </KeptForm>
  )
}

const typedChange = v.object({ kind: v.picklist(kinds.map(({ value }) => value)), typed: v.string(), ending: v.picklist(priceEndings) })
type TypedChange = v.InferOutput<typeof typedChange>
const readTypedChange = readAs(typedChange)
const noChange: TypedChange = { kind: 'percent', typed: '', ending: 'exact' }

/** Changes the prices of many frames: first a preview, then all or none. */
export function PricesDialog({ ids, onClose, onChanged }: { ids: readonly number[]; onClose: () => void; onChanged: () => void }) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const formId = useId()
  const draft = useTyped(`own: prices of ${ids[0]} and ${ids.length - 1} more`, noChange, readTypedChange)
  const form = draft.typed ?? noChange
  const { kind, typed, ending } = form
  const [error, setError] = useState<string>()
  const [problem, setProblem] = useState<string | null>(null)
  const [rows, setRows] = useState<readonly PricePreview[] | null>(null)
  const [isBusy, setBusy] = useState(false)
  const isTooMany = ids.length > mostPriced
  const possible = rows?.flatMap(({ id_inventory, version, before, after }) =>
    after === null || after === before ? [] : [{ id_inventory, version, pb_selling_price: after }],
  )
  const impossible = rows?.filter(({ after }) => after === null).length ?? 0

  function edit(changes: Partial<TypedChange>) {
    draft.change({ ...form, ...changes })
    setRows(null)
    setError(undefined)
    setProblem(null)
  }

  async function preview(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const change = readChange(kind, typed, ending)
    if (typeof change === 'string') return setError(change)
    setBusy(true)
    setProblem(null)
    const answer = await device.call(stockEndpoints.previewPrices, { body: { ids: [...ids], change } })
    setBusy(false)
    if (answer.ok) setRows(answer.value.rows)
    else setProblem(answer.failure.message)
  }

  async function save() {
    if (!possible || isBusy) return
    setBusy(true)
    setProblem(null)
    const answer = await device.call(stockEndpoints.updatePrices, { body: { items: possible } }, { timeoutMs: 60_000 })
    setBusy(false)
    if (!answer.ok) {
      setRows(null)
      return setProblem(`${answer.failure.message}. No prices were changed. Check the preview again.`)
    }
    await draft.forget()
    showToast({ title: `${formatNumberOf(answer.value.changed, 'price')} changed`, tone: 'good' })
    onChanged()
    onClose()
  }

  if (draft.typed === null) return null
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={`Change the prices of ${formatNumberOf(ids.length, 'frame')}`}
      closeOnOutside={false}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {rows && possible ? (
            <Button variant="primary" busy={isBusy} disabled={isOffline || possible.length === 0} onClick={() => void save()}>
              Change {formatNumberOf(possible.length, 'price')}
            </Button>
          ) : (
            <Button type="submit" form={formId} variant="primary" busy={isBusy} disabled={isOffline || isTooMany}>
              Preview
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TypedNotice of={draft} />
        {isOffline && <Notice tone="warn">You need a connection to change prices.</Notice>}
        {isTooMany && <Notice tone="warn">Up to {formatNumberOf(mostPriced, 'frame')} at a time. Narrow the list first.</Notice>}
        {problem && (
          <Notice tone="bad" title="NOT SAVED">
            {problem}
          </Notice>
        )}
        <form id={formId} noValidate className="grid gap-3 sm:grid-cols-3" onSubmit={(event) => void preview(event)}>
          <SelectField label="Change" options={kinds} value={kind} onChange={(value) => edit({ kind: value })} />
          <TextField
            label={kind === 'markup' ? 'Factor' : kind === 'percent' ? 'Percent' : 'Amount'}
            hint={hints[kind]}
            required
            inputMode={kind === 'set' || kind === 'markup' ? 'decimal' : 'text'}
            autoComplete="off"
            figures
            value={typed}
            onChange={(value) => edit({ typed: value })}
            error={error}
          />
          {kind !== 'set' && <SelectField label="Ending" options={endings} value={ending} onChange={(value) => edit({ ending: value })} />}
        </form>
        {rows && (
          <>
            <p role="status">
              {formatNumberOf(possible?.length ?? 0, 'price')} would change.
              {impossible > 0 && ` ${formatNumberOf(impossible, 'frame')} can’t be priced this way and won’t change.`}
            </p>
            <VirtualTable label="Preview" columns={previewColumns} rows={rows} rowKey={previewKey} height="content" />
          </>
        )}
      </div>
    </Dialog>
  )
}

const previewKey = (row: PricePreview) => row.id_inventory

function FrameName({ id }: { id: number }) {
  const frame = useDevice().frames.get(id)
  return (
    <p className="truncate">
      <span className="figures">{frame?.sku ?? `No. ${id}`}</span> {frame && `${frame.brand_name} ${frame.title_product}`}
    </p>
  )
}

const previewColumns: readonly Column<PricePreview>[] = [
  { key: 'frame', header: 'Frame', width: 'minmax(0, 2fr)', cell: ({ id_inventory }) => <FrameName id={id_inventory} /> },
  { key: 'before', header: 'Now', width: '5.5rem', numeric: true, cell: ({ before }) => amount(before) },
  {
    key: 'after',
    header: 'New',
    width: 'minmax(5.5rem, 1fr)',
    numeric: true,
    cell: ({ after, problem }) =>
      after === null ? <span className="text-sm text-warn">{problem}</span> : <strong>{amount(after)}</strong>,
  },
  {
    key: 'margin',
    header: 'Margin',
    width: '5rem',
    numeric: true,
    from: 'md',
    cell: ({ margin_pct }) => (margin_pct === null ? '–' : `${margin_pct}%`),
  },
]
