import { lazy, Suspense, useCallback, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { DeviceProvider, useConnection } from '#src/sync/react/device-context.tsx'
import type { Device } from '#src/sync/device/device.ts'
import { Button } from '#src/ui/button.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { Dial } from './components/dial.tsx'
import { PinForm } from './components/pin-form.tsx'
import { SignInForm } from './components/sign-in-form.tsx'

// Fetched at once, but beside the fields: a person can type before the scanner is ready.
const refusedScans = import('./components/refused-scans.tsx')
const RefusedScans = lazy(async () => ({ default: (await refusedScans).RefusedScans }))

type Side = 'login' | 'clock'

type LoginScreenProps = {
  /** Opens behind the screen. A user can read and type before it is open. */
  device: Promise<Device>
  /** The page that the user asked for, if any. */
  to?: string | undefined
  onSignedIn: () => void
}

/** The two-sided card: sign in on the front, clock in or out on the back. */
export function LoginScreen({ device, to, onSignedIn }: LoginScreenProps) {
  // The shortcut to the time clock leads here when nobody is signed in. Then the card shows its back.
  const [side, setSide] = useState<Side>(to?.startsWith('/time-clock') ? 'clock' : 'login')
  const opened = useOpened(device)
  const now = useCallback(() => opened?.serverNow() ?? Date.now(), [opened])

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

        <Suspense fallback={null}>
          <RefusedScans />
        </Suspense>
        {opened && (
          <DeviceProvider device={opened}>
            <WaitingWork />
            <WithoutConnection />
          </DeviceProvider>
        )}

        <div className="[perspective:1600px]">
          <div
            className={`grid transition-transform duration-(--flip) ease-swift [transform-style:preserve-3d] motion-reduce:transition-none ${
              side === 'clock' ? 'motion-safe:[transform:rotateY(180deg)]' : ''
            }`}
          >
            <Face hidden={side !== 'login'} heading="Login">
              <SignInForm device={device} onSignedIn={onSignedIn} />
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
              <PinForm device={device} onSignedIn={onSignedIn} />
            </Face>
            <Face hidden={side !== 'clock'} heading="Clock In/Out" back>
              {opened && (
                <DeviceProvider device={opened}>
                  <FetchedClockForm />
                </DeviceProvider>
              )}
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

/** Returns the device once it is open. The code that opens it reports a failure. */
function useOpened(device: Promise<Device>): Device | null {
  const [opened, setOpened] = useState<Device | null>(null)
  useEffect(() => {
    device.then(setOpened, () => undefined)
  }, [device])
  return opened
}

function WaitingWork() {
  const unsent = useConnection(({ unsent: work, files }) => work + (files?.waiting ?? 0))
  if (unsent === 0) return null
  return (
    <Notice
      tone="info"
      title={`${formatNumberOf(unsent, 'entry', 'entries')} on this device ${unsent === 1 ? 'is' : 'are'} waiting to send`}
    >
      {unsent === 1 ? 'It’s saved and will be sent under that person’s name.' : 'They’re saved and will be sent under each person’s name.'}
    </Notice>
  )
}

const Words = lazy<ComponentType>(() =>
  import('./components/offline-words.tsx').then(
    ({ OfflineWords }) => ({ default: OfflineWords }),
    () => ({ default: () => null }),
  ),
)

/** Says who may sign in while the server cannot be reached. */
function WithoutConnection() {
  const isOffline = useConnection(({ online }) => online === false)
  return (
    isOffline && (
      <Suspense>
        <Words />
      </Suspense>
    )
  )
}

/** The back of the card, which is hidden at first. */
function FetchedClockForm() {
  const [ClockForm, setClockForm] = useState<ComponentType | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    import('./components/clock-form.tsx').then(
      (fetched) => setClockForm(() => fetched.ClockForm),
      () => setFailed(true),
    )
  }, [])
  if (failed) return <Notice tone="bad" title="Part of the app didn’t load. Reload the page." />
  return ClockForm ? <ClockForm /> : <Skeleton lines={3} height="row" />
}

/** One side of the card. Nobody can reach or read the hidden side. */
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

/** A link that the specification keeps as a placeholder. It leads nowhere. */
function NowhereLink({ children, onPress }: { children: ReactNode; onPress?: () => void }) {
  return (
    <a
      href="#nowhere"
      onClick={(event) => {
        event.preventDefault()
        onPress?.()
      }}
      className={`text-accent-text underline underline-offset-4 hover:text-ink ${onPress ? 'inline-flex min-h-target items-center' : ''}`}
    >
      {children}
    </a>
  )
}
