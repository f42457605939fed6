import { useId, useRef, useState, type FormEvent } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { letterWays, longestLetterSubject, pcpLetterEndpoints } from '#contract/patients/pcp-letters.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { useToday } from '#src/sync/react/use-today.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { DateField } from '#src/ui/forms/date-field.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { type LetterDraft, letterPlace, type LetterProblems, newLetterDraft, readLetter, readLetterDraft } from './letter-draft.ts'
import { letterWayWords } from './letter-way-words.ts'
import { PcpValue } from './pcp-value.tsx'

type Props = { idPatient: string; idPcp: string; onClose: () => void; onRecorded: () => void }

/** Writes down that a letter went to a patient’s primary care provider. What is typed is kept until it is saved. */
export function LetterDialog({ idPatient, idPcp, onClose, onRecorded }: Props) {
  const device = useDevice()
  const formId = useId()
  const today = useToday()
  const isOffline = useConnection((connection) => connection.online) === false
  const [fresh] = useState(() => newLetterDraft(today))
  const draft = useTyped(letterPlace(idPatient), fresh, readLetterDraft)
  const [problems, setProblems] = useState<LetterProblems>({})
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const { typed } = draft
  if (typed === null) return null
  const letter = typed

  function change(changes: Partial<LetterDraft>) {
    draft.change({ ...letter, ...changes })
    setProblems({})
  }

  function show(found: LetterProblems) {
    setProblems(found)
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('input[aria-invalid=true], [aria-invalid=true] input')?.focus())
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const read = readLetter(letter, idPcp, today)
    if (!read.ok) return show(read.problems)
    setBusy(true)
    setFailure(null)
    const answer = await device.call(pcpLetterEndpoints.recordPcpLetter, { params: { id: idPatient }, body: read.input })
    setBusy(false)
    if (answer.ok) {
      await draft.forget()
      onRecorded()
      return
    }
    setFailure(answer.failure)
    if (answer.failure.kind !== 'refused') return
    // It had arrived as it stood before it was changed. What is typed now is another letter.
    if (answer.failure.code === 'key-reused') change({ id: uuidv7() })
    show(Object.fromEntries(answer.failure.fields.map(({ path, message }) => [path.replace(/^body\./, ''), message])))
  }

  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      title="Log a letter"
      description="To the primary care provider"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form={formId} variant="primary" busy={isBusy} disabled={isOffline}>
            Save
          </Button>
        </>
      }
    >
      <form
        ref={element}
        id={formId}
        noValidate
        aria-label="Log a letter"
        className="flex flex-col gap-4"
        onSubmit={(event) => void save(event)}
      >
        <TypedNotice of={draft} />
        {isOffline && (
          <Notice tone="warn" title="No connection">
            You need a connection to save. Until then, what you type stays on this device.
          </Notice>
        )}
        {failure && (
          <Notice tone="bad" title="NOT SAVED">
            {wordsOf(failure)}
          </Notice>
        )}
        <p className="wrap-anywhere whitespace-pre-line">
          <PcpValue id={idPcp} />
        </p>
        <DateField
          label="Date sent"
          required
          max={today}
          value={letter.sent_on}
          onChange={(sent_on) => change({ sent_on })}
          error={problems.sent_on}
        />
        <RadioGroup
          label="How"
          look="cards"
          columns={2}
          value={letter.way}
          onChange={(way) => change({ way })}
          options={letterWays.map((value) => ({ value, label: letterWayWords[value] }))}
          error={problems.way}
        />
        <TextField
          label="About"
          required
          hint="A few words. You can add the letter itself under Files."
          maxLength={longestLetterSubject}
          value={letter.about}
          onChange={(about) => change({ about })}
          error={problems.about}
        />
      </form>
    </Dialog>
  )
}

function wordsOf(failure: Failure): string {
  if (failure.kind === 'unreachable') return 'Couldn’t reach the server. Press Save again; it won’t be logged twice.'
  if (failure.kind === 'refused' && failure.code === 'key-reused') {
    return 'It was saved before your change and is in the list. Save again to log this one too.'
  }
  return `${failure.message}. What you typed is still here.`
}
