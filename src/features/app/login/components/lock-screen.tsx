import { Lock } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { normaliseCode } from '#contract/core/codes.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import { pageScanner } from '#src/device/page-scanner.ts'
import { pageSound } from '#src/device/sound.ts'
import { useConnection } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { notCounted } from '#src/features/app/login/model/sign-in-words.ts'
import { useTopLayer } from '#src/features/app/login/hooks/use-top-layer.ts'
import { UnlockForms } from './unlock-forms.tsx'

/** Why the lock shows: the tablet is idle, the session ended, or both; or a colleague has just signed in. */
export type Why = 'locked' | 'ended' | 'locked-and-ended' | 'switching'
type LockScreenProps = { home: HomeInfo; why: Why; pathname: string; onSomeoneElse: () => void }

/** Covers the whole screen, with any open dialogs, until the user proves to be there. */
export function LockScreen({ home, why, pathname, onSomeoneElse }: LockScreenProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [refused, setRefused] = useState(0)
  const [leaving, setLeaving] = useState(false)
  const isOffline = useConnection(({ online }) => online === false)

  const hasEnded = why === 'ended' || why === 'locked-and-ended'
  useTopLayer(dialog, undefined, true)

  useEffect(
    () =>
      pageScanner(normaliseCode).subscribe(() => {
        setRefused((before) => before + 1)
        pageSound().play('not-recorded')
      }),
    [],
  )

  // Portaled to the root of the page. There, a dialog behind it does not treat a tap as one outside of itself.
  return createPortal(
    <dialog
      ref={dialog}
      aria-labelledby="lock-title"
      aria-describedby="lock-about"
      className="fixed inset-0 m-0 h-dvh max-h-none w-full max-w-none overflow-y-auto border-0 bg-paper text-ink"
      onCancel={(event) => event.preventDefault()}
      // A browser closes a dialog at the second Escape despite `onCancel`.
      onClose={() => dialog.current?.isConnected && dialog.current.showModal()}
    >
      <div className="mx-auto flex min-h-full w-full max-w-[26rem] flex-col justify-center gap-4 px-4 py-6">
        <div className="flex items-center gap-3">
          <span aria-hidden="true" className="flex size-12 items-center justify-center rounded-full border border-line-strong bg-sunken">
            <Lock size={22} />
          </span>
          <div className="min-w-0">
            <h1 id="lock-title" className="text-xl font-semibold">
              {titles[why]}
            </h1>
            <p className="truncate text-ink-2">
              <bdi>
                {home.first_name} {home.last_name}
              </bdi>{' '}
              {hasEnded ? 'was signed in' : 'is signed in'}
            </p>
          </div>
        </div>
        <p id="lock-about" className="text-sm text-ink-2">
          {aboutWords[why]}
          {isOffline && !hasEnded && ' You’re offline. Your password opens everything; your PIN opens counting and the time clock.'}
        </p>
        {why === 'switching' && <Spinner label="Opening" />}
        <div role="alert">
          {refused > 0 && (
            <Notice
              tone={hasEnded ? 'bad' : 'warn'}
              title={hasEnded ? notCounted : refused === 1 ? 'The code wasn’t saved' : `${refused} codes weren’t saved`}
            >
              {hasEnded ? 'Then scan again.' : 'Unlock the tablet, then scan again.'}
            </Notice>
          )}
        </div>
        {why !== 'switching' && (
          <>
            <div className="rounded-xl border border-line bg-surface p-5 shadow-low">
              <UnlockForms home={home} action={hasEnded ? 'Sign in' : 'Unlock'} leaving={pathname} />
            </div>
            <Button
              wide
              busy={leaving}
              onClick={() => {
                setLeaving(true)
                onSomeoneElse()
              }}
            >
              Switch user
            </Button>
            <p className="text-center text-xs text-ink-3">
              A colleague’s PIN opens this tablet for them.{' '}
              {hasEnded ? 'Switching users closes this page and loses unsaved typing.' : <SignsOut name={home.first_name} />} Saved work
              stays under <bdi>{home.first_name}</bdi>’s name.
            </p>
          </>
        )}
      </div>
    </dialog>,
    document.body,
  )
}

function SignsOut({ name }: { name: string }) {
  return (
    <>
      Switching users signs <bdi>{name}</bdi> out.
    </>
  )
}

const titles: Record<Why, string> = {
  locked: 'This tablet is locked',
  'locked-and-ended': 'This tablet is locked',
  ended: 'Sign in to continue',
  switching: 'Switching users',
}

const aboutWords: Record<Why, string> = {
  switching: 'The page of the former user is closed. Saved work and typed text are kept for them.',
  locked: 'Locked after inactivity. Your work is safe.',
  ended: 'Your session ended. What you typed is still here and shows after you sign in.',
  'locked-and-ended': 'Locked after inactivity, and your session ended. Your work is safe and will be sent after you sign in.',
}
