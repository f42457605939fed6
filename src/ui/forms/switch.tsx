import { useId, type ReactNode } from 'react'

export type SwitchProps = {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** A setting that works at once. Label left, switch right. */
export function Switch({ label, hint, checked, onChange, disabled = false }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex min-h-target items-center justify-between gap-4 py-1.5">
      <div className="min-w-0">
        <label id={`${id}-label`} htmlFor={id} className="block">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-xs text-ink-3">
            {hint}
          </p>
        )}
      </div>
      <button
        id={id}
        type="button"
        role="switch"
        aria-labelledby={`${id}-label`}
        aria-checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        disabled={disabled}
        onClick={() => onChange(!checked)}
        className="group flex h-target w-14 shrink-0 items-center justify-center rounded-md disabled:opacity-60"
      >
        <span className="flex h-7 w-12 items-center rounded-full border border-line-strong bg-sunken px-0.5 transition-colors group-aria-checked:border-accent group-aria-checked:bg-accent">
          <span className="size-5.5 rounded-full bg-ink-2 transition-transform group-aria-checked:translate-x-5 group-aria-checked:bg-accent-ink" />
        </span>
      </button>
    </div>
  )
}
