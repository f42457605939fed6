import { useId, useState, type FormEvent } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextArea } from './forms/text-area.tsx'

type Words = {
  title: string
  description: string
  label: string
  yes: string
  busy: boolean
  onWords: (words: string) => void
  onClose: () => void
}

/** Asks for words without which something is not done. */
export function WordsDialog({ title, description, label, yes, busy, onWords, onClose }: Words) {
  const [words, setWords] = useState('')
  const [error, setError] = useState<string>()
  const formId = useId()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    if (words.trim() === '') setError('This field is required')
    else onWords(words.trim())
  }

  return (
    <Dialog
      open
      size="sm"
      title={title}
      description={description}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Not yet</Button>
          <Button variant="primary" type="submit" form={formId} busy={busy}>
            {yes}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <TextArea
          label={label}
          rows={3}
          maxLength={500}
          error={error}
          value={words}
          onChange={(value) => {
            setWords(value)
            setError(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
