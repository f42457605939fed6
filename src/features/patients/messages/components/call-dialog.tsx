import { useState } from 'react'
import { callOutcomes, type Contact, longestCallMinutes } from '#contract/patients/messages.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DiscardButton } from '#src/ui/forms/discard-button.tsx'
import { formatDateTime } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { logCall } from '../actions.ts'
import { useDraft } from '../model/drafts.ts'
import { addressWords, outcomeWords } from '../words.ts'

const phoneWords = { cell: 'Cell', home: 'Home', work: 'Work' } as const

/** Logs a call. The device keeps the typed text until the server has the call. */
export function CallDialog({
  idPatient,
  contact,
  timeZone,
  onClose,
  onLogged,
}: {
  idPatient: string
  contact: Contact
  timeZone: string | undefined
  onClose: () => void
  onLogged: () => void
}) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const { draft, change, forget } = useDraft(idPatient, 'call', null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [asked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const minutes = minutesOf(draft?.minutes ?? '')
  const number = draft?.to ?? contact.phones[0]?.number ?? ''

  async function log() {
    setAsked(true)
    if (!draft || draft.outcome === null || minutes === undefined) return
    setBusy(true)
    setFailure(null)
    const { id, direction, outcome, text: note, begunAt } = draft
    const at = new Date(begunAt).toISOString()
    const answer = await logCall(device, idPatient, {
      id,
      direction,
      outcome,
      to: number,
      note,
      at,
      duration_s: minutes === null ? null : minutes * 60,
    })
    if (answer.ok) {
      await forget()
      onLogged()
      return
    }
    setBusy(false)
    setFailure(answer.failure)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      title="Log a call"
      description={draft ? formatDateTime(draft.begunAt, timeZone) : undefined}
      footer={
        <>
          <DiscardButton forget={forget} onClose={onClose}>
            Discard
          </DiscardButton>
          <Button variant="primary" busy={isBusy} disabled={isOffline || !draft} onClick={() => void log()}>
            Save
          </Button>
        </>
      }
    >
      {draft ? (
        <div className="flex flex-col gap-4">
          {isOffline && (
            <Notice tone="warn" title="No connection">
              You can save this when you’re back online. What you type is kept on this device.
            </Notice>
          )}
          {failure && (
            <Notice tone="bad" title="NOT SAVED">
              {failure.kind === 'unreachable' ? 'Couldn’t reach the server. Press Save again; it won’t be logged twice.' : failure.message}
            </Notice>
          )}
          <RadioGroup
            label="Direction"
            look="cards"
            columns={2}
            value={draft.direction}
            onChange={(direction) => change({ direction })}
            options={[
              { value: 'out', label: 'We called' },
              { value: 'in', label: 'They called' },
            ]}
          />
          <RadioGroup
            label="Outcome"
            columns={2}
            value={draft.outcome}
            onChange={(outcome) => change({ outcome })}
            options={callOutcomes.map((value) => ({ value, label: outcomeWords[value].word }))}
            error={asked && draft.outcome === null ? 'Choose an outcome' : undefined}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              label="Number"
              value={number === '' ? 'none' : number}
              onChange={(chosen) => change({ to: chosen === 'none' ? '' : chosen })}
              options={[
                { value: 'none', label: 'Other' },
                ...contact.phones.map(({ kind, number }) => ({ value: number, label: `${phoneWords[kind]} ${addressWords(number)}` })),
              ]}
            />
            <TextField
              label="Minutes"
              inputMode="numeric"
              figures
              value={draft.minutes}
              onChange={(typed) => change({ minutes: typed })}
              error={asked && minutes === undefined ? `Enter whole minutes, up to ${longestCallMinutes}` : undefined}
            />
          </div>
          <TextArea label="Note" maxLength={2000} value={draft.text} onChange={(text) => change({ text })} />
        </div>
      ) : (
        <Skeleton lines={4} height="row" />
      )}
    </Dialog>
  )
}

/** Returns the minutes, null for an empty field, or undefined when the text is not a valid number of minutes. */
function minutesOf(typed: string): number | null | undefined {
  if (typed.trim() === '') return null
  if (!/^\s*\d{1,4}\s*$/.test(typed)) return undefined
  return Number(typed) <= longestCallMinutes ? Number(typed) : undefined
}
