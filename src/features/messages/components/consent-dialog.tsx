import { useState } from 'react'
import type { Contact } from '#contract/messages.ts'
import { contactWays } from '#contract/patient.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useConnection, useDevice } from '#src/sync/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/radio-group.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Switch } from '#src/ui/switch.tsx'
import { saveConsent } from '../actions.ts'
import { wayWords } from '../words.ts'

const hows = ['in person', 'by phone', 'on paper'] as const

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
  const [sms, setSms] = useState(contact.sms.consent_at !== null)
  const [email, setEmail] = useState(contact.email.consent_at !== null)
  const [preferred, setPreferred] = useState(contact.preferred_contact)
  const [how, setHow] = useState<(typeof hows)[number] | null>(null)
  const [asked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  async function save() {
    setAsked(true)
    if (how === null) return
    setBusy(true)
    setFailure(null)
    const changes = {
      ...(sms !== (contact.sms.consent_at !== null) && { sms_consent: sms }),
      ...(email !== (contact.email.consent_at !== null) && { email_consent: email }),
      ...(preferred !== contact.preferred_contact && { preferred_contact: preferred }),
    }
    const answer = await saveConsent(device, idPatient, { ...changes, how })
    setBusy(false)
    if (answer.ok) onSaved()
    else setFailure(answer.failure)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      size="sm"
      title="Change consent"
      description="Nothing is sent to a patient who has not agreed to it."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={isBusy} disabled={isOffline} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {isOffline && (
          <Notice tone="warn" title="No connection">
            Consent is written down when the server can be reached.
          </Notice>
        )}
        {failure && (
          <Notice tone="bad" title="NOT SAVED">
            {failure.kind === 'unreachable' ? 'The server can’t be reached. Please try again when there is a connection.' : failure.message}
          </Notice>
        )}
        <div>
          <Switch label="Agrees to texts" checked={sms} onChange={setSms} />
          <Switch label="Agrees to e-mails" checked={email} onChange={setEmail} />
        </div>
        <SelectField
          label="Prefers"
          value={preferred ?? 'unknown'}
          onChange={(chosen) => setPreferred(chosen === 'unknown' ? null : chosen)}
          options={[{ value: 'unknown', label: 'Not known' }, ...contactWays.map((way) => ({ value: way, label: wayWords[way] }))]}
        />
        <RadioGroup
          label="The patient said so"
          value={how}
          onChange={setHow}
          options={hows.map((value) => ({ value, label: `${value[0]?.toUpperCase()}${value.slice(1)}` }))}
          error={asked && how === null ? 'Say how the patient told you' : undefined}
        />
      </div>
    </Dialog>
  )
}
