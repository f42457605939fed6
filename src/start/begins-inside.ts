import { seemsSignedIn } from '#src/sync/session/stored-tokens.ts'

/**
 * Guesses before the device is open whether this page begins with the app. Otherwise it begins with the login screen.
 */
export function beginsInside(): boolean {
  return location.pathname !== '/login' && location.pathname !== '/portal' && seemsSignedIn()
}
