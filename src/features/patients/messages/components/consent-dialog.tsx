import { useState } from 'react'
import * as v from 'valibot'
import type { Contact } from '#contract/patients/messages.ts'
import { contactWays } from '#contract/patients/patient.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DiscardButton } from '#src/ui/forms/discard-button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { Switch } from '#src/ui/forms/switch.tsx'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { saveConsent } from '../actions.ts'
import { wayWords } from '../words.ts'

const hows = ['in person', 'by phone', 'on paper'] as const

const readSaid = readAs(
  v.object({
    sms: v.boolean(),
    email: v.boolean(),
    preferred: v.nullable(v.picklist(contactWays)),
    how: v.nullable(v.picklist(hows)),
  }),
)

/** Writes down what the patient said about being written to, and how they said it. */
export function ConsentDialog({
  idPatient,
  contact,
  onClose,
  onSaved,
}: {
  idPatient: string
  contact: Contact
  onClose: () => void
  onSaved: () => void
}) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const before = { sms: contact.sms.consent_at !== null, email: contact.email.consent_at !== null, preferred: contact.preferred_contact }
  const draft = useTyped(`consent ${idPatient}`, { ...before, how: null }, readSaid)
  const [asked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  if (draft.typed === null) return null
  const said = draft.typed
  const { sms, email, preferred, how } = said

  async function save() {
    setAsked(true)
    if (how === null) return
    setBusy(true)
    setFailure(null)
    const changes = {
      ...(sms !== before.sms && { sms_consent: sms }),
      ...(email !== before.email && { email_consent: email }),
      ...(preferred !== before.preferred && { preferred_contact: preferred }),
    }
    const answer = await saveConsent(device, idPatient, { ...changes, how })
    setBusy(false)
    if (!answer.ok) return setFailure(answer.failure)
    await draft.forget()
    onSaved()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      size="sm"
      title="Change consent"
      description="Messages go only to patients who have consented."
      footer={
        <>
          <DiscardButton forget={draft.forget} onClose={onClose}>
            Cancel
          </DiscardButton>
          <Button variant="primary" busy={isBusy} disabled={isOffline} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TypedNotice of={draft} />
        {isOffline && (
          <Notice tone="warn" title="No connection">
            You can save consent when you’re back online.
          </Notice>
        )}
        {failure && (
          <Notice tone="bad" title="NOT SAVED">
            {failure.kind === 'unreachable' ? 'Couldn’t reach the server. Try again when you’re back online.' : failure.message}
          </Notice>
        )}
        <div>
          <Switch label="Consents to texts" checked={sms} onChange={(sms) => draft.change({ ...said, sms })} />
          <Switch label="Consents to emails" checked={email} onChange={(email) => draft.change({ ...said, email })} />
        </div>
        <SelectField
          label="Prefers"
          value={preferred ?? 'unknown'}
          onChange={(chosen) => draft.change({ ...said, preferred: chosen === 'unknown' ? null : chosen })}
          options={[{ value: 'unknown', label: 'No preference' }, ...contactWays.map((way) => ({ value: way, label: wayWords[way] }))]}
        />
        <RadioGroup
          label="How the patient consented"
          value={how}
          onChange={(how) => draft.change({ ...said, how })}
          options={hows.map((value) => ({ value, label: `${value[0]?.toUpperCase()}${value.slice(1)}` }))}
          error={asked && how === null ? 'Choose how the patient told you' : undefined}
        />
      </div>
    </Dialog>
  )
}
