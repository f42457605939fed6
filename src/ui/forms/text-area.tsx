import type { Ref, TextareaHTMLAttributes } from 'react'
import { controlClasses, Field, type FieldTexts } from './field.tsx'

export type TextAreaProps = FieldTexts &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className' | 'onChange' | 'value' | 'id'> & {
    value: string
    onChange: (value: string) => void
    ref?: Ref<HTMLTextAreaElement>
  }

/**
 * Several lines of text; three rows by default. Without `autocomplete="off"` a browser writes typed text into the file
 * from which it restores its windows. There it stays in the clear after the user has signed out.
 */
export function TextArea({ label, hideLabel, hint, error, value, onChange, rows = 3, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} required={rest.required}>
      {({ id, describedBy, invalid }) => (
        <textarea
          autoComplete="off"
          {...rest}
          required={undefined}
          aria-required={rest.required || undefined}
          id={id}
          rows={rows}
          aria-describedby={describedBy}
          aria-invalid={invalid}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={`${controlClasses} resize-y py-2.5`}
        />
      )}
    </Field>
  )
}
