import './main.css'
import { beginInstallation } from '#src/features/install/register-worker.ts'
import { seemsSignedIn } from '#src/sync/stored-tokens.ts'

async function start() {
  const place = document.getElementById('app')
  if (!place) throw new Error('The page has no place for the app')
  // Whoever is signed in does not fetch the login screen, and whoever is not reads it before the app is there.
  const isInside = seemsSignedIn() && location.pathname !== '/login'
  // Asked for at once, React first: what both stand on is then run in a task of its own.
  const page = import('#src/page.tsx')
  const opening = isPortal
    ? import('#src/portal-door.tsx').then(({ openPortalPage }) => openPortalPage)
    : isInside
      ? import('#src/app.tsx').then(({ openApp }) => openApp)
      : import('#src/front-door.tsx').then(({ openFrontDoor }) => openFrontDoor)
  opening.catch(() => undefined)
  if (isInside && !isPortal) fetchFirstPage(location.pathname)
  const { createRoot, showStartFailed } = await page
  const root = createRoot(place)
  try {
    const open = await opening
    await open(root)
  } catch (error) {
    // Without its database the app could keep nothing: better no screen than one that loses what is scanned.
    reportError(error)
    showStartFailed(root, error)
  }
}

/**
 * Where people begin their day: the code of these pages comes beside the app's, and not when the app has found out where it is. What
 * cannot be fetched here is asked for again by the page, which says so.
 */
function fetchFirstPage(pathname: string) {
  const isHome = pathname === '/' || pathname === '/dashboard'
  const parts = isHome
    ? [import('#src/routes/_shell/-today.tsx'), import('#src/sync/patient-shelf.ts')]
    : pathname.startsWith('/inventory/count-sheets/')
      ? [import('#src/features/count-sheets/count-sheet-screen.tsx')]
      : []
  for (const part of parts) part.catch(() => undefined)
}

// A patient's own page: their computer gets neither the app nor its worker, whoever is signed in on it.
const isPortal = location.pathname === '/portal'
// Before the first chunk is asked for: one that is missing is told on the page, and never answered with a reload.
if (!isPortal) beginInstallation()
start().catch((error: unknown) => {
  // Not even what says so could be fetched.
  reportError(error)
  document.body.append('Lorgnette could not be loaded. Check the connection, then reload the page.')
})
