import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition, type ReactNode } from 'react'
import type { Root } from 'react-dom/client'
import { forgetKeys } from '#src/device/early-keys.ts'
import { takeEarlyKeys } from '#src/device/page-scanner.ts'
import { InstallLayer } from '#src/features/app/install/install-layer.tsx'
import { makeRouter, pendingMs } from '#src/start/router.tsx'
import { quietMoment } from '#src/ui/quiet-moment.ts'
import { browserEnvironment } from '#src/sync/device/browser-environment.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import type { Device } from '#src/sync/device/device.ts'
import { openDevice } from '#src/sync/device/open-device.ts'
import { takeReadAhead } from '#src/sync/device/read-ahead.ts'

export { openDevice }

/** A page that does not come to stand keeps nothing from being sent for longer than this. */
const longestStartMs = 3000

/**
 * The app for a user who seems to be signed in: shown when the device is readable.
 * @throws what the device could not be opened for
 */
export async function openApp(root: Root): Promise<void> {
  let stands = () => {}
  const standing = new Promise<void>((resolve) => (stands = resolve))
  setTimeout(stands, longestStartMs)
  const { readable, ready } = openDevice(browserEnvironment(), standing.then(quietMoment), takeReadAhead())
  const device = await readable
  forgetKeysWithSession(device)
  takeEarlyKeys()
  const router = await showApp(root, device)
  router.subscribe('onRendered', stands)
  await ready
}

/** What was typed before the page stood is the user’s alone who was signed in then. */
function forgetKeysWithSession({ session: { state } }: Device) {
  const user = ({ status, locked, ended, home }: ReturnType<typeof state.getState>) =>
    status === 1 && !locked && ended === null ? (home?.id_user ?? null) : null
  const first = user(state.getState())
  if (first === null) return forgetKeys()
  const stop = state.subscribe((now) => {
    if (user(now) === first) return
    stop()
    forgetKeys()
  })
}

/** The app on an open device, here or at `to`. What showed before stays until the new page is complete, or makes one wait. */
export async function showApp(root: Root, device: Device, to?: string): Promise<ReturnType<typeof makeRouter>> {
  const router = makeRouter(device)
  if (to !== undefined) router.history.push(to)
  // Loaded first, and then made in many small steps, between which a phone hears who touches it: a route that comes while the page is
  // made is made in one piece.
  await Promise.race([router.load(), new Promise((resolve) => setTimeout(resolve, pendingMs))])
  startTransition(() =>
    root.render(
      <StrictMode>
        <DeviceProvider device={device}>
          <RouterProvider router={router} />
        </DeviceProvider>
      </StrictMode>,
    ),
  )
  return router
}

/** The notices about the app itself, where no router stands around them. */
export function noticesOf(device: Device): ReactNode {
  return (
    <DeviceProvider device={device}>
      <InstallLayer pathname={location.pathname} />
    </DeviceProvider>
  )
}
