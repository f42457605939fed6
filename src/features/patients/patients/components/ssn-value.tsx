import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { patientEndpoints } from '#contract/patients/patients.ts'
import { KeptForm } from '#src/domain/forms/kept-form.tsx'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'

export const shownForS = 20
const timeoutMs = 15_000

/**
 * Shows the social security number masked. A user with the right can give a reason and see it in full for some seconds.
 * Only this component's memory holds the number, and only while it shows.
 */
export function SsnValue({ idPatient, masked }: { idPatient: string; masked: string | null }) {
  const mayReveal = useSession(({ home }) => home?.permissions.includes('patient.reveal-ssn') ?? false)
  const isOffline = useConnection(({ online }) => online) === false
  const [isAsking, setAsking] = useState(false)
  const [revealed, setRevealed] = useState<{ ssn: string | null; leftS: number } | null>(null)
  const leftS = revealed?.leftS ?? 0

  useEffect(() => {
    if (leftS <= 0) return
    const tick = setTimeout(() => setRevealed((now) => (now && now.leftS > 1 ? { ...now, leftS: now.leftS - 1 } : null)), 1000)
    return () => clearTimeout(tick)
  }, [leftS])
  useEffect(() => {
    // Hides the number when the tablet goes to the background, so that nobody finds it open later.
    const hide = () => document.hidden && setRevealed(null)
    document.addEventListener('visibilitychange', hide)
    return () => document.removeEventListener('visibilitychange', hide)
  }, [])

  if (masked === null) return <span className="text-ink-3">—</span>
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {revealed ? (
        <span className="figures" data-private>
          {revealed.ssn === null ? 'No number on file' : spaced(revealed.ssn)}
        </span>
      ) : (
        <span className="figures">{masked}</span>
      )}
      {revealed ? (
        <>
          <Button variant="quiet" onClick={() => setRevealed(null)}>
            Hide<span className="sr-only"> the social security number</span>
          </Button>
          <span className="figures text-sm text-ink-2">hidden in {revealed.leftS} s</span>
        </>
      ) : (
        mayReveal && (
          <Button variant="quiet" aria-disabled={isOffline} onClick={() => !isOffline && setAsking(true)}>
            Show<span className="sr-only"> the social security number</span>
          </Button>
        )
      )}
      {mayReveal && isOffline && !revealed && <span className="text-sm text-ink-2">available online</span>}
      {isAsking && (
        <ReasonDialog
          idPatient={idPatient}
          onClose={() => setAsking(false)}
          onRevealed={(ssn) => {
            setAsking(false)
            setRevealed({ ssn, leftS: shownForS })
          }}
        />
      )}
    </span>
  )
}

const readReason = readAs(v.object({ reason: v.string() }))
const fresh = { reason: '' }

function ReasonDialog({
  idPatient,
  onClose,
  onRevealed,
}: {
  idPatient: string
  onClose: () => void
  onRevealed: (ssn: string | null) => void
}) {
  const device = useDevice()
  const draft = useTyped(`patient: ssn reason ${idPatient}`, fresh, readReason)

  async function show({ reason }: typeof fresh) {
    const answer = await device.call(
      patientEndpoints.revealSsn,
      { params: { id: idPatient }, body: v.parse(patientEndpoints.revealSsn.body, { reason }) },
      { timeoutMs },
    )
    if (!answer.ok) {
      return { title: answer.failure.kind === 'unreachable' ? 'Couldn’t reach the server. Try again.' : answer.failure.message }
    }
    onRevealed(answer.value.ssn)
    return null
  }

  return (
    <KeptForm
      draft={draft}
      title="Show the social security number"
      description={`It shows for ${shownForS} seconds. The access log records that you viewed it, and your reason.`}
      size="sm"
      save="Show"
      check={({ reason }) => {
        const read = v.safeParse(patientEndpoints.revealSsn.body, { reason })
        return read.success ? {} : { reason: reason.trim() === '' ? 'This field is required' : read.issues[0].message }
      }}
      send={show}
      onDone={() => undefined}
      onClose={onClose}
    >
      {({ typed, problems, change }) => (
        <TextField
          label="Reason"
          required
          autoComplete="off"
          value={typed.reason}
          onChange={(reason) => change({ reason })}
          error={problems['reason']}
          hint="For example: insurance claim"
        />
      )}
    </KeptForm>
  )
}

function spaced(digits: string): string {
  return digits.replace(/^(\d{3})(\d{2})(\d{4})$/, '$1-$2-$3')
}
