import { useId, type ReactNode } from 'react'
import { CircleAlert } from 'lucide-react'

export type FieldTexts = {
  label: ReactNode
  /** Only screen readers get the label. */
  hideLabel?: boolean
  hint?: ReactNode
  /** The problem with the value, in a sentence. */
  error?: string | undefined
}

export const controlClasses =
  'w-full min-h-target rounded-md border bg-field px-3 text-base text-ink placeholder:text-ink-3 transition-colors hover:border-ink-3 ' +
  'aria-invalid:border-bad disabled:border-line disabled:bg-sunken disabled:text-ink-3 border-line-strong'

/** A label above, with hint and error below, tied to the control by id. */
export function Field({
  label,
  hideLabel = false,
  hint,
  error,
  required = false,
  children,
}: FieldTexts & {
  required?: boolean
  children: (ids: { id: string; describedBy: string | undefined; invalid: true | undefined }) => ReactNode
}) {
  const id = useId()
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium text-ink-2'}>
        {label}
        {required && (
          <span aria-hidden="true" className="text-bad">
            {' '}
            *
          </span>
        )}
      </label>
      {children({ id, describedBy: describedBy || undefined, invalid: error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="flex items-start gap-1.5 text-sm text-bad">
          <CircleAlert size={16} aria-hidden className="mt-px shrink-0" />
          {error}
        </p>
      )}
    </div>
  )
}
