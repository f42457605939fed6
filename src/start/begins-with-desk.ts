import { seemsSignedIn } from '#src/sync/session/stored-tokens.ts'

/** The home page, by both of its addresses. */
export function isHome(): boolean {
  return location.pathname === '/' || location.pathname === '/dashboard'
}

/** Whether this page begins with the search for patients (src/start/first-desk.tsx). */
export function beginsWithDesk(): boolean {
  return isHome() && seemsSignedIn()
}
