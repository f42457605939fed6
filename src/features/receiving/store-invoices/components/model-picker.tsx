import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type BookedModel, priceBookEndpoints } from '#contract/library/price-book.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { TextField } from '#src/ui/forms/text-field.tsx'

const pauseMs = 250

type Props = { title: string; first: string; onChoose: (model: BookedModel) => void; onClose: () => void }

/** Picks a model of the library. Searches for the typed text. */
export function ModelPicker({ title, first, onChoose, onClose }: Props) {
  const device = useDevice()
  const [typed, setTyped] = useState(first)
  const [found, setFound] = useState<{ of: string; models: readonly BookedModel[]; total: number } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const search = typed.trim()
  useEffect(() => {
    if (search.length < 2) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      const query = { search, page: '1' }
      void device.call(priceBookEndpoints.bookModels, { query }, { signal: controller.signal }).then((answer) => {
        if (controller.signal.aborted) return
        setProblem(answer.ok ? null : answer.failure.message)
        if (answer.ok) setFound({ of: search, models: answer.value.models.slice(0, 30), total: answer.value.total })
      })
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [device, search])
  const shown = found?.of === search ? found : null
  return (
    <Dialog open onClose={onClose} title={title} size="md" footer={<Button onClick={onClose}>Close</Button>}>
      <div className="flex flex-col gap-3">
        <TextField
          label="Model"
          icon={<Search size={18} aria-hidden />}
          placeholder="Brand, model, color or UPC"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={setTyped}
        />
        <p role="status" className="text-sm text-ink-2">
          {problem ??
            (shown === null
              ? ''
              : shown.total === 0
                ? 'No matches. Add it in the frame library first.'
                : formatNumberOf(shown.total, 'model'))}
        </p>
        {shown && shown.models.length > 0 && (
          <ul aria-label="Models" className="max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line">
            {shown.models.map((model) => (
              <li key={model.id_model}>
                <button
                  type="button"
                  className="flex min-h-tall w-full items-center gap-3 px-4 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
                  onClick={() => onChoose(model)}
                >
                  <span className="min-w-0 flex-1">
                    <span className="block truncate font-medium">
                      {model.brand_name} {model.title}
                    </span>
                    <span className="block truncate text-sm text-ink-2">
                      {[model.title_variant, sizeWords(model)].filter(Boolean).join(' · ')}
                    </span>
                  </span>
                  <span className="figures text-sm">
                    {model.prices.selling_price === null ? 'No price' : formatMoney(model.prices.selling_price)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

function sizeWords({ eye, bridge, temple }: BookedModel): string {
  return [eye, bridge, temple].every((part) => part === null) ? '' : [eye, bridge, temple].map((part) => part ?? '–').join('-')
}
