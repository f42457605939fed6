import './main.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { beginInstallation } from '#src/features/install/register-worker.ts'
import { StartFailed } from '#src/features/install/start-failed.tsx'
import { makeRouter } from '#src/router.tsx'
import { DeviceProvider } from '#src/sync/device-context.tsx'
import { openDevice } from '#src/sync/open-device.ts'

async function start() {
  const place = document.getElementById('app')
  if (!place) throw new Error('The page has no place for the app')
  const root = createRoot(place)
  try {
    const device = await openDevice()
    root.render(
      <StrictMode>
        <DeviceProvider device={device}>
          <RouterProvider router={makeRouter(device)} />
        </DeviceProvider>
      </StrictMode>,
    )
  } catch (error) {
    // Without its database the app could keep nothing: better no screen than one that loses what is scanned.
    reportError(error)
    root.render(<StartFailed error={error} />)
  }
}

// Before the first chunk is asked for: one that is missing is told on the page, and never answered with a reload.
beginInstallation()
void start()
