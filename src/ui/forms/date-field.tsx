import { TextField, type TextFieldProps } from './text-field.tsx'

/** What stands in the form for a date of which a part is missing: a date by no rule, so that nobody saves it. */
export const incompleteDate = 'incomplete date'

/**
 * A day, `YYYY-MM-DD`. Browsers tell of a date that is typed half the same as of none. Who leaves one is told, and the form has something that its
 * rules refuse, or a birth date that somebody typed would be saved as not known.
 */
export function DateField({ value, error, onChange, onBlur, onKeyDown, ...rest }: Omit<TextFieldProps, 'type' | 'icon' | 'figures'>) {
  function tell(input: HTMLInputElement) {
    if (input.value === '' && input.validity.badInput !== (value === incompleteDate))
      onChange(input.validity.badInput ? incompleteDate : '')
  }
  return (
    <TextField
      {...rest}
      type="date"
      value={value === incompleteDate ? '' : value}
      error={value === incompleteDate ? 'Enter a full date' : error}
      onChange={onChange}
      onBlur={(event) => {
        tell(event.currentTarget)
        onBlur?.(event)
      }}
      onKeyDown={(event) => {
        // Submits the form from within.
        if (event.key === 'Enter') tell(event.currentTarget)
        onKeyDown?.(event)
      }}
    />
  )
}
