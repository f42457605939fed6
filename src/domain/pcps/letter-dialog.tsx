import { useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { letterWays, longestLetterSubject, pcpLetterEndpoints } from '#contract/patients/pcp-letters.ts'
import type { Failure } from '#src/api/outcome.ts'
import { KeptForm, type NotDone } from '#src/domain/forms/kept-form.tsx'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { useToday } from '#src/sync/react/use-today.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { DateField } from '#src/ui/forms/date-field.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { type LetterDraft, letterPlace, newLetterDraft, readLetter, readLetterDraft } from './letter-draft.ts'
import { letterWayWords } from './letter-way-words.ts'
import { PcpValue } from './pcp-value.tsx'

type Props = { idPatient: string; idPcp: string; onClose: () => void; onRecorded: () => void }

/** Writes down that a letter went to a patient's primary care provider. Keeps typed text until it is saved. */
export function LetterDialog({ idPatient, idPcp, onClose, onRecorded }: Props) {
  const device = useDevice()
  const today = useToday()
  const isOffline = useConnection((connection) => connection.online) === false
  const [fresh] = useState(() => newLetterDraft(today))
  const draft = useTyped(letterPlace(idPatient), fresh, readLetterDraft)

  async function save(letter: LetterDraft): Promise<NotDone | null> {
    const read = readLetter(letter, idPcp, today)
    if (!read.ok) return { fields: read.problems }
    const answer = await device.call(pcpLetterEndpoints.recordPcpLetter, { params: { id: idPatient }, body: read.input })
    if (answer.ok) return null
    const { failure } = answer
    const fields = failure.kind === 'refused' ? failure.fields : []
    // The letter arrived before it was changed. The changed one is another letter.
    if (failure.kind === 'refused' && failure.code === 'key-reused') draft.change({ ...letter, id: uuidv7() })
    return {
      title: 'NOT SAVED',
      text: wordsOf(failure),
      fields: Object.fromEntries(fields.map(({ path, message }) => [path.replace(/^body\./, ''), message])),
    }
  }

  return (
    <KeptForm
      draft={draft}
      title="Log a letter"
      description="To the primary care provider"
      save="Save"
      disabled={isOffline}
      send={save}
      onDone={onRecorded}
      onClose={onClose}
    >
      {({ typed, problems, change }) => (
        <>
          {isOffline && (
            <Notice tone="warn" title="No connection">
              You need a connection to save. Until then, what you type stays on this device.
            </Notice>
          )}
          <p className="wrap-anywhere whitespace-pre-line">
            <PcpValue id={idPcp} />
          </p>
          <DateField
            label="Date sent"
            required
            max={today}
            value={typed.sent_on}
            onChange={(sent_on) => change({ sent_on })}
            error={problems['sent_on']}
          />
          <RadioGroup
            label="How"
            look="cards"
            columns={2}
            value={typed.way}
            onChange={(way) => change({ way })}
            options={letterWays.map((value) => ({ value, label: letterWayWords[value] }))}
            error={problems['way']}
          />
          <TextField
            label="About"
            required
            hint="A few words. You can add the letter itself under Files."
            maxLength={longestLetterSubject}
            value={typed.about}
            onChange={(about) => change({ about })}
            error={problems['about']}
          />
        </>
      )}
    </KeptForm>
  )
}

function wordsOf(failure: Failure): string {
  if (failure.kind === 'unreachable') return 'Couldn’t reach the server. Press Save again; it won’t be logged twice.'
  if (failure.kind === 'refused' && failure.code === 'key-reused') {
    return 'It was saved before your change and is in the list. Save again to log this one too.'
  }
  return `${failure.message}. What you typed is still here.`
}
