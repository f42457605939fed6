import { type SubmitEvent, useState } from 'react'
import { agreeInPortal, type PortalView } from '#contract/patients/portal.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/forms/checkbox.tsx'
import { Notice } from '#src/ui/notice.tsx'
import type { PortalCall, Proof } from '../model/portal-calls.ts'

type AgreeFormProps = {
  call: PortalCall
  proof: Proof
  view: PortalView
  onDone: (view: PortalView) => void
  /** Null the first time, when there is no page to return to. */
  onCancel: (() => void) | null
}

/** Accepts the invitation and asks which messages the patient wants. Only consents on file are checked in advance. */
export function AgreeForm({ call, proof, view, onDone, onCancel }: AgreeFormProps) {
  const [sms, setSms] = useState(view.sms_consent)
  const [email, setEmail] = useState(view.email_consent)
  const [hipaa, setHipaa] = useState(view.hipaa_ack)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function save(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    const body = { ...proof, sms_consent: sms, email_consent: email, hipaa_ack: hipaa }
    const answer = await call(agreeInPortal, { body })
    setBusy(false)
    if (answer.ok) onDone(answer.value)
    else setProblem(answer.failure.message)
  }

  return (
    <form className="flex flex-col gap-5" onSubmit={(event) => void save(event)}>
      <h2 className="text-lg font-semibold">How can we contact you?</h2>
      {problem !== null && <Notice tone="bad" title={`Not saved. ${problem}`} />}
      <div className="flex flex-col gap-2 rounded-lg border border-line bg-surface px-4 py-3">
        <Checkbox
          label="Text messages"
          hint="Appointment reminders and notices when your glasses are ready. You can turn this off here at any time."
          checked={sms}
          onChange={setSms}
        />
        <Checkbox label="Emails" hint="The same, plus replies to your messages." checked={email} onChange={setEmail} />
        <Checkbox
          label="I have received the clinic’s Notice of Privacy Practices"
          hint={view.hipaa_ack ? 'Already on file.' : 'This is optional. Ask the clinic for the notice if you haven’t seen it.'}
          checked={hipaa}
          disabled={view.hipaa_ack}
          onChange={setHipaa}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={isBusy}>
          {view.accepted ? 'Save' : 'Accept the invitation'}
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
  )
}
