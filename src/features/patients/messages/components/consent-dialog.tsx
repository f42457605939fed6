import * as v from 'valibot'
import type { Contact } from '#contract/patients/messages.ts'
import { contactWays } from '#contract/patients/patient.ts'
import { KeptForm } from '#src/domain/forms/kept-form.tsx'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { Switch } from '#src/ui/forms/switch.tsx'
import { saveConsent } from '../actions.ts'
import { wayWords } from '../words.ts'

const hows = ['in person', 'by phone', 'on paper'] as const

const shape = v.object({
  sms: v.boolean(),
  email: v.boolean(),
  preferred: v.nullable(v.picklist(contactWays)),
  how: v.nullable(v.picklist(hows)),
})
type Said = v.InferOutput<typeof shape>
const readSaid = readAs(shape)

/** Records which messages the patient agreed to, and how they said so. */
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
  const draft = useTyped<Said>(`patient: consent ${idPatient}`, { ...before, how: null }, readSaid)

  async function save({ sms, email, preferred, how }: Said) {
    if (how === null) return {}
    const changes = {
      ...(sms !== before.sms && { sms_consent: sms }),
      ...(email !== before.email && { email_consent: email }),
      ...(preferred !== before.preferred && { preferred_contact: preferred }),
    }
    const answer = await saveConsent(device, idPatient, { ...changes, how })
    if (answer.ok) return null
    const text =
      answer.failure.kind === 'unreachable' ? 'Couldn’t reach the server. Try again when you’re back online.' : answer.failure.message
    return { title: 'NOT SAVED', text }
  }

  return (
    <KeptForm
      draft={draft}
      size="sm"
      title="Change consent"
      description="Messages go only to patients who have consented."
      cancel="Cancel"
      save="Save"
      disabled={isOffline}
      check={({ how }) => (how === null ? { how: 'Choose how the patient told you' } : {})}
      send={save}
      onDone={onSaved}
      onClose={onClose}
    >
      {({ typed, problems, change }) => (
        <>
          {isOffline && (
            <Notice tone="warn" title="No connection">
              You can save consent when you’re back online.
            </Notice>
          )}
          <div>
            <Switch label="Consents to texts" checked={typed.sms} onChange={(sms) => change({ sms })} />
            <Switch label="Consents to emails" checked={typed.email} onChange={(email) => change({ email })} />
          </div>
          <SelectField
            label="Prefers"
            value={typed.preferred ?? 'unknown'}
            onChange={(chosen) => change({ preferred: chosen === 'unknown' ? null : chosen })}
            options={[{ value: 'unknown', label: 'No preference' }, ...contactWays.map((way) => ({ value: way, label: wayWords[way] }))]}
          />
          <RadioGroup
            label="How the patient consented"
            value={typed.how}
            onChange={(how) => change({ how })}
            options={hows.map((value) => ({ value, label: `${value[0]?.toUpperCase()}${value.slice(1)}` }))}
            error={problems['how']}
          />
        </>
      )}
    </KeptForm>
  )
}
