import { useState } from 'react'
import { loginForm } from '#contract/people/session.ts'
import type { Device } from '#src/sync/device/device.ts'
import { useLockout } from '#src/sync/react/use-lockout.ts'
import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PasswordField } from '#src/ui/forms/password-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { signInWithPassword } from '#src/features/app/login/actions.ts'
import { shownProblem, tellBlocked, type SignInProblem } from '#src/features/app/login/model/sign-in-words.ts'
import { useShortForm } from '#src/features/app/login/hooks/use-short-form.ts'

/** Email or username, and a password. */
export function SignInForm({ device, onSignedIn }: { device: Promise<Device>; onSignedIn: () => void }) {
  const { lockout, secondsLeft } = useLockout('password')
  const [problem, setProblem] = useState<SignInProblem | null>(null)
  const blocked = secondsLeft > 0
  const shown = shownProblem(problem, blocked)

  const form = useShortForm(loginForm, { username: '', password: '' }, async ({ username, password }) => {
    setProblem(null)
    const opened = await device
    const failed = await signInWithPassword(opened, lockout, { username: username.trim(), password })
    setProblem(failed)
    if (!failed && opened.session.state.getState().status === 1) onSignedIn()
  })

  return (
    <form
      noValidate
      aria-label="Login"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (blocked) tellBlocked(secondsLeft)
        else void form.submit()
      }}
    >
      {shown && (
        <Notice tone="bad" title={shown.sentence}>
          {shown.reason}
        </Notice>
      )}
      <TextField
        label="Email or username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={form.values.username}
        onChange={(value) => form.change('username', value)}
        error={form.errorOf('username')}
      />
      <PasswordField
        label="Password"
        name="password"
        value={form.values.password}
        onChange={(value) => form.change('password', value)}
        error={form.errorOf('password')}
      />
      <Button type="submit" variant="primary" wide busy={form.submitting} aria-disabled={blocked || undefined}>
        {blocked ? `Try again in ${secondsLeft}s` : 'Login'}
      </Button>
    </form>
  )
}
