import { CircleAlert } from 'lucide-react'
import { useId, type ReactNode } from 'react'

export type RadioOption<V extends string> = { value: V; label: ReactNode; hint?: ReactNode; disabled?: boolean }

export type RadioGroupProps<V extends string> = {
  label: string
  hideLabel?: boolean
  options: readonly RadioOption<V>[]
  value: V | null
  onChange: (value: V) => void
  error?: string | undefined
  /** `cards` gives each option a frame, for few options with explanations. */
  look?: 'lines' | 'cards'
  columns?: 1 | 2 | 3
}

const columnClasses = { 1: 'grid-cols-1', 2: 'grid-cols-1 sm:grid-cols-2', 3: 'grid-cols-1 sm:grid-cols-3' }

/** One choice of several, all in view. */
export function RadioGroup<V extends string>({
  label,
  hideLabel = false,
  options,
  value,
  onChange,
  error,
  look = 'lines',
  columns = 1,
}: RadioGroupProps<V>) {
  const id = useId()
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} aria-invalid={error ? true : undefined}>
      <legend className={hideLabel ? 'sr-only' : 'mb-1 text-sm font-medium text-ink-2'}>{label}</legend>
      <div className={`grid ${columnClasses[columns]} ${look === 'cards' ? 'gap-2' : 'gap-x-6'}`}>
        {options.map((option) => (
          <label
            key={option.value}
            className={`flex min-h-target items-center gap-3 has-disabled:text-ink-3 ${
              look === 'cards'
                ? 'rounded-md border border-line px-3 py-2.5 transition-colors hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft'
                : 'py-1'
            }`}
          >
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              aria-describedby={option.hint ? `${id}-${option.value}-hint` : undefined}
              onChange={() => onChange(option.value)}
              className="size-6 shrink-0 appearance-none rounded-full border border-line-strong bg-field transition-[border-width] checked:border-[7px] checked:border-accent disabled:border-line disabled:bg-sunken"
            />
            <span className="min-w-0">
              <span className="block">{option.label}</span>
              {option.hint && (
                <span id={`${id}-${option.value}-hint`} className="block text-xs text-ink-2">
                  {option.hint}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1 flex items-start gap-1.5 text-sm text-bad">
          <CircleAlert size={16} aria-hidden className="mt-px shrink-0" />
          {error}
        </p>
      )}
    </fieldset>
  )
}
