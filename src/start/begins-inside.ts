import { seemsSignedIn } from '#src/sync/session/stored-tokens.ts'

/** Whether this page begins with the app, as far as can be told before the device is open. Any other begins with the login screen. */
export function beginsInside(): boolean {
  return location.pathname !== '/login' && location.pathname !== '/portal' && seemsSignedIn()
}
