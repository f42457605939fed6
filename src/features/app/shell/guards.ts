import type { Device } from '#src/sync/device/device.ts'

/** Returns true when an access token is stored, so the shell may show. The server decides what a user may do. */
export function isSignedIn(device: Pick<Device, 'session'>): boolean {
  return device.session.state.getState().status === 1
}

/**
 * Returns true when a page of the shell may show. After a session ended during work, only the page with that work may.
 * A user who goes to another page leaves the work.
 */
export function mayShow(
  { device, shown }: { device: Pick<Device, 'session'>; shown: { pathname: string | null } },
  pathname: string,
): boolean {
  return isSignedIn(device) || (device.session.state.getState().ended !== null && pathname === shown.pathname)
}

/**
 * Returns the address to open after signing in: the wanted one if it is ours, else home. It rejects an address that
 * leaves this origin (`https://…`, `//…`, `/\…`) or leads back to the login screen.
 */
export function safeDestination(wanted: unknown): string {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])/.test(wanted)) return '/'
  const origin = 'http://here.invalid'
  const parsed = URL.parse(wanted, origin)
  if (!parsed || parsed.origin !== origin || /^\/login(\/|$)/.test(parsed.pathname)) return '/'
  return `${parsed.pathname}${parsed.search}${parsed.hash}`
}
