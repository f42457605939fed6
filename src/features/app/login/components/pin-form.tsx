import { useState } from 'react'
import { pinForm } from '#contract/people/session.ts'
import type { Device } from '#src/sync/device/device.ts'
import { useLockout } from '#src/sync/react/use-lockout.ts'
import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { signInWithPin } from '#src/features/app/login/actions.ts'
import { sentences, shownProblem, tellBlocked, type SignInProblem } from '#src/features/app/login/model/sign-in-words.ts'
import { useShortForm } from '#src/features/app/login/hooks/use-short-form.ts'

/** Express Login: a PIN on one line with its button. */
export function PinForm({ device, onSignedIn }: { device: Promise<Device>; onSignedIn: () => void }) {
  const { lockout, secondsLeft } = useLockout('pin')
  const [problem, setProblem] = useState<SignInProblem | null>(null)
  const blocked = secondsLeft > 0
  const shown = shownProblem(problem, blocked)

  const form = useShortForm(pinForm, { express_login: '' }, async (values, reset) => {
    setProblem(null)
    const opened = await device
    const failed = await signInWithPin(opened, lockout, values)
    setProblem(failed)
    // Clear a wrong PIN. Keep a PIN that nobody could check.
    if (failed?.sentence === sentences.wrongPin) reset()
    else if (opened.session.state.getState().status === 1) onSignedIn()
  })

  return (
    <form
      noValidate
      aria-label="Express Login"
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
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
        <TextField
          label="PIN"
          name="express_login"
          type="password"
          inputMode="numeric"
          autoComplete="off"
          figures
          maxLength={8}
          value={form.values.express_login}
          onChange={(value) => form.change('express_login', value.replaceAll(/\D/g, ''))}
          error={form.errorOf('express_login')}
        />
        {/* Aligns the button with the field, below the height of its label. */}
        <div className="pt-[1.5625rem]">
          <Button type="submit" busy={form.submitting} aria-disabled={blocked || undefined}>
            {blocked ? `Wait ${secondsLeft}s` : 'Express Login'}
          </Button>
        </div>
      </div>
    </form>
  )
}
