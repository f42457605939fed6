import type { Endpoint } from '#contract/endpoint.ts'
import { Refusal } from '#contract/errors.ts'
import { permissionsOf } from '#contract/roles.ts'
import type { Scope } from '#server/http/scope.ts'
import { verifyAccessToken } from '#server/http/tokens.ts'
import type { Services } from '#server/services.ts'

/**
 * Who calls, and whether they may: null for public calls. The session is read anew with every call, so that a
 * sign-out, a disabled account or a switch of store counts from the next call on.
 */
export async function passGate(services: Services, access: Endpoint['access'], headers: Headers): Promise<Scope | null> {
  if (access === 'public') return null
  const scope = await scopeOf(services, bearerToken(headers))
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
  const row = await services.db.reads
    .selectFrom('sessions')
    .innerJoin('users', 'users.id_user', 'sessions.id_user')
    .select([
      'sessions.id_user',
      'sessions.store_id',
      'sessions.revoked_at',
      'users.username',
      'users.first_name',
      'users.last_name',
      'users.role_ids',
      'users.disabled_at',
    ])
    .where('sessions.id', '=', claims.session_id)
    .executeTakeFirst()
  if (!row || row.id_user !== claims.id_user || row.revoked_at !== null || row.disabled_at !== null) {
    throw new Refusal('token-revoked')
  }
  const proven: Omit<Scope, keyof Scope & symbol> = {
    id_user: row.id_user,
    username: row.username,
    name: `${row.first_name} ${row.last_name}`.trim(),
    store_id: row.store_id,
    role_ids: row.role_ids,
    permissions: new Set(permissionsOf(row.role_ids)),
    session_id: claims.session_id,
  }
  // The one place where the proof is given.
  return proven as Scope
}
