import { useId, useState, type FormEvent } from 'react'
import { v7 as uuidv7 } from 'uuid'
import {
  type BookChange,
  type BookedModel,
  type BookPreviewRow,
  mostBookPrices,
  priceBookEndpoints as book,
} from '#contract/library/price-book.ts'
import { dayOf } from '#contract/people/time-clock.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/forms/checkbox.tsx'
import { DateField, incompleteDate } from '#src/ui/forms/date-field.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatDate, formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { type Column, VirtualTable } from '#src/ui/lists/virtual-table.tsx'
import { bookedSize } from './price-sheet.tsx'
import { changeEndings, changeKinds, hasEnding, type PlannedChange, readChange, readPlanned } from '../model/change-form.ts'

/** Plans a change of prices in the book from a day on: first a preview, then all or none. */
export function PlanDialog({ models, onClose, onChanged }: { models: readonly BookedModel[]; onClose: () => void; onChanged: () => void }) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const isOffline = useConnection((connection) => connection.online) === false
  const formId = useId()
  const zone = home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone ?? 'UTC'
  const [today] = useState(() => dayOf(device.serverNow(), zone))
  const [fresh] = useState<PlannedChange>({ kind: 'percent', typed: '', ending: '.00', day: today, follows: true })
  const draft = useTyped(`own: book prices of ${models[0]?.id_model} and ${models.length - 1} more`, fresh, readPlanned)
  const form = draft.typed ?? fresh
  const { day, follows } = form
  const [errors, setErrors] = useState<{ typed?: string; day?: string }>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [looked, setLooked] = useState<{ id: string; change: BookChange; rows: readonly BookPreviewRow[] } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const isTooMany = models.length > mostBookPrices
  const chosen = models.map(({ id_model, version }) => ({ id_model, version }))
  const changing = looked?.rows.filter((row) => row.after !== null && isOther(row)) ?? []
  const impossible = looked?.rows.filter((row) => row.after === null).length ?? 0
  const pieces = changing.reduce((sum, row) => sum + row.in_stock, 0)
  const kind = changeKinds.find(({ value }) => value === form.kind)

  /** Drops the preview. An edited change needs a new one, which also has a new id. */
  function edit(changes: Partial<PlannedChange>) {
    draft.change({ ...form, ...changes })
    setLooked(null)
    setErrors({})
    setProblem(null)
  }

  async function preview(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const change = readChange(form)
    if (typeof change === 'string') return setErrors({ typed: change })
    // The field itself shows that the date is incomplete.
    if (day === incompleteDate) return
    if (day < today) return setErrors({ day: day === '' ? 'Choose a date' : 'Choose today or a later date' })
    setBusy(true)
    setProblem(null)
    const answer = await device.call(book.previewBook, { body: { models: chosen, change } }, { timeoutMs: 60_000 })
    setBusy(false)
    if (answer.ok) setLooked({ id: uuidv7(), change, rows: answer.value.rows })
    else setProblem(answer.failure.message)
  }

  async function save() {
    if (!looked || isBusy) return
    setBusy(true)
    setProblem(null)
    const body = { id_price_change: looked.id, effective_on: day, reprice_stock: follows, models: chosen, change: looked.change }
    const answer = await device.call(book.planPrices, { body }, { timeoutMs: 60_000 })
    setBusy(false)
    if (!answer.ok) {
      // Without an answer the change may have been made. A retry uses the same id.
      if (answer.failure.kind === 'refused') setLooked(null)
      return setProblem(
        `${answer.failure.message}. ${answer.failure.kind === 'refused' ? 'No prices were changed.' : 'Press again to confirm.'}`,
      )
    }
    await draft.forget()
    const prices = formatNumberOf(answer.value.models, 'price')
    showToast({
      title: answer.value.applied_at === null ? `${prices} will change on ${formatDate(day)}` : `${prices} changed`,
      tone: 'good',
    })
    onChanged()
    onClose()
  }

  if (draft.typed === null) return null
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={`Change the prices of ${formatNumberOf(models.length, 'model')}`}
      closeOnOutside={false}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {looked ? (
            <Button variant="primary" busy={isBusy} disabled={isOffline || changing.length === 0} onClick={() => void save()}>
              {day > today ? 'Plan' : 'Change'} {formatNumberOf(changing.length, 'price')}
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
        {isTooMany && <Notice tone="warn">Up to {formatNumberOf(mostBookPrices, 'model')} at a time. Narrow the list first.</Notice>}
        {problem && (
          <Notice tone="bad" title="NOT SAVED">
            {problem}
          </Notice>
        )}
        <form id={formId} noValidate className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4" onSubmit={(event) => void preview(event)}>
          <SelectField label="Change" options={changeKinds} value={form.kind} onChange={(value) => edit({ kind: value })} />
          <TextField
            label={kind?.field ?? ''}
            hint={kind?.hint}
            required
            autoComplete="off"
            figures
            value={form.typed}
            onChange={(typed) => edit({ typed })}
            error={errors.typed}
          />
          {hasEnding(form.kind) && (
            <SelectField label="Ending" options={changeEndings} value={form.ending} onChange={(ending) => edit({ ending })} />
          )}
          <DateField label="From" min={today} required value={day} onChange={(value) => edit({ day: value })} error={errors.day} />
          <div className="sm:col-span-2 lg:col-span-4">
            <Checkbox
              label="Also change frames in stock"
              hint="Frames in your stores at the price book price. Markdowns don’t change."
              checked={follows}
              onChange={(checked) => edit({ follows: checked })}
            />
          </div>
        </form>
        {looked && (
          <>
            <p role="status">
              {formatNumberOf(changing.length, 'price')} would change
              {follows && ` and up to ${formatNumberOf(pieces, 'piece')} in stock`}.
              {impossible > 0 && ` ${formatNumberOf(impossible, 'model')} can’t be priced this way and won’t change.`}
            </p>
            <VirtualTable label="Preview" columns={columnsFor(models)} rows={looked.rows} rowKey={keyOf} height="content" />
          </>
        )}
      </div>
    </Dialog>
  )
}

const keyOf = (row: BookPreviewRow) => row.id_model
const amount = (cents: number | null) => (cents === null ? '–' : formatMoney(cents))

function isOther({ before, after }: BookPreviewRow): boolean {
  return JSON.stringify(before) !== JSON.stringify(after)
}

function columnsFor(models: readonly BookedModel[]): readonly Column<BookPreviewRow>[] {
  const names = new Map(models.map((model) => [model.id_model, model]))
  return [
    {
      key: 'model',
      header: 'Model',
      width: 'minmax(0, 2fr)',
      cell: ({ id_model }) => {
        const model = names.get(id_model)
        return (
          <>
            <p className="truncate">{model?.title ?? `No. ${id_model}`}</p>
            <p className="truncate text-sm text-ink-2">{model && [model.title_variant, bookedSize(model)].filter(Boolean).join(' · ')}</p>
          </>
        )
      },
    },
    {
      key: 'net',
      header: 'New net',
      width: '5.5rem',
      numeric: true,
      from: 'md',
      cell: ({ after }) => amount(after?.net_cost ?? null),
    },
    { key: 'before', header: 'Now', width: '5.5rem', numeric: true, cell: ({ before }) => amount(before.selling_price) },
    {
      key: 'after',
      header: 'New',
      width: 'minmax(5.5rem, 1fr)',
      numeric: true,
      cell: ({ after, problem }) =>
        after === null ? <span className="text-sm text-warn">{problem}</span> : <strong>{amount(after.selling_price)}</strong>,
    },
    {
      key: 'margin',
      header: 'Margin',
      width: '4.5rem',
      numeric: true,
      from: 'md',
      cell: ({ after }) => (typeof after?.margin_pct === 'number' ? `${after.margin_pct}%` : '–'),
    },
  ]
}
