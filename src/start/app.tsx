import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition, type ReactNode } from 'react'
import type { Root } from 'react-dom/client'
import { InstallLayer } from '#src/features/app/install/install-layer.tsx'
import { makeRouter, pendingMs } from '#src/start/router.tsx'
import { quietMoment } from '#src/ui/quiet-moment.ts'
import { browserEnvironment } from '#src/sync/device/browser-environment.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import type { Device } from '#src/sync/device/device.ts'
import { openDevice } from '#src/sync/device/open-device.ts'

export { openDevice }

/** A page that does not come to stand keeps nothing from being sent for longer than this. */
const longestStartMs = 3000

/** The app for whoever seems to be signed in. @throws what the device could not be opened for. */
export async function openApp(root: Root): Promise<void> {
  let stands = () => {}
  const standing = new Promise<void>((resolve) => (stands = resolve))
  setTimeout(stands, longestStartMs)
  const device = await openDevice(browserEnvironment(), standing.then(quietMoment))
  const router = await showApp(root, device)
  router.subscribe('onRendered', stands)
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
