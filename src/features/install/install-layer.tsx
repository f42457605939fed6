import { RefreshCw, X } from 'lucide-react'
import { type ComponentType, lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { useConnection, useDevice } from '#src/sync/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { dismiss, installStore, isCountOpen, isDismissed, isStandalone, needsManualInstall } from './install-store.ts'
import { beginInstallation } from './register-worker.ts'
import { useCountOpen } from './use-count-open.ts'

/** Only on iPads, and there once. */
const ManualSteps = lazy<ComponentType>(() => import('./components/manual-steps.tsx').catch(() => ({ default: () => null })))

/** The notices about the app itself, at the foot of the page: a new version, a missing page, how to install on an iPad. */
export function InstallLayer({ pathname }: { pathname: string }) {
  const { updateReady, pageMissing, applyUpdate } = useStore(installStore)
  const device = useDevice()
  const updateRequired = useConnection((connection) => connection.updateRequired)
  const databaseBlocked = useConnection((connection) => connection.databaseBlocked)
  const [later, setLater] = useState(false)
  const [manual, setManual] = useState(() => needsManualInstall(navigator, isStandalone()) && !isDismissed('install-ipad'))

  const { countOpen, lookAgain } = useCountOpen(pathname, updateReady || updateRequired)

  useEffect(beginInstallation, [])

  /** Asked once more at the press: a count may have been opened in another window since the offer appeared. */
  async function update() {
    if (!(await lookAgain())) return applyUpdate()
    showToast({
      title: 'A count is open in another window',
      description: 'The update is offered again when it has been left.',
      tone: 'warn',
    })
  }

  // Here nothing can be saved any more, so it is said wherever one is.
  if (databaseBlocked === 'reload') {
    return (
      <Bar>
        <p className="min-w-0 flex-1">
          <strong className="block font-semibold">A newer version of Lorgnette runs in another tab</strong>
          <span className="text-sm text-ink-2">This one can no longer save. What was saved is kept; reload to go on.</span>
        </p>
        <Button variant="primary" icon={<RefreshCw size={18} aria-hidden />} onClick={() => window.location.reload()}>
          Reload
        </Button>
      </Bar>
    )
  }
  if (databaseBlocked === 'wiped') {
    return (
      <Bar onClose={() => void device.wipeWasRead()} closeLabel="Understood">
        <p className="min-w-0 flex-1">
          <strong className="block font-semibold">This browser deleted what was kept on this device</strong>
          <span className="text-sm text-ink-2">
            What had not been sent by then is gone: please check your last scans and punches. An installed app is much less likely to lose
            its data.
          </span>
        </p>
      </Bar>
    )
  }

  // In the middle of a count nothing is offered: a hand that holds a scanner taps what appears.
  if (isCountOpen(pathname)) return null

  if (updateReady && !later && !countOpen) {
    return (
      <Bar onClose={() => setLater(true)}>
        <p className="min-w-0 flex-1">
          <strong className="block font-semibold">A new version of Lorgnette is ready</strong>
          <span className="text-sm text-ink-2">It takes a few seconds. Everything that waits to be sent stays.</span>
        </p>
        <Button variant="primary" icon={<RefreshCw size={18} aria-hidden />} onClick={() => void update()}>
          Update now
        </Button>
      </Bar>
    )
  }
  if (updateRequired && !countOpen) {
    return (
      <Bar>
        <p className="min-w-0 flex-1">
          <strong className="block font-semibold">This version is too old for the server</strong>
          <span className="text-sm text-ink-2">Nothing is lost: what waits here is sent after the update.</span>
        </p>
        <Button variant="primary" icon={<RefreshCw size={18} aria-hidden />} onClick={() => void update()}>
          Update now
        </Button>
      </Bar>
    )
  }
  if (pageMissing) {
    return (
      <Bar onClose={() => installStore.setState({ pageMissing: false })}>
        <p className="min-w-0 flex-1">
          <strong className="block font-semibold">A part of the app could not be loaded</strong>
          <span className="text-sm text-ink-2">Finish what you are typing, then reload.</span>
        </p>
        <Button icon={<RefreshCw size={18} aria-hidden />} onClick={() => window.location.reload()}>
          Reload
        </Button>
      </Bar>
    )
  }
  if (manual && pathname !== '/login') {
    return (
      <Bar
        onClose={() => {
          dismiss('install-ipad')
          setManual(false)
        }}
        closeLabel="Not now"
      >
        <div className="min-w-0 flex-1">
          <strong className="block font-semibold">Install Lorgnette on this tablet</strong>
          <Suspense>
            <ManualSteps />
          </Suspense>
        </div>
      </Bar>
    )
  }
  return null
}

function Bar({ children, onClose, closeLabel = 'Later' }: { children: ReactNode; onClose?: () => void; closeLabel?: string }) {
  return (
    <div
      role="status"
      data-foot-notice=""
      className="pointer-events-none fixed right-0 bottom-0 left-0 z-30 flex justify-center p-3 sm:p-4 md:[:root:has([data-state=expanded])_&]:left-(--sidebar-width)"
    >
      <div className="pointer-events-auto flex w-full max-w-[44rem] animate-arrive flex-wrap items-center gap-3 rounded-lg border border-line border-l-brass bg-raised py-3 pr-2 pl-4 shadow-raised [border-left-width:3px]">
        {children}
        {onClose && <IconButton label={closeLabel} icon={<X size={18} aria-hidden />} onClick={onClose} />}
      </div>
    </div>
  )
}
