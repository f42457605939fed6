import { TextField, type TextFieldProps } from './text-field.tsx'

/** The form's value for a date with a missing part. It is no valid date, so no form saves it. */
export const incompleteDate = 'incomplete date'

/**
 * A day, `YYYY-MM-DD`. A browser gives an empty value for a half-typed date. When the user leaves such a field, it
 * shows the problem. The form gets a value that its rules refuse. Otherwise a typed birth date would be saved as
 * unknown.
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
        // Enter submits the form from this field.
        if (event.key === 'Enter') tell(event.currentTarget)
        onKeyDown?.(event)
      }}
    />
  )
}
