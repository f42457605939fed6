import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { HomeInfo } from '#contract/people/session.ts'
import { Button } from '#src/ui/button.tsx'
import { useHasOpenForm } from '#src/ui/open-forms.ts'
import { SignInDialog } from './sign-in-dialog.tsx'

type SessionEndedProps = {
  home: HomeInfo
  /** What is scanned is still saved on this tablet. */
  isSaving: boolean
  /** How often something on the screen has needed the session. */
  asks: number
  onSomeoneElse: () => void
}

/** Above work that goes on after its session has ended: says so, and lets its person sign in in place. */
export function SessionEnded({ home, isSaving, asks, onSomeoneElse }: SessionEndedProps) {
  // A dialog of the page keeps everybody from the bar: then the sign-in comes without a press.
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
