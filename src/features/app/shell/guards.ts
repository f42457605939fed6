import type { Device } from '#src/sync/device/device.ts'

/** Whether the shell may be shown: an access token is stored. What a person may do is for the server to say. */
export function isSignedIn(device: Pick<Device, 'session'>): boolean {
  return device.session.state.getState().status === 1
}

/**
 * Whether a page of the shell may be shown. After the session ended around someone's work that is the page with the work, and no other: a user who
 * goes anywhere else leaves the work.
 */
export function mayShow(
  { device, shown }: { device: Pick<Device, 'session'>; shown: { pathname: string | null } },
  pathname: string,
): boolean {
  return isSignedIn(device) || (device.session.state.getState().ended !== null && pathname === shown.pathname)
}

/**
 * Where to go after signing in: the address that was asked for when it is one of ours, else home. An address that
 * leaves this origin (`https://…`, `//…`, `/\…`) or leads back to the login screen is not followed.
 */
export function safeDestination(wanted: unknown): string {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])/.test(wanted)) return '/'
  const origin = 'http://here.invalid'
  const parsed = URL.parse(wanted, origin)
  if (!parsed || parsed.origin !== origin || /^\/login(\/|$)/.test(parsed.pathname)) return '/'
  return `${parsed.pathname}${parsed.search}${parsed.hash}`
}
