import { revalidateLogic, useForm } from '@tanstack/react-form'
import { useState } from 'react'
import { loginForm } from '#contract/session.ts'
import { useDevice } from '#src/sync/device-context.tsx'
import { useLockout } from '#src/sync/use-lockout.ts'
import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PasswordField } from '#src/ui/password-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { signInWithPassword, tellBlocked, type SignInProblem } from '#src/features/login/actions.ts'

/** E-mail or username, and a password. */
export function SignInForm({ onSignedIn }: { onSignedIn: () => void }) {
  const device = useDevice()
  const { lockout, secondsLeft } = useLockout('password')
  const [problem, setProblem] = useState<SignInProblem | null>(null)
  const blocked = secondsLeft > 0

  const form = useForm({
    defaultValues: { username: '', password: '' },
    validationLogic: revalidateLogic(),
    validators: { onDynamic: loginForm },
    onSubmit: async ({ value }) => {
      setProblem(null)
      const failed = await signInWithPassword(device, lockout, { username: value.username.trim(), password: value.password })
      setProblem(failed)
      if (!failed && device.session.state.getState().status === 1) onSignedIn()
    },
  })

  return (
    <form
      noValidate
      aria-label="Login"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (blocked) tellBlocked(secondsLeft)
        else void form.handleSubmit()
      }}
    >
      {problem && !blocked && (
        <Notice tone="bad" title={problem.sentence}>
          {problem.reason}
        </Notice>
      )}
      <form.Field name="username">
        {(field) => (
          <TextField
            label="Email or username"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={field.state.value}
            onChange={field.handleChange}
            error={field.state.meta.errors[0]?.message}
          />
        )}
      </form.Field>
      <form.Field name="password">
        {(field) => (
          <PasswordField
            label="Password"
            name="password"
            value={field.state.value}
            onChange={field.handleChange}
            error={field.state.meta.errors[0]?.message}
          />
        )}
      </form.Field>
      <form.Subscribe selector={(state) => state.isSubmitting}>
        {(submitting) => (
          <Button type="submit" variant="primary" wide busy={submitting} aria-disabled={blocked || undefined}>
            {blocked ? `Try again in ${secondsLeft}s` : 'Login'}
          </Button>
        )}
      </form.Subscribe>
    </form>
  )
}
