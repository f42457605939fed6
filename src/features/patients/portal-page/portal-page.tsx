import { type SubmitEvent, useEffect, useState, useSyncExternalStore } from 'react'
import { openPortal, type PortalView } from '#contract/patients/portal.ts'
import { Button } from '#src/ui/button.tsx'
import { formatDate } from '#src/ui/format.ts'
import { DateField, incompleteDate } from '#src/ui/forms/date-field.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { AgreeForm } from './components/agree-form.tsx'
import { Inside } from './components/inside.tsx'
import { callServer, type PortalCall, type Proof, tokenOf } from './model/portal-calls.ts'

/** `/portal#…`: the page that a patient opens with the link from the clinic. */
export function PortalPage({ call = callServer }: { call?: PortalCall }) {
  const token = tokenOf(useSyncExternalStore(listenToHash, () => location.hash))
  useEffect(() => {
    document.title = 'Patient portal'
  }, [])
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-[44rem] flex-col gap-6 bg-paper px-4 py-8">
      {token === null ? (
        <>
          <h1 className="text-2xl font-semibold">Patient portal</h1>
          <Notice tone="warn" title="This link is incomplete">
            Open the full link from the email, or ask your clinic for a new one.
          </Notice>
        </>
      ) : (
        // Another link in the same window may belong to another patient.
        <Portal key={token} token={token} call={call} />
      )}
    </main>
  )
}

function listenToHash(listener: () => void) {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

function Portal({ token, call }: { token: string; call: PortalCall }) {
  const [inside, setInside] = useState<{ proof: Proof; view: PortalView } | null>(null)
  const [isAgreeing, setAgreeing] = useState(false)
  if (inside === null) {
    return <BirthDateForm token={token} call={call} onOpen={(proof, view) => setInside({ proof, view })} />
  }
  const { proof, view } = inside
  const onView = (next: PortalView) => setInside({ proof, view: next })
  return (
    <>
      <header>
        <p className="engraved">{view.clinic_name}</p>
        <h1 className="text-2xl font-semibold wrap-anywhere">
          Hello <bdi>{view.first_name}</bdi>
        </h1>
        <p className="mt-1 text-ink-2">Your link works until {formatDate(view.open_until)}. Close this page when you’re done.</p>
      </header>
      {!view.accepted || isAgreeing ? (
        <AgreeForm
          call={call}
          proof={proof}
          view={view}
          onDone={(next) => {
            setAgreeing(false)
            onView(next)
          }}
          onCancel={view.accepted ? () => setAgreeing(false) : null}
        />
      ) : (
        <Inside call={call} proof={proof} view={view} onView={onView} onAgree={() => setAgreeing(true)} />
      )}
    </>
  )
}

function BirthDateForm({ token, call, onOpen }: { token: string; call: PortalCall; onOpen: (proof: Proof, view: PortalView) => void }) {
  const [dob, setDob] = useState('')
  const [error, setError] = useState<string>()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function open(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy) return
    setProblem(null)
    setError(dob === '' ? 'This field is required' : undefined)
    // The field itself shows that the date is incomplete.
    if (dob === '' || dob === incompleteDate) return
    setBusy(true)
    const answer = await call(openPortal, { body: { token, dob } })
    setBusy(false)
    if (answer.ok) onOpen({ token, dob }, answer.value)
    else setProblem(answer.failure.message)
  }

  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={(event) => void open(event)}>
      <header>
        <h1 className="text-2xl font-semibold">Patient portal</h1>
        <p className="mt-1 text-ink-2">Your eye care clinic invited you. Enter your date of birth to confirm it’s you.</p>
      </header>
      {problem !== null && <Notice tone="bad" title={problem} />}
      <DateField
        label="Date of birth"
        min="1850-01-01"
        autoComplete="bday"
        required
        value={dob}
        onChange={setDob}
        error={error}
        hint="After five wrong dates, the link locks and your clinic has to send a new one."
      />
      <div>
        <Button type="submit" variant="primary" busy={isBusy}>
          Open the portal
        </Button>
      </div>
    </form>
  )
}
