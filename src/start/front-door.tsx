import { StrictMode, startTransition, type ReactNode } from 'react'
import type { Root } from 'react-dom/client'
import { LoginScreen } from '#src/features/app/login/login-screen.tsx'
import { isSignedIn, safeDestination } from '#src/features/app/shell/guards.ts'
import { quietMoment } from '#src/ui/quiet-moment.ts'
import type { Device } from '#src/sync/device/device.ts'
import { takeTokensAway } from '#src/sync/session/stored-tokens.ts'
import { ToastArea } from '#src/ui/toast.tsx'

/**
 * The login screen alone: it shows and takes text while the rest still loads. The device and the app load when the
 * browser is idle. A press on Login waits for them.
 *
 * Resolves when the screen is complete, or has made place for the app. @throws the reason that the device did not open
 */
export async function openFrontDoor(root: Root): Promise<void> {
  const isAsked = location.pathname === '/login'
  const here = location.pathname + location.search + location.hash
  const to = safeDestination(isAsked ? new URLSearchParams(location.search).get('to') : here)
  // Visiting the login screen ends the session. The outbox stays.
  if (isAsked) takeTokensAway()

  // At other addresses a user may be signed in although nothing says so yet. That user does not wait for an idle
  // moment.
  const app = (isAsked ? quietMoment() : Promise.resolve()).then(() => import('#src/start/app.tsx'))
  const device = app.then(async ({ openDevice }) => {
    const opened = await openDevice().ready
    if (isAsked) await opened.session.deleteTokens()
    return opened
  })

  async function enter(opened: Device) {
    const { showApp } = await app
    if (location.pathname === '/login') await showApp(root, opened, to)
    else await showApp(root, opened)
  }
  function paint(notices: ReactNode) {
    // In small steps, as for the app itself.
    startTransition(() =>
      root.render(
        <StrictMode>
          <LoginScreen device={device} to={to} onSignedIn={() => void device.then(enter)} />
          {notices}
          <ToastArea />
        </StrictMode>,
      ),
    )
  }

  paint(null)
  const opened = await device
  if (!isAsked && isSignedIn(opened)) return await enter(opened)
  if (!isAsked) history.replaceState(null, '', to === '/' ? '/login' : `/login?to=${encodeURIComponent(to)}`)
  const { noticesOf } = await app
  paint(noticesOf(opened))
}
