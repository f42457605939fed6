import { ChevronDown } from 'lucide-react'
import type { SelectHTMLAttributes } from 'react'
import { controlClasses, Field, type FieldTexts } from './field.tsx'

export type SelectOption<V extends string> = { value: V; label: string; disabled?: boolean }

export type SelectFieldProps<V extends string> = FieldTexts &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className' | 'onChange' | 'value' | 'id'> & {
    options: readonly SelectOption<V>[]
    value: V | ''
    onChange: (value: V) => void
    /** Shown while nothing is chosen. */
    placeholder?: string
  }

/**
 * One choice of a list. It uses the platform's own picker, because a tablet's is better than any that we could draw.
 */
export function SelectField<V extends string>({
  label,
  hideLabel,
  hint,
  error,
  options,
  value,
  onChange,
  placeholder,
  ...rest
}: SelectFieldProps<V>) {
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} required={rest.required}>
      {({ id, describedBy, invalid }) => (
        <span className="relative block">
          <select
            {...rest}
            required={undefined}
            aria-required={rest.required || undefined}
            id={id}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            value={value}
            onChange={(event) => {
              const chosen = options.find((option) => option.value === event.target.value)
              if (chosen) onChange(chosen.value)
            }}
            className={`${controlClasses} appearance-none pr-10`}
          >
            {placeholder !== undefined && (
              <option value="" disabled>
                {placeholder}
              </option>
            )}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown size={18} aria-hidden className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-3" />
        </span>
      )}
    </Field>
  )
}
