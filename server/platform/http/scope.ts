import type { Permission, Role } from '#contract/core/roles.ts'

declare const proven: unique symbol

/**
 * Who is calling, where, and what they may do: proven by their access token. It is minted in one place
 * (`server/platform/http/session-gate.ts`) and every feature takes it instead of an id, so that a check cannot be forgotten.
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

/** The tablet that a session speaks for. One that names no device is one by itself. */
export function tabletOf(scope: Pick<Scope, 'device_id' | 'session_id'>): string {
  return scope.device_id ?? scope.session_id
}
