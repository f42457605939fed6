import { useState, type FormEvent } from 'react'
import { Button } from '#src/ui/button.tsx'
import { TextField } from './text-field.tsx'

type Props = { label: string; placeholder: string; disabled: boolean; onCode: (code: string) => void }

/** A field for a label that no scanner can read. */
export function CodeEntry({ label, placeholder, disabled, onCode }: Props) {
  const [typed, setTyped] = useState('')

  function submit(event: FormEvent) {
    event.preventDefault()
    if (typed.trim() === '' || disabled) return
    onCode(typed)
    setTyped('')
  }

  return (
    <form onSubmit={submit} className="flex min-w-0 flex-1 items-end gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label={label}
          placeholder={placeholder}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          figures
          maxLength={128}
          data-autofocus={disabled ? undefined : true}
          value={typed}
          onChange={setTyped}
        />
      </div>
      <Button type="submit" disabled={disabled || typed.trim() === ''}>
        Enter
      </Button>
    </form>
  )
}
