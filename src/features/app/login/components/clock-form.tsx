import { revalidateLogic, useForm } from '@tanstack/react-form'
import { useRef, useState } from 'react'
import { clockForm } from '#contract/people/session.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { isBlock, punchingOf, punchSentence, refusePunch, type ClockStatus, type PunchResult } from '#src/sync/session/punching.ts'
import { useLockout } from '#src/sync/react/use-lockout.ts'
import { Button } from '#src/ui/button.tsx'
import { formatMinutes } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { PasswordField } from '#src/ui/forms/password-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { tellBlocked } from '#src/features/app/login/model/sign-in-words.ts'

type LookUp = { username: string; status: Promise<ClockStatus> }

/** Clocks in or out by username and password, with or without the network, signed in or not. */
export function ClockForm() {
  const device = useDevice()
  const punching = punchingOf(device)
  const { lockout, secondsLeft } = useLockout('clock')
  const [status, setStatus] = useState<{ username: string; status: ClockStatus } | null>(null)
  const [result, setResult] = useState<PunchResult | null>(null)
  const [askDirection, setAskDirection] = useState(false)
  const lookUp = useRef<LookUp | null>(null)
  const direction = useRef<'in' | 'out' | null>(null)
  const blocked = secondsLeft > 0

  /** Asks once for each name. After a failure, the status stays unknown. */
  function statusOf(username: string): Promise<ClockStatus> {
    if (lookUp.current?.username !== username) {
      const asked = punching.sessionStatus(username)
      lookUp.current = { username, status: asked }
      void asked.then((found) => {
        if (lookUp.current?.status !== asked) return
        setStatus({ username, status: found })
        // Ask again next time if the answer was unknown.
        if (!found.known) lookUp.current = null
      })
    }
    return lookUp.current.status
  }

  const form = useForm({
    defaultValues: { username: '', password: '' },
    validationLogic: revalidateLogic(),
    validators: { onDynamic: clockForm },
    onSubmit: async ({ value, formApi }) => {
      setResult(null)
      const username = value.username.trim()
      const known = direction.current === null ? await statusOf(username) : null
      const wanted = direction.current ?? (known?.known ? (known.session ? 'out' : 'in') : 'auto')
      const punched = await punching.punch({ username, password: value.password, direction: wanted })
      direction.current = null
      setAskDirection(punched.kind === 'ask-direction')
      setResult(isBlock(punched) ? null : punched)
      if (punched.kind === 'done' || punched.kind === 'saved') {
        lockout.succeed()
        lookUp.current = null
        setStatus(null)
        showToast({ title: punchSentence(punched), tone: punched.kind === 'saved' ? 'info' : 'good' })
        formApi.reset()
      } else if (punched.kind === 'refused') {
        showToast({ ...refusePunch(lockout, punched), tone: 'bad' })
      }
    },
  })

  return (
    <form
      noValidate
      aria-label="Clock In/Out"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (blocked) tellBlocked(secondsLeft)
        else void form.handleSubmit()
      }}
    >
      {result && !blocked && <ResultNotice result={result} />}
      <form.Field name="username">
        {(field) => (
          <TextField
            label="Username"
            name="clock-username"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={field.state.value}
            onChange={(value) => {
              setAskDirection(false)
              field.handleChange(value)
            }}
            onBlur={() => {
              const username = field.state.value.trim()
              if (username !== '') void statusOf(username)
            }}
            error={field.state.meta.errors[0]?.message}
          />
        )}
      </form.Field>
      <form.Field name="password">
        {(field) => (
          <PasswordField
            label="Password"
            name="clock-password"
            autoComplete="off"
            value={field.state.value}
            onChange={field.handleChange}
            error={field.state.meta.errors[0]?.message}
          />
        )}
      </form.Field>
      <form.Subscribe selector={(state) => ({ submitting: state.isSubmitting, username: state.values.username.trim() })}>
        {({ submitting, username }) => {
          const current = status?.username === username && status.status.known ? status.status : null
          const open = current?.session === true
          const elapsedMinutes = open && current.since ? (device.serverNow() - Date.parse(current.since)) / 60_000 : null
          return askDirection ? (
            <div className="grid grid-cols-2 gap-2">
              {(['in', 'out'] as const).map((way) => (
                <Button
                  key={way}
                  type="submit"
                  size="lg"
                  variant="primary"
                  busy={submitting}
                  onClick={() => {
                    direction.current = way
                  }}
                >
                  {way === 'in' ? 'Clock in' : 'Clock Out'}
                </Button>
              ))}
            </div>
          ) : (
            <>
              {open && (
                <p role="status" className="flex items-baseline justify-between gap-3 rounded-md bg-sunken px-3 py-2.5">
                  <span className="text-ink-2">Clocked in {current.time ? `since ${current.time}` : ''}</span>
                  {elapsedMinutes !== null && <strong className="figures whitespace-nowrap">{formatMinutes(elapsedMinutes)}</strong>}
                </p>
              )}
              <Button type="submit" size="lg" variant="primary" wide busy={submitting} aria-disabled={blocked || undefined}>
                {blocked ? `Wait ${secondsLeft}s` : open ? 'Clock Out' : 'Clock in'}
              </Button>
            </>
          )
        }}
      </form.Subscribe>
    </form>
  )
}

function ResultNotice({ result }: { result: PunchResult }) {
  if (result.kind === 'done') return <Notice tone="good" title={punchSentence(result)} />
  if (result.kind === 'saved') return <Notice tone="info" title={punchSentence(result)} />
  if (result.kind === 'ask-direction') return <Notice tone="warn" title={punchSentence(result)} />
  return (
    <Notice tone="bad" title={result.kind === 'refused' ? 'An error occurred while logging in. Please try again.' : punchSentence(result)}>
      {result.kind === 'refused' && result.code !== 'punch-wrong' ? result.message : null}
    </Notice>
  )
}
