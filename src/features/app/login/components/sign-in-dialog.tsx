import { X } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { HomeInfo } from '#contract/people/session.ts'
import { useTopLayer } from '#src/features/app/login/hooks/use-top-layer.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { UnlockForms } from './unlock-forms.tsx'

type SignInDialogProps = { home: HomeInfo; isSaving: boolean; onClose: () => void; onSomeoneElse: () => void }

/**
 * Asks the user whose session ended for their PIN or password, above all dialogs of the page. Scanning continues below
 * it.
 */
export function SignInDialog({ home, isSaving, onClose, onSomeoneElse }: SignInDialogProps) {
  const device = useDevice()
  const dialog = useRef<HTMLDialogElement>(null)
  const [leaving, setLeaving] = useState(false)
  useTopLayer(dialog, onClose)
  // Focus the field: the first element is the button that closes the dialog.
  useLayoutEffect(() => dialog.current?.querySelector<HTMLElement>('input:not([hidden])')?.focus(), [])

  function welcome() {
    onClose()
    if (device.session.state.getState().offline) {
      const description = 'Your work will be sent when you’re back online and sign in again.'
      return showToast({ title: 'Signed in offline', description, tone: 'info' })
    }
    showToast({ title: 'Login Successful', description: 'Sending your saved work.', tone: 'good' })
  }

  // Portaled to the root of the page. There, a dialog behind it does not treat a tap as one outside of itself.
  return createPortal(
    <dialog
      ref={dialog}
      aria-labelledby="sign-in-title"
      aria-describedby="sign-in-about"
      className="m-auto max-h-dvh w-[calc(100%-1.5rem)] max-w-[26rem] overflow-y-auto rounded-xl border border-line bg-raised text-ink shadow-raised backdrop:bg-scrim"
      onCancel={(event) => event.preventDefault()}
      // A browser closes a dialog at the second Escape despite `onCancel`.
      onClose={() => dialog.current?.isConnected && onClose()}
    >
      <header className="flex items-start gap-3 border-b border-line py-1 pr-1 pl-5">
        <div className="min-w-0 flex-1 py-3">
          <h2 id="sign-in-title" className="text-lg font-semibold wrap-anywhere">
            Sign in as <bdi>{home.first_name}</bdi>
          </h2>
          <p id="sign-in-about" className="mt-1 text-sm text-ink-2">
            Your session ended.{' '}
            {isSaving ? 'Scans are still being saved and will be sent after you sign in.' : 'What you typed is still here.'}
          </p>
        </div>
        <IconButton label="Close" icon={<X size={20} aria-hidden />} onClick={onClose} tooltip={false} />
      </header>
      <div className="flex flex-col gap-4 px-5 py-4">
        <UnlockForms home={home} action="Sign in" onOpen={welcome} />
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
          Switching users closes this page. Saved work stays under <bdi>{home.first_name}</bdi>’s name.
        </p>
      </div>
    </dialog>,
    document.body,
  )
}
