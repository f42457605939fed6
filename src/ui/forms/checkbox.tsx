import { Check, Minus } from 'lucide-react'
import { useEffect, useId, useRef, type ReactNode } from 'react'

export type CheckboxProps = {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  /** Some of its items are chosen. */
  mixed?: boolean
  disabled?: boolean
  name?: string
}

/** A single choice. Its whole line can be pressed. */
export function Checkbox({ label, hint, checked, onChange, mixed = false, disabled = false, name }: CheckboxProps) {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed
  }, [mixed])
  return (
    <label htmlFor={id} className="flex min-h-target items-center gap-3 py-1.5 has-disabled:text-ink-3">
      <span className="relative flex size-6 shrink-0">
        <input
          ref={box}
          id={id}
          name={name}
          type="checkbox"
          checked={checked}
          disabled={disabled}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={(event) => onChange(event.target.checked)}
          className="peer size-6 appearance-none rounded-sm border border-line-strong bg-field transition-colors checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:border-line disabled:bg-sunken"
        />
        {mixed ? (
          <Minus size={18} strokeWidth={3} aria-hidden className="pointer-events-none absolute inset-0 m-auto text-accent-ink" />
        ) : (
          <Check
            size={18}
            strokeWidth={3}
            aria-hidden
            className="pointer-events-none absolute inset-0 m-auto hidden text-accent-ink peer-checked:block peer-disabled:text-ink-3"
          />
        )}
      </span>
      <span className="min-w-0">
        <span className="block">{label}</span>
        {hint && (
          <span id={`${id}-hint`} className="block text-xs text-ink-3">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
