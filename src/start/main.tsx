import type { Root } from 'react-dom/client'
import { beginInstallation } from '#src/features/app/install/register-worker.ts'
import { beginsWithDesk, isHome } from '#src/start/begins-with-desk.ts'
import { takeReadAhead } from '#src/sync/patients/left-read-ahead.ts'
import type { FirstSearch } from '#src/start/first-answer.ts'
import { seemsSignedIn } from '#src/sync/session/stored-tokens.ts'

async function start() {
  const place = document.getElementById('app')
  if (!place) throw new Error('The page has no place for the app')
  // Whoever is signed in does not fetch the login screen, and whoever is not reads it before the app is there.
  const isInside = seemsSignedIn() && location.pathname !== '/login'
  // What reads the disk begins before React, which nothing else comes before: both the login screen and the app stand on it.
  const ahead = takeReadAhead()
  // Where the page itself answers, what draws the app lets that go first.
  const search = ahead && beginsWithDesk() ? import('#src/start/first-answer.ts').then(({ answerAhead }) => answerAhead(ahead)) : null
  const turn = Promise.resolve(search).catch(() => null)
  const first = search && turn.then(desk)
  const page = turn.then(() => import('#src/start/page.tsx'))
  const opening =
    first ??
    (isPortal
      ? import('#src/start/portal-door.tsx').then(({ openPortalPage }) => openPortalPage)
      : isInside
        ? app()
        : import('#src/start/front-door.tsx').then(({ openFrontDoor }) => openFrontDoor))
  opening.catch(() => undefined)
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

/** The home page has a search for patients that waits for nothing else of the app, where someone may have it. */
function desk(search: FirstSearch | null): Promise<(root: Root) => Promise<void>> {
  return import('#src/start/first-desk.tsx').then(
    ({ openFirstDesk }) =>
      (root) =>
        openFirstDesk(root, search, async () => await (await app())(root)),
    app,
  )
}

/** The app for whoever seems to be signed in, with the code of the page that they begin with. */
function app() {
  fetchFirstPage(location.pathname)
  return import('#src/start/app.tsx').then(({ openApp }) => openApp)
}

/**
 * Where people begin their day: the code of these pages comes beside the app's, and not when the app has found out where it is. What
 * cannot be fetched here is asked for again by the page, which says so.
 */
function fetchFirstPage(pathname: string) {
  const parts = isHome()
    ? [import('#src/routes/_shell/-today.tsx'), import('#src/sync/patients/patient-shelf.ts')]
    : pathname.startsWith('/inventory/count-sheets/')
      ? [import('#src/features/counts/count-sheets/count-sheet-screen.tsx')]
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
  delete document.documentElement.dataset['desk']
  document.body.append('Lorgnette didn’t load. Check your connection, then reload the page.')
})
