import { revalidateLogic, useForm } from '@tanstack/react-form'
import { useState } from 'react'
import { pinForm } from '#contract/session.ts'
import { useDevice } from '#src/sync/device-context.tsx'
import { useLockout } from '#src/sync/use-lockout.ts'
import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { sentences, signInWithPin, tellBlocked, type SignInProblem } from '#src/features/login/actions.ts'

/** Express Login: a PIN, on one line with its button. */
export function PinForm({ onSignedIn }: { onSignedIn: () => void }) {
  const device = useDevice()
  const { lockout, secondsLeft } = useLockout('pin')
  const [problem, setProblem] = useState<SignInProblem | null>(null)
  const blocked = secondsLeft > 0

  const form = useForm({
    defaultValues: { express_login: '' },
    validationLogic: revalidateLogic(),
    validators: { onDynamic: pinForm },
    onSubmit: async ({ value, formApi }) => {
      setProblem(null)
      const failed = await signInWithPin(device, lockout, value)
      setProblem(failed)
      // A wrong PIN is typed anew; one that nobody has judged is kept.
      if (failed?.sentence === sentences.wrongPin) formApi.reset()
      else if (device.session.state.getState().status === 1) onSignedIn()
    },
  })

  return (
    <form
      noValidate
      aria-label="Express Login"
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
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
        <form.Field name="express_login">
          {(field) => (
            <TextField
              label="PIN"
              name="express_login"
              type="password"
              inputMode="numeric"
              autoComplete="off"
              figures
              maxLength={8}
              value={field.state.value}
              onChange={(value) => field.handleChange(value.replaceAll(/\D/g, ''))}
              error={field.state.meta.errors[0]?.message}
            />
          )}
        </form.Field>
        <form.Subscribe selector={(state) => state.isSubmitting}>
          {(submitting) => (
            // Stands beside the field, below the height of its label.
            <div className="pt-[1.5625rem]">
              <Button type="submit" busy={submitting} aria-disabled={blocked || undefined}>
                {blocked ? `Wait ${secondsLeft}s` : 'Express Login'}
              </Button>
            </div>
          )}
        </form.Subscribe>
      </div>
    </form>
  )
}
