import type { Root } from 'react-dom/client'
import { beginInstallation } from '#src/features/app/install/register-worker.ts'
import { beginsInside } from '#src/start/begins-inside.ts'

async function start() {
  const place = document.getElementById('app')
  if (!place) throw new Error('The page has no place for the app')
  // Brings React, which every opening needs. Both load at the same time.
  const page = import('#src/start/page.tsx')
  const opening = chooseOpening()
  opening.catch(() => undefined)
  const { createRoot, showStartFailed } = await page
  const root = createRoot(place)
  try {
    const open = await opening
    await open(root)
  } catch (error) {
    // Without its database the app could keep nothing. No screen is better than a screen that loses scans.
    reportError(error)
    showStartFailed(root, error)
  }
}

/** A signed-in user does not fetch the login screen. Everyone else reads it before the app has loaded. */
function chooseOpening(): Promise<(root: Root) => Promise<void>> {
  if (isPortal) return import('#src/start/portal-door.tsx').then(({ openPortalPage }) => openPortalPage)
  return beginsInside()
    ? import('#src/start/app.tsx').then(({ openApp }) => openApp)
    : import('#src/start/front-door.tsx').then(({ openFrontDoor }) => openFrontDoor)
}

// A patient's own page: their computer gets neither the app nor its worker, even when a user is signed in on it.
const isPortal = location.pathname === '/portal'
// Comes before the first chunk is fetched: the page then reports a missing chunk, and never reloads because of it.
if (!isPortal) beginInstallation()
start().catch((error: unknown) => {
  // Even the error screen did not load.
  reportError(error)
  delete document.documentElement.dataset['shell']
  document.body.append('Lorgnette didn’t load. Check your connection, then reload the page.')
})
