import { type ReactNode, type SubmitEvent, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { type PortalView, sendPortalMessage } from '#contract/patients/portal.ts'
import { Button } from '#src/ui/button.tsx'
import { formatDateTime } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import type { PortalCall, Proof } from '../model/portal-calls.ts'
import { IntakeForm } from './intake-form.tsx'

type InsideProps = { call: PortalCall; proof: Proof; view: PortalView; onView: (view: PortalView) => void; onAgree: () => void }

/** The portal after the invitation is accepted: the patient's form, messages and consents. */
export function Inside({ call, proof, view, onView, onAgree }: InsideProps) {
  const [isFilling, setFilling] = useState(false)
  if (isFilling) {
    return (
      <IntakeForm
        call={call}
        proof={proof}
        onSent={(next) => {
          setFilling(false)
          onView(next)
        }}
        onCancel={() => setFilling(false)}
      />
    )
  }
  const agreed = [view.sms_consent && 'text messages', view.email_consent && 'emails'].filter(Boolean)
  return (
    <>
      <Section title="Your form">
        <p className="text-ink-2">
          Your address, contact information, allergies, medications and insurance. We review it before we update your record.
        </p>
        {view.intakes.length > 0 && (
          <ul aria-label="Forms you sent" className="flex flex-col gap-1">
            {view.intakes.map(({ id, at, reviewed }) => (
              <li key={id}>
                Sent {formatDateTime(at)}: {reviewed ? 'reviewed by the clinic' : 'waiting for the clinic'}
              </li>
            ))}
          </ul>
        )}
        <div>
          <Button variant={view.intakes.length === 0 ? 'primary' : 'secondary'} onClick={() => setFilling(true)}>
            Fill out the form
          </Button>
        </div>
      </Section>
      <Section title="Messages">
        <MessageForm call={call} proof={proof} onView={onView} />
        {view.messages.length > 0 && (
          <ol aria-label="Messages" className="flex flex-col gap-3">
            {view.messages.map(({ id, at, from, by, text }) => (
              <li key={id} className={`rounded-md px-4 py-3 ${from === 'you' ? 'bg-sunken' : 'border border-line bg-raised'}`}>
                <p className="text-sm text-ink-2">
                  {from === 'you' ? (
                    'You'
                  ) : (
                    <>
                      <bdi>{by}</bdi>, {view.clinic_name}
                    </>
                  )}{' '}
                  · {formatDateTime(at)}
                </p>
                <p className="wrap-anywhere whitespace-pre-line">{text}</p>
              </li>
            ))}
          </ol>
        )}
      </Section>
      <Section title="Your contact preferences">
        <p>{agreed.length > 0 ? `We may send you ${agreed.join(' and ')}.` : 'We don’t send you messages.'}</p>
        <div>
          <Button onClick={onAgree}>Change</Button>
        </div>
      </Section>
    </>
  )
}

function MessageForm({ call, proof, onView }: Pick<InsideProps, 'call' | 'proof' | 'onView'>) {
  const [text, setText] = useState('')
  // The id of one message. A retry after a lost answer uses it again, so the message arrives once.
  const [id, setId] = useState(() => uuidv7())
  const [error, setError] = useState<string>()
  const [problem, setProblem] = useState<string | null>(null)
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)

  async function send(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy) return
    setSent(false)
    setProblem(null)
    setError(text.trim() === '' ? 'This field is required' : undefined)
    if (text.trim() === '') return
    setBusy(true)
    const answer = await call(sendPortalMessage, { body: { ...proof, id, text } })
    setBusy(false)
    if (!answer.ok) return setProblem(answer.failure.message)
    setText('')
    setId(uuidv7())
    setSent(true)
    onView(answer.value)
  }

  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={(event) => void send(event)}>
      {problem !== null && <Notice tone="bad" title={`Not sent. ${problem}`} />}
      {isSent && <Notice tone="good" title="Sent. The clinic will reply during business hours." />}
      <TextArea
        label="Write to the clinic"
        hint="Not for emergencies. Call the clinic or 911."
        rows={4}
        maxLength={4000}
        value={text}
        onChange={(next) => {
          setText(next)
          // A changed text is another message.
          setId(uuidv7())
        }}
        error={error}
      />
      <div>
        <Button type="submit" busy={isBusy}>
          Send
        </Button>
      </div>
    </form>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3 border-t border-line pt-5">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children}
    </section>
  )
}
