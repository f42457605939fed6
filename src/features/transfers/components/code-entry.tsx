import { useState, type FormEvent } from 'react'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/text-field.tsx'

/** For a tag that no scanner reads. */
export function CodeEntry({ label, disabled, onCode }: { label: string; disabled: boolean; onCode: (code: string) => void }) {
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
          placeholder="Store tag or F#"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          figures
          maxLength={128}
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
