import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { expectedStatuses, isInScope } from '#contract/counts/counting.ts'
import type { Frame, InventoryStatus } from '#contract/stock/frames.ts'
import { createSheet } from '#src/features/counts/count-sheets/actions.ts'
import { emptyScope, newCountOf, readNewCount, readScope, scopeOf, type ScopeForm } from '#src/features/counts/count-sheets/form.ts'
import { useScopeLists, useStoreFrames } from '#src/features/counts/count-sheets/queries.ts'
import type { Named } from '#src/features/counts/count-sheets/model/scope-words.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/forms/checkbox.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DiscardButton } from '#src/ui/forms/discard-button.tsx'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { formatCount, formatMinutes, formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { Switch } from '#src/ui/forms/switch.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { FirstLoad } from './first-load.tsx'

const countable: readonly InventoryStatus[] = ['Ready for Sale', 'Defective', 'Missing', 'On Hold']
/** A practiced counter takes two and a half seconds a frame. */
const framesAMinute = 24

/** Creates a count at once from the frames on this device, with or without the network. */
export function NewCountDialog({ onClose, onCreated }: { onClose: () => void; onCreated: (id: string) => void }) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const online = useConnection((connection) => connection.online)
  const frames = useStoreFrames(home?.store_id ?? null)
  const isRead = useFramesRead()
  const isLoading = useStore(device.mirror.progress, (progress) => progress.loading?.collection === 'frames')
  const { brands, vendors } = useScopeLists(frames)
  const [fresh] = useState(() => newCountOf(emptyScope, { notes: '', blind: home?.store_settings.blind_counts ?? false }))
  const draft = useTyped('own: new count', fresh, readNewCount)
  const typed = draft.typed ?? fresh
  const { notes, blind } = typed
  const form = useMemo(() => scopeOf(typed), [typed])
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const read = useMemo(() => readScope(form), [form])
  const wrong = 'problem' in read ? read.problem : null
  const inScope = useMemo(() => ('scope' in read ? frames.filter((frame) => isInScope(frame, read.scope)).length : null), [frames, read])
  const totals = useMemo(() => expectedTotals(frames), [frames])
  const mayHide = home?.permissions.includes('count.see-expected-while-blind') ?? false
  const set = (change: Partial<ScopeForm>) => draft.change(newCountOf({ ...form, ...change }, { notes, blind }))

  async function create() {
    if (!('scope' in read)) return
    setBusy(true)
    setProblem(null)
    const result = await createSheet(device, { scope: read.scope, notes: notes.trim(), blind })
    setBusy(false)
    if (!result.saved) return setProblem(result.problem.message)
    await draft.forget()
    onCreated(result.id)
  }

  if (draft.typed === null) return null
  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      size="md"
      title="New count"
      description={home?.store_name}
      footer={
        <>
          <p className="mr-auto text-sm max-sm:basis-full" aria-live="polite">
            <strong className="figures text-xl">{inScope === null ? '–' : formatCount(inScope)}</strong>{' '}
            <span className="text-ink-2">
              {inScope === 1 ? 'frame' : 'frames'} {isLoading ? 'so far' : 'expected'}
              {!isLoading && inScope !== null && inScope > 0 && `, about ${formatMinutes(Math.ceil(inScope / framesAMinute))}`}
            </span>
          </p>
          <DiscardButton forget={draft.forget} onClose={onClose}>
            Cancel
          </DiscardButton>
          <Button variant="primary" busy={busy} disabled={inScope === null || inScope === 0} onClick={() => void create()}>
            Create count
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <TypedNotice of={draft} />
        {problem && (
          <Notice tone="bad" title="NOT SAVED">
            {problem}
          </Notice>
        )}
        {online === false && (
          <Notice tone="info" title="You are offline">
            The count is created on this tablet and sent when you’re back online. It gets its number then.
          </Notice>
        )}
        <FirstLoad />
        {frames.length === 0 && isRead && !isLoading && (
          <Notice tone="warn" title="This tablet has no frames for this store yet">
            They load when you’re online. Then you can create a count.
          </Notice>
        )}
        <RadioGroup
          label="What to count"
          look="cards"
          columns={2}
          value={form.kind}
          onChange={(kind) => set({ kind })}
          options={[
            { value: 'store', label: 'Whole store', hint: 'Ready for Sale and Defective, every board and drawer' },
            { value: 'part', label: 'Part of the store', hint: 'By brand, vendor, status or price' },
          ]}
        />
        {form.kind === 'part' && (
          <>
            <Picker
              label="Brands"
              list={brands}
              chosen={form.brands}
              totals={totals.brands}
              onChange={(chosen) => set({ brands: chosen })}
            />
            <Picker
              label="Vendors"
              list={vendors}
              chosen={form.vendors}
              totals={totals.vendors}
              onChange={(chosen) => set({ vendors: chosen })}
            />
            <fieldset>
              <legend className="mb-1 text-sm font-medium text-ink-2">Status (default: Ready for Sale and Defective)</legend>
              <div className="grid grid-cols-2 gap-x-4 sm:grid-cols-4">
                {countable.map((status) => (
                  <Checkbox
                    key={status}
                    label={status}
                    checked={form.statuses.has(status)}
                    onChange={() => set({ statuses: toggled(form.statuses, status) })}
                  />
                ))}
              </div>
            </fieldset>
            <div className="grid grid-cols-2 gap-4">
              <TextField
                label="Price from"
                inputMode="decimal"
                figures
                placeholder="0.00"
                value={form.priceFrom}
                onChange={(priceFrom) => set({ priceFrom })}
                error={wrong?.field === 'priceFrom' ? wrong.message : undefined}
              />
              <TextField
                label="Price to"
                inputMode="decimal"
                figures
                placeholder="any"
                value={form.priceTo}
                onChange={(priceTo) => set({ priceTo })}
                error={wrong?.field === 'priceTo' ? wrong.message : undefined}
              />
            </div>
          </>
        )}
        <TextArea
          label="Notes"
          rows={2}
          maxLength={2000}
          value={notes}
          onChange={(text) => draft.change({ ...typed, notes: text })}
          placeholder="For the counters: where to start, what to skip"
        />
        {mayHide ? (
          <Switch
            label="Blind count"
            hint="Counters won’t see expected quantities or progress."
            checked={blind}
            onChange={(chosen) => draft.change({ ...typed, blind: chosen })}
          />
        ) : (
          blind && <p className="text-sm text-ink-2">This store counts blind. Expected quantities stay hidden until the count is closed.</p>
        )}
      </div>
    </Dialog>
  )
}

/** Returns true once this device's frames are read. Before that, an empty list means nothing. */
function useFramesRead(): boolean {
  const device = useDevice()
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    let isCurrent = true
    void device.frames.ready().then(() => {
      if (isCurrent) setRead(true)
    })
    return () => {
      isCurrent = false
    }
  }, [device])
  return isRead
}

/** Returns the number of expected frames by brand id and by vendor id. */
function expectedTotals(frames: readonly Frame[]) {
  const totals = { brands: new Map<number, number>(), vendors: new Map<number, number>() }
  for (const frame of frames) {
    if (!expectedStatuses.includes(frame.status)) continue
    totals.brands.set(frame.brand_id, (totals.brands.get(frame.brand_id) ?? 0) + 1)
    totals.vendors.set(frame.vendor_id, (totals.vendors.get(frame.vendor_id) ?? 0) + 1)
  }
  return totals
}

function toggled<T>(chosen: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(chosen)
  if (!next.delete(value)) next.add(value)
  return next
}

/** Chooses several of many named things. Typing narrows the list. */
function Picker({
  label,
  list,
  chosen,
  totals,
  onChange,
}: {
  label: string
  list: readonly Named[]
  chosen: ReadonlySet<number>
  totals: ReadonlyMap<number, number>
  onChange: (chosen: ReadonlySet<number>) => void
}) {
  const [filter, setFilter] = useState('')
  const shown = list.filter((entry) => entry.name.toLowerCase().includes(filter.trim().toLowerCase()))
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium text-ink-2">
        {label} {chosen.size > 0 && `(${chosen.size} selected)`}
      </legend>
      {list.length > 8 && (
        <div className="mb-1">
          <TextField
            label={`Search ${label.toLowerCase()}`}
            hideLabel
            placeholder={`Search ${formatNumberOf(list.length, label.toLowerCase().slice(0, -1))}`}
            value={filter}
            onChange={setFilter}
          />
        </div>
      )}
      <div className="grid max-h-48 grid-cols-1 overflow-y-auto rounded-md border border-line px-3 sm:grid-cols-2">
        {shown.map((entry) => (
          <Checkbox
            key={entry.id}
            label={
              <>
                {entry.name} <span className="figures text-sm text-ink-3">{formatCount(totals.get(entry.id) ?? 0)}</span>
              </>
            }
            checked={chosen.has(entry.id)}
            onChange={() => onChange(toggled(chosen, entry.id))}
          />
        ))}
        {shown.length === 0 && <p className="py-3 text-sm text-ink-2">No matches.</p>}
      </div>
    </fieldset>
  )
}
