import type { Permission, Role } from '#contract/core/roles.ts'

declare const proven: unique symbol

/**
 * The caller, their store and their permissions, proven by their access token. Only
 * `server/platform/http/session-gate.ts` makes it. Every feature takes it instead of an id, so that nobody can forget a
 * check.
 */
export type Scope = {
  readonly [proven]: true
  id_user: number
  username: string
  name: string
  store_id: number
  role_ids: readonly Role[]
  permissions: ReadonlySet<Permission>
  session_id: string
  /** The tablet that signed in; null when the sign-in named none. */
  device_id: string | null
}

/** Returns the tablet of a session. A session without a device counts as its own tablet. */
export function tabletOf(scope: Pick<Scope, 'device_id' | 'session_id'>): string {
  return scope.device_id ?? scope.session_id
}
