import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { HomeInfo } from '#contract/people/session.ts'
import { Button } from '#src/ui/button.tsx'
import { useHasOpenForm } from '#src/ui/open-forms.ts'
import { SignInDialog } from './sign-in-dialog.tsx'

type SessionEndedProps = {
  home: HomeInfo
  /** True while this tablet still saves scans. */
  isSaving: boolean
  /** Counts how often something on the screen has needed the session. */
  asks: number
  onSomeoneElse: () => void
}

/** Shown above work whose session has ended. It says so, and lets the user sign in there. */
export function SessionEnded({ home, isSaving, asks, onSomeoneElse }: SessionEndedProps) {
  // An open dialog of the page blocks the bar, so the sign-in opens without a press.
  const hasForm = useHasOpenForm()
  const [isOpen, setOpen] = useState(hasForm)
  const [answered, setAnswered] = useState(asks)
  if (asks !== answered) {
    setAnswered(asks)
    if (hasForm) setOpen(true)
  }
  return (
    <>
      <div
        role="alert"
        data-session-ended=""
        className="fixed inset-x-0 top-0 z-30 flex h-(--notice-height) items-center gap-3 bg-bad-solid px-3 text-bad-solid-ink sm:px-5 [&_button]:focus-visible:outline-bad-solid-ink"
      >
        <KeyRound size={20} aria-hidden className="shrink-0" />
        <p className="min-w-0 flex-1 text-base leading-tight font-semibold">
          {isSaving ? 'Sign in to send — scans are still being saved.' : 'Sign in to continue — what you typed stays here.'}
        </p>
        <Button onClick={() => setOpen(true)}>Sign in</Button>
      </div>
      {isOpen && <SignInDialog home={home} isSaving={isSaving} onClose={() => setOpen(false)} onSomeoneElse={onSomeoneElse} />}
    </>
  )
}
