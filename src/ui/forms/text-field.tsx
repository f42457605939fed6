import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { controlClasses, Field, type FieldTexts } from './field.tsx'

export type TextFieldProps = FieldTexts &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'onChange' | 'value' | 'id'> & {
    value: string
    onChange: (value: string) => void
    /** Shows inside the field at its start. */
    icon?: ReactNode
    /** For numbers and codes: figures of equal width. */
    figures?: boolean
    ref?: Ref<HTMLInputElement>
  }

/** One line of text. The browser does not keep it (see `TextArea`), unless `autoComplete` names its content. */
export function TextField({ label, hideLabel, hint, error, value, onChange, icon, figures = false, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} required={rest.required}>
      {({ id, describedBy, invalid }) => (
        <span className="relative block">
          {icon && <span className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-ink-3">{icon}</span>}
          <input
            type="text"
            autoComplete="off"
            {...rest}
            // The browser's own bubble would hide our sentence. `required` still shows as the asterisk.
            required={undefined}
            aria-required={rest.required || undefined}
            id={id}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={`${controlClasses} ${icon ? 'pl-10' : ''} ${figures ? 'figures' : ''}`}
          />
        </span>
      )}
    </Field>
  )
}
