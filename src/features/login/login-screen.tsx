import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { useConnection, useDevice } from '#src/sync/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { ClockForm } from './components/clock-form.tsx'
import { Dial } from './components/dial.tsx'
import { PinForm } from './components/pin-form.tsx'
import { SignInForm } from './components/sign-in-form.tsx'

type Side = 'login' | 'clock'

/** The two-sided card: sign in on the front, clock in or out on the back. */
export function LoginScreen({ onSignedIn, firstSide = 'login' }: { onSignedIn: () => void; firstSide?: Side }) {
  const device = useDevice()
  const [side, setSide] = useState<Side>(firstSide)
  const now = useCallback(() => device.serverNow(), [device])
  const unsent = useConnection((connection) => connection.unsent)

  useEffect(() => {
    document.title = 'Login · Lorgnette'
  }, [])

  return (
    <main className="grid min-h-dvh items-center justify-items-center gap-x-12 bg-paper px-4 py-6 lg:grid-cols-2 lg:px-12">
      <div className="hidden w-full flex-col items-center gap-8 lg:flex">
        <Wordmark />
        <Dial now={now} />
        <p className="max-w-[22rem] text-center text-ink-2">The back office of your clinics, with and without the internet.</p>
      </div>

      <div className="flex w-full max-w-[26rem] flex-col gap-4">
        <div className="flex items-center justify-between gap-3">
          <span className="lg:hidden">
            <Wordmark />
          </span>
          <span className="ml-auto">
            <Button onClick={() => setSide(side === 'login' ? 'clock' : 'login')}>
              {side === 'login' ? 'Clock In/Out' : 'Back to Login'}
            </Button>
          </span>
        </div>

        {unsent > 0 && (
          <Notice
            tone="info"
            title={`${formatNumberOf(unsent, 'entry', 'entries')} on this device ${unsent === 1 ? 'waits' : 'wait'} to be sent`}
          >
            {unsent === 1
              ? 'It is kept, and leaves under the name of the one who made it.'
              : 'They are kept, and leave under the names of those who made them.'}
          </Notice>
        )}

        <div className="[perspective:1600px]">
          <div
            className={`grid transition-transform duration-(--flip) ease-swift [transform-style:preserve-3d] motion-reduce:transition-none ${
              side === 'clock' ? 'motion-safe:[transform:rotateY(180deg)]' : ''
            }`}
          >
            <Face hidden={side !== 'login'} heading="Login">
              <SignInForm onSignedIn={onSignedIn} />
              <p className="text-center text-sm">
                <NowhereLink
                  onPress={() =>
                    showToast({ title: 'Forgot your password?', description: 'Your manager can give you a new one.', tone: 'info' })
                  }
                >
                  Forgot your password?
                </NowhereLink>
              </p>
              <div className="mb-3 flex items-center gap-3 text-sm text-ink-3">
                <span aria-hidden="true" className="h-px flex-1 bg-line" />
                Or continue with
                <span aria-hidden="true" className="h-px flex-1 bg-line" />
              </div>
              <PinForm onSignedIn={onSignedIn} />
            </Face>
            <Face hidden={side !== 'clock'} heading="Clock In/Out" back>
              <ClockForm />
            </Face>
          </div>
        </div>

        <p className="text-center text-xs text-ink-3">
          By continuing you agree to our <NowhereLink>Terms of Service</NowhereLink> and <NowhereLink>Privacy Policy</NowhereLink>.
        </p>
      </div>
    </main>
  )
}

/** One side of the card. The one that is turned away can be neither reached nor read. */
function Face({ hidden, heading, back = false, children }: { hidden: boolean; heading: string; back?: boolean; children: ReactNode }) {
  return (
    <section
      inert={hidden}
      aria-hidden={hidden || undefined}
      aria-label={heading}
      className={`col-start-1 row-start-1 flex flex-col rounded-xl border border-line bg-surface p-5 shadow-low [backface-visibility:hidden] sm:p-6 ${
        back ? 'motion-safe:[transform:rotateY(180deg)]' : ''
      } ${hidden ? 'motion-reduce:invisible' : ''}`}
    >
      <h1 className="text-xl font-semibold">{heading}</h1>
      <div aria-hidden="true" className="mt-2 mb-4 h-1.5 graduated border-t border-line" />
      {children}
    </section>
  )
}

function Wordmark() {
  return (
    <span className="flex items-center gap-3">
      <img src="/icons/lorgnette.svg" alt="" className="size-10" />
      <span className="text-xl font-semibold tracking-tight">Lorgnette</span>
    </span>
  )
}

/** A link that the specification keeps as a placeholder: it leads nowhere. */
function NowhereLink({ children, onPress }: { children: ReactNode; onPress?: () => void }) {
  return (
    <a
      href="#nowhere"
      onClick={(event) => {
        event.preventDefault()
        onPress?.()
      }}
      className={`text-accent-text underline underline-offset-4 hover:text-ink ${onPress ? 'inline-flex min-h-12 items-center' : ''}`}
    >
      {children}
    </a>
  )
}
