import { revalidateLogic, useForm } from '@tanstack/react-form'
import { Clock, CloudOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { HomeInfo } from '#contract/people/session.ts'
import { openSession } from '#contract/people/time-clock.ts'
import { passwordForm } from '#src/features/people/time-clock/form.ts'
import { useServerNow, type OwnPunch } from '#src/features/people/time-clock/queries.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { blockedWords } from '#src/sync/session/lockout.ts'
import { isBlock, punchingOf, punchSentence, refusePunch, type ClockStatus, type PunchResult } from '#src/sync/session/punching.ts'
import { useLockout } from '#src/sync/react/use-lockout.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatMinutes, formatTime } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { PasswordField } from '#src/ui/forms/password-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'

type Direction = 'in' | 'out'
const words: Record<Direction, string> = { in: 'Clock in', out: 'Clock Out' }

/** Clocks the signed-in user in or out. Asks for their password, because tablets are shared and left unattended. */
export function PunchCard({
  home,
  punches,
  timeZone,
  bare = false,
}: {
  home: HomeInfo
  punches: OwnPunch[] | undefined
  timeZone: string | undefined
  /** Omits the border, inside a dialog. */
  bare?: boolean
}) {
  const device = useDevice()
  const now = useServerNow()
  const isOnline = useConnection((connection) => connection.online) !== false
  const [answered, setAnswered] = useState<{ status: ClockStatus; asOf: string } | null>(null)
  const [result, setResult] = useState<PunchResult | null>(null)
  const { lockout, secondsLeft } = useLockout('clock')
  const blocked = secondsLeft > 0
  const pressed = useRef<Direction>('in')

  // Another tablet may have newer punches than this mirror, so the server decides until a new punch appears here. The
  // same punches read again do not count as new: the button must not change under a finger.
  const seen = punches?.map((punch) => `${punch.id}${punch.waiting ? ' waits' : ''}`).join(' ')
  useEffect(() => {
    let isGone = false
    if (isOnline && seen !== undefined) {
      void punchingOf(device)
        .sessionStatus(home.username)
        .then((status) => {
          if (!isGone) setAnswered({ status, asOf: seen })
        })
    }
    return () => {
      isGone = true
    }
  }, [device, home.username, isOnline, seen])

  const session = openSession(punches ?? [], now)
  // Unsent punches are newer than the server's answer.
  const hasNews = (punches ?? []).some((punch) => punch.waiting)
  const told = !hasNews && answered !== null && answered.asOf === seen && answered.status.known ? answered.status : null
  const isIn = told ? told.session : session !== null
  const since = told ? told.since : (session?.in.at ?? null)
  const waits = session?.in.waiting ?? false

  const form = useForm({
    defaultValues: { password: '' },
    validationLogic: revalidateLogic(),
    validators: { onDynamic: passwordForm },
    onSubmit: async ({ value, formApi }) => {
      setResult(null)
      const punched = await punchingOf(device).punch({ username: home.username, password: value.password, direction: pressed.current })
      setResult(isBlock(punched) ? null : punched)
      if (punched.kind === 'done' || punched.kind === 'saved') {
        lockout.succeed()
        formApi.reset()
        setAnswered(null)
        showToast({ title: punchSentence(punched), tone: punched.kind === 'saved' ? 'info' : 'good' })
        // The row of a punch arrives with the next pull, and the screen then shows it.
        if (punched.kind === 'done') void device.pull()
      } else if (punched.kind === 'refused') {
        showToast({ ...refusePunch(lockout, punched), tone: 'bad' })
      }
    },
  })

  return (
    <section aria-label="Clock In/Out" className={bare ? '' : 'rounded-lg border border-line bg-surface p-5'}>
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div role="status">
          <p className="engraved">{isIn ? 'Clocked in' : 'Clocked out'}</p>
          <p className="figures text-4xl font-light">
            {isIn && since !== null ? formatMinutes((now - Date.parse(since)) / 60_000) : formatTime(now, timeZone)}
          </p>
          <p className="mt-1 text-ink-2">
            {isIn && since !== null ? `Since ${formatTime(since, timeZone)}` : isIn ? 'Since an unknown time' : 'You’re not clocked in'}
          </p>
        </div>
        {!isOnline && (
          <Badge tone="warn" icon={<CloudOff aria-hidden />}>
            Offline. Punches are saved here.
          </Badge>
        )}
        {isOnline && waits && (
          <Badge tone="warn" icon={<Clock aria-hidden />}>
            Waiting to send
          </Badge>
        )}
      </div>
      <form
        noValidate
        className="mt-5 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (blocked) showToast({ ...blockedWords(secondsLeft), tone: 'bad' })
          else void form.handleSubmit()
        }}
      >
        {result && !blocked && <ResultNotice result={result} />}
        {/* A password manager fills the right password only when it sees the username. */}
        <input type="text" name="username" autoComplete="username" value={home.username} readOnly hidden aria-hidden="true" tabIndex={-1} />
        <form.Field name="password">
          {(field) => (
            <PasswordField
              label={
                <>
                  Password of <bdi>{home.first_name}</bdi>
                </>
              }
              name="password"
              autoComplete="current-password"
              value={field.state.value}
              onChange={field.handleChange}
              error={field.state.meta.errors[0]?.message}
            />
          )}
        </form.Field>
        <form.Subscribe selector={(state) => state.isSubmitting}>
          {(submitting) => {
            const likely: Direction = isIn ? 'out' : 'in'
            // Without the server, other tablets' punches are unknown: the user chooses the direction, and the likely
            // one comes first.
            const offered: Direction[] = isOnline ? [likely] : [likely, likely === 'in' ? 'out' : 'in']
            return (
              <div className={offered.length === 1 ? '' : 'grid grid-cols-2 gap-2'}>
                {offered.map((direction) => (
                  <Button
                    key={direction}
                    type="submit"
                    size="lg"
                    wide
                    variant={direction === likely ? 'primary' : 'secondary'}
                    busy={submitting}
                    aria-disabled={blocked || undefined}
                    onClick={() => {
                      pressed.current = direction
                    }}
                  >
                    {blocked ? `Wait ${secondsLeft}s` : words[direction]}
                  </Button>
                ))}
              </div>
            )
          }}
        </form.Subscribe>
      </form>
    </section>
  )
}

function ResultNotice({ result }: { result: PunchResult }) {
  if (result.kind === 'done') return <Notice tone={result.already ? 'warn' : 'good'} title={punchSentence(result)} />
  if (result.kind === 'saved') return <Notice tone="info" title={punchSentence(result)} />
  return <Notice tone={result.kind === 'ask-direction' ? 'warn' : 'bad'} title={punchSentence(result)} />
}
