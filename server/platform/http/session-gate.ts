import type { Endpoint } from '#contract/core/endpoint.ts'
import { Refusal } from '#contract/core/errors.ts'
import { permissionsOf } from '#contract/core/roles.ts'
import { currentRequest } from '#server/platform/http/request-context.ts'
import { confirmRotation } from '#server/platform/http/confirm-rotation.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { verifyAccessToken } from '#server/platform/http/tokens.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Returns the caller when they may make the call; null for public calls. It reads the session again with every call. So
 * a sign-out, a disabled account, a lost store or a switch of store counts from the next call on.
 */
export async function passGate(services: Services, access: Endpoint['access'], headers: Headers): Promise<Scope | null> {
  if (access === 'public') return null
  const scope = await scopeOf(services, bearerToken(headers))
  const request = currentRequest()
  if (request) request.caller = scope
  if (access !== 'signed-in' && !scope.permissions.has(access)) throw new Refusal('permission-missing')
  return scope
}

function bearerToken(headers: Headers): string {
  const [, token] = /^Bearer +([^\s]+)$/i.exec(headers.get('authorization') ?? '') ?? []
  if (token === undefined) throw new Refusal('token-missing')
  return token
}

async function scopeOf(services: Services, token: string): Promise<Scope> {
  const claims = await verifyAccessToken(services, token)
  const row = await readSession(services, claims.session_id)
  if (!row || row.id_user !== claims.id_user) throw new Refusal('token-revoked')
  const { unconfirmed_rotation: unconfirmed } = row
  if (unconfirmed !== null && unconfirmed === claims.rotation) {
    const at = new Date(services.clock.now()).toISOString()
    await services.db.pool.transaction().execute((trx) => confirmRotation(trx, claims.session_id, unconfirmed, at))
  }
  const proven: Omit<Scope, keyof Scope & symbol> = {
    id_user: row.id_user,
    username: row.username,
    name: `${row.first_name} ${row.last_name}`.trim(),
    store_id: row.store_id,
    role_ids: row.role_ids,
    permissions: new Set(permissionsOf(row.role_ids)),
    session_id: claims.session_id,
    device_id: row.device_id,
  }
  // The only place that gives this proof.
  return proven as Scope
}

/** Returns true when a session still holds in the same store. */
export async function stillHolds(services: Services, scope: Scope): Promise<boolean> {
  const row = await readSession(services, scope.session_id)
  return row?.store_id === scope.store_id
}

/**
 * Returns the session with its person while it lasts. It ends with a sign-out, with its account, and when the person
 * loses the store that it works in. The next sign-in then starts in one of their stores.
 */
async function readSession(services: Services, sessionId: string) {
  return await services.db.pool
    .selectFrom('sessions')
    .innerJoin('users', 'users.id_user', 'sessions.id_user')
    .innerJoin('user_stores', (join) =>
      join.onRef('user_stores.id_user', '=', 'sessions.id_user').onRef('user_stores.store_id', '=', 'sessions.store_id'),
    )
    .select([
      'sessions.id_user',
      'sessions.store_id',
      'sessions.device_id',
      'sessions.unconfirmed_rotation',
      'users.username',
      'users.first_name',
      'users.last_name',
      'users.role_ids',
    ])
    .where('sessions.id', '=', sessionId)
    .where('sessions.revoked_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()
}
