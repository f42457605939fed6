import { useState } from 'react'
import * as v from 'valibot'
import { type HomeInfo, password, pinForm } from '#contract/people/session.ts'
import { unlock } from '#src/features/app/login/model/unlock.ts'
import { useShortForm } from '#src/features/app/login/hooks/use-short-form.ts'
import { shownProblem, tellBlocked, type SignInProblem } from '#src/features/app/login/model/sign-in-words.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useLockout } from '#src/sync/react/use-lockout.ts'
import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PasswordField } from '#src/ui/forms/password-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'

type UnlockFormsProps = {
  home: HomeInfo
  /** The label of the password's button. */
  action: string
  /** True when only the server may check the user, because the caller needs a session. */
  byServer?: boolean
  /** The address of the page behind, where a colleague's PIN switches users. */
  leaving?: string
  onOpen?: () => void
}

const passwordForm = v.object({ password })

/** Asks for the password or the PIN of one user. */
export function UnlockForms({ home, action, byServer = false, leaving, onOpen }: UnlockFormsProps) {
  const device = useDevice()
  const guards = { password: useLockout('password'), pin: useLockout('pin') }
  const [problem, setProblem] = useState<(SignInProblem & { of: 'password' | 'pin' }) | null>(null)
  const shown = shownProblem(problem, problem !== null && guards[problem.of].secondsLeft > 0)

  async function prove(typed: { password: string } | { pin: string }): Promise<boolean> {
    setProblem(null)
    const of = 'pin' in typed ? 'pin' : 'password'
    const { lockout } = guards[of]
    const found = await unlock(device, lockout, home, typed, { byServer, leaving })
    setProblem(found && { ...found, of })
    const isOpen = found === null && lockout.secondsLeft() === 0
    if (isOpen) onOpen?.()
    return isOpen
  }
  const byPassword = useShortForm(passwordForm, { password: '' }, async (typed, reset) => {
    if (await prove(typed)) reset()
  })
  const byPin = useShortForm(pinForm, { express_login: '' }, async ({ express_login }, reset) => {
    await prove({ pin: express_login })
    reset()
  })
  const submitter = (kind: 'password' | 'pin', submit: () => Promise<void>) => (event: { preventDefault(): void }) => {
    event.preventDefault()
    const { secondsLeft } = guards[kind]
    if (secondsLeft === 0) return void submit()
    tellBlocked(secondsLeft)
  }
  const labelOf = (kind: 'password' | 'pin', usual: string) => (guards[kind].secondsLeft > 0 ? `Wait ${guards[kind].secondsLeft}s` : usual)

  return (
    <div className="flex flex-col gap-4">
      {shown && (
        <Notice tone="bad" title={shown.sentence}>
          {shown.reason}
        </Notice>
      )}
      <form noValidate aria-label="By password" className="flex flex-col gap-3" onSubmit={submitter('password', () => byPassword.submit())}>
        {/* For the browser's own password store. */}
        <input type="text" name="username" autoComplete="username" value={home.username} readOnly hidden />
        <PasswordField
          label="Password"
          name="password"
          value={byPassword.values.password}
          onChange={(value) => byPassword.change('password', value)}
          error={byPassword.errorOf('password')}
        />
        <Button
          type="submit"
          variant="primary"
          wide
          busy={byPassword.submitting}
          aria-disabled={guards.password.secondsLeft > 0 || undefined}
        >
          {labelOf('password', action)}
        </Button>
      </form>
      <form
        noValidate
        aria-label="By PIN"
        className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2"
        onSubmit={submitter('pin', () => byPin.submit())}
      >
        <TextField
          label="PIN"
          name="express_login"
          type="password"
          inputMode="numeric"
          autoComplete="off"
          figures
          maxLength={8}
          value={byPin.values.express_login}
          onChange={(value) => byPin.change('express_login', value.replaceAll(/\D/g, ''))}
          error={byPin.errorOf('express_login')}
        />
        {/* Aligns the button with the field, below the height of its label. */}
        <div className="pt-[1.5625rem]">
          <Button type="submit" busy={byPin.submitting} aria-disabled={guards.pin.secondsLeft > 0 || undefined}>
            {labelOf('pin', 'Use PIN')}
          </Button>
        </div>
      </form>
    </div>
  )
}
