import { useId, useState, type FormEvent } from 'react'
import type { TransferLine } from '#contract/transfers.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { TextArea } from '#src/ui/text-area.tsx'

type Sure = { title: string; text: string; yes: string; busy: boolean; onYes: () => void; onClose: () => void }

export function SureDialog({ title, text, yes, busy, onYes, onClose }: Sure) {
  return (
    <Dialog
      open
      role="alertdialog"
      size="sm"
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Not yet</Button>
          <Button variant="primary" busy={busy} onClick={onYes}>
            {yes}
          </Button>
        </>
      }
    >
      {text}
    </Dialog>
  )
}

/** What has not arrived becomes Missing, with the reason that stands in its history. */
export function GiveUpDialog({
  pieces,
  busy,
  onGiveUp,
  onClose,
}: {
  pieces: number
  busy: boolean
  onGiveUp: (reason: string) => void
  onClose: () => void
}) {
  return (
    <WordsDialog
      title={`Close without ${formatNumberOf(pieces, 'piece')}?`}
      description="What has not arrived becomes Missing. It can still be found and placed into stock."
      label="What happened"
      yes="Close the transfer"
      busy={busy}
      onWords={onGiveUp}
      onClose={onClose}
    />
  )
}

/** A piece that arrived broken is in stock here as Defective. */
export function DamagedDialog({
  line,
  busy,
  onDamaged,
  onClose,
}: {
  line: TransferLine
  busy: boolean
  onDamaged: (note: string) => Promise<void>
  onClose: () => void
}) {
  return (
    <WordsDialog
      title={`${line.frame.sku} arrived damaged`}
      description="It is received as Defective."
      label="What is broken"
      yes="Receive as damaged"
      busy={busy}
      onWords={(words) => void onDamaged(words)}
      onClose={onClose}
    />
  )
}

type Words = {
  title: string
  description: string
  label: string
  yes: string
  busy: boolean
  onWords: (words: string) => void
  onClose: () => void
}

function WordsDialog({ title, description, label, yes, busy, onWords, onClose }: Words) {
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
