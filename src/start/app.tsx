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

/** Sending starts after this time, ms, even when the page has not rendered. */
const longestStartMs = 3000

/**
 * Opens the app for a user who seems to be signed in, and shows it when the device is readable.
 * @throws the reason that the device did not open
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

/** Text typed before the first render belongs to the user signed in then. No other user gets it. */
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

/**
 * Shows the app on an open device, here or at `to`. The former screen stays until the new page is loaded, at most
 * `pendingMs`.
 */
export async function showApp(root: Root, device: Device, to?: string): Promise<ReturnType<typeof makeRouter>> {
  const router = makeRouter(device)
  if (to !== undefined) router.history.push(to)
  // Load first, then render in small steps, between which a phone reacts to touches. A route that loads during the
  // render would be rendered in one piece.
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

/** The notices about the app itself, for a screen without a router. */
export function noticesOf(device: Device): ReactNode {
  return (
    <DeviceProvider device={device}>
      <InstallLayer pathname={location.pathname} />
    </DeviceProvider>
  )
}
