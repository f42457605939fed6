import { Keyboard } from 'lucide-react'
import { useId, useState, type FormEvent } from 'react'
import { normaliseCode } from '#contract/core/codes.ts'
import { sizeOf, type Frame } from '#contract/stock/frame.ts'
import { PieceList } from '#src/domain/pieces/piece-list.tsx'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'

const least = 3
const shown = 8

/** Counts a label that no scanner can read. A user types its last characters and chooses from the matches. */
export function ManualEntry({ model, onDone }: { model: SheetModel; onDone?: () => void }) {
  const device = useDevice()
  const listId = useId()
  const [typed, setTyped] = useState('')
  const code = normaliseCode(typed)
  const sheet = model.state.getState().sheet
  const matches = code.length < least || !sheet ? [] : matchesOf(code, sheet.store_id)
  const isUpc = matches.length > 1 && device.frames.find(code)?.by === 'upc'

  function matchesOf(text: string, storeId: number): Frame[] {
    const exact = device.frames.find(text)
    if (exact) return exact.by === 'upc' ? exact.frames.filter((frame) => frame.store_id === storeId) : [exact.frame]
    const ending = device.frames.endingWith(text, storeId, shown)
    return ending.length > 0 ? ending : device.frames.search(text, shown).filter((frame) => frame.store_id === storeId)
  }

  function take(text: string, via: 'typed' | 'picked') {
    setTyped('')
    void model.scan(text, via)
    onDone?.()
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    const only = matches[0]
    // One match still needs Enter. The user chooses from several, and the app never guesses.
    if (matches.length === 1 && only) take(only.sku, device.frames.find(code) ? 'typed' : 'picked')
    else if (matches.length === 0 && code.length >= least) take(code, 'typed')
  }

  return (
    <form onSubmit={onSubmit} className="relative">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Last 4 of the tag"
            hideLabel
            placeholder="Last 4 of the tag"
            value={typed}
            onChange={setTyped}
            icon={<Keyboard size={18} aria-hidden />}
            figures
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={128}
            data-autofocus
            aria-controls={listId}
          />
        </div>
        <Button type="submit" disabled={code.length < least || matches.length > 1}>
          Count
        </Button>
      </div>
      {/* Overlays the lists below, so that nothing moves while a user types. */}
      <div id={listId} aria-live="polite" className="absolute inset-x-0 top-full z-20 mt-1 rounded-md bg-raised shadow-raised">
        {code.length >= least && matches.length === 0 && (
          <p className="px-3 py-2.5 text-sm text-ink-2">No match. Press Count to save the code under Unknown.</p>
        )}
        {isUpc && (
          <div className="rounded-md border border-line-strong p-3">
            <PieceList frames={matches} isBlind={!model.seesExpected()} onPick={(frame) => take(frame.sku, 'picked')} />
          </div>
        )}
        {!isUpc && matches.length > 0 && (
          <ul aria-label="Matching frames" className="max-h-64 divide-y divide-line overflow-y-auto rounded-md border border-line-strong">
            {matches.map((frame) => (
              <li key={frame.id_inventory}>
                <button
                  type="button"
                  onClick={() => take(frame.sku, 'picked')}
                  className="flex min-h-row w-full items-center justify-between gap-3 px-3 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
                >
                  <span className="min-w-0">
                    <span className="block truncate font-medium">
                      {frame.brand_name} {frame.title_product}
                    </span>
                    <span className="block truncate text-sm text-ink-2">
                      {[frame.title_variant, sizeOf(frame)].filter(Boolean).join(' · ')}
                    </span>
                  </span>
                  <span className="figures font-semibold">{frame.sku}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </form>
  )
}
