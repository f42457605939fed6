import './main.css'
import { createRoot } from 'react-dom/client'
import { beginInstallation } from '#src/features/install/register-worker.ts'
import { StartFailed } from '#src/features/install/start-failed.tsx'
import { seemsSignedIn } from '#src/sync/stored-tokens.ts'

async function start() {
  const place = document.getElementById('app')
  if (!place) throw new Error('The page has no place for the app')
  const root = createRoot(place)
  try {
    // Whoever is signed in does not fetch the login screen, and whoever is not reads it before the app is there.
    if (seemsSignedIn() && location.pathname !== '/login') {
      const { openApp } = await import('#src/app.tsx')
      await openApp(root)
    } else {
      const { openFrontDoor } = await import('#src/front-door.tsx')
      await openFrontDoor(root)
    }
  } catch (error) {
    // Without its database the app could keep nothing: better no screen than one that loses what is scanned.
    reportError(error)
    root.render(<StartFailed error={error} />)
  }
}

// Before the first chunk is asked for: one that is missing is told on the page, and never answered with a reload.
beginInstallation()
void start()
