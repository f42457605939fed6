import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { HomeInfo } from '#contract/people/session.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { UnlockForms } from './unlock-forms.tsx'

/** Offers a session to a user who signed in offline and is now online. Until then nothing leaves the tablet. */
export function ResumeBar({ home }: { home: HomeInfo }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <div
        role="status"
        className="pointer-events-none fixed right-0 bottom-0 left-0 z-30 flex justify-center p-3 sm:p-4 md:[:root:has([data-state=expanded])_&]:left-(--sidebar-width)"
      >
        <div className="pointer-events-auto flex w-full max-w-[44rem] flex-wrap items-center gap-3 rounded-lg border border-line bg-raised px-4 py-3 shadow-raised">
          <p className="min-w-0 flex-1">
            <strong className="block font-semibold">You’re back online</strong>
            <span className="text-sm text-ink-2">You signed in offline. Sign in again to send your work.</span>
          </p>
          <Button variant="primary" icon={<KeyRound size={18} aria-hidden />} onClick={() => setOpen(true)}>
            Sign in
          </Button>
        </div>
      </div>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        size="sm"
        title={
          <>
            Sign in as <bdi>{home.first_name}</bdi>
          </>
        }
        description="You won’t lose any work."
      >
        <UnlockForms
          home={home}
          action="Sign in"
          byServer
          onOpen={() => {
            setOpen(false)
            showToast({ title: 'Login Successful', description: 'Sending your saved work.', tone: 'good' })
          }}
        />
      </Dialog>
    </>
  )
}
