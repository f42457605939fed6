import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { nameOfKey, type SigningKey } from '#contract/sync/signing-key.ts'
import { Refusal } from '#contract/core/errors.ts'
import type { SignedIn } from '#contract/people/session.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { issueAccessToken, newRefreshToken } from '#server/platform/http/tokens.ts'
import type { UserRow } from '#server/domain/people/find-person.ts'
import { homeInfoOf } from '#server/domain/people/home-info.ts'
import { noteSecurityEvent } from '#server/domain/people/security-log.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'
import type { Services } from '#server/platform/services.ts'

const dayMs = 86_400_000
/** Ended sessions stay this long after their last token, so that a replayed token still differs from a forgery. */
const keptDays = 30

/** Begins a session in the person's home store: a new family of tokens, whose work is signed with `key`. */
export async function startSession(
  services: Services,
  person: UserRow,
  { deviceId, way, key }: { deviceId: string | undefined; way: 'password' | 'pin'; key: SigningKey | null },
): Promise<SignedIn> {
  const now = services.clock.now()
  const at = new Date(now).toISOString()
  const storeId = await storeToStartIn(services, person)
  const session = { id: randomUUID(), id_user: person.id_user, store_id: storeId, device_id: deviceId ?? null }
  const refresh = newRefreshToken()
  await services.db.pool.transaction().execute(async (trx) => {
    await removeDeadSessions(trx, person.id_user, now - (services.config.refreshTokenDays + keptDays) * dayMs)
    await trx
      .insertInto('sessions')
      .values({
        ...session,
        created_at: at,
        last_used_at: at,
        revoked_at: null,
        revoked_because: null,
        unconfirmed_rotation: null,
        signing_key: key && nameOfKey(key),
      })
      .execute()
    if (session.device_id !== null) await noteTablet(trx, { ...session, device_id: session.device_id }, at)
    await trx
      .insertInto('refresh_tokens')
      .values({
        token_hash: refresh.hash,
        session_id: session.id,
        issued_at: at,
        expires_at: new Date(now + services.config.refreshTokenDays * dayMs).toISOString(),
        used_at: null,
      })
      .execute()
    await noteSecurityEvent(services, { kind: 'signed-in', by: { ...session, session_id: session.id }, detail: way }, trx)
  })
  const claims = { id_user: person.id_user, session_id: session.id, store_id: storeId }
  return {
    ...(await homeInfoOf(services, person, session)),
    access_token: await issueAccessToken(services, claims),
    refresh_token: refresh.token,
  }
}

/** A tablet is known from its first sign-in on, so that a manager can revoke it before its first report. */
async function noteTablet(
  trx: Kysely<Schema>,
  { device_id, store_id, id_user }: { device_id: string; store_id: number; id_user: number },
  at: string,
): Promise<void> {
  const unheard = { last_report: 0, name: 'Unnamed tablet', unsent: 0, oldest_unsent_at: null, app_version: null }
  await trx
    .insertInto('tablets')
    .values({ id_tablet: device_id, device_id, store_id, id_user, last_seen_at: at, ...unheard })
    .onConflict((conflict) => conflict.column('id_tablet').doNothing())
    .execute()
}

/** Binds the session to another signing key. Work that the former key signed stays proven. */
export async function bindSession(db: Kysely<Schema>, sessionId: string, key: SigningKey): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ signing_key: nameOfKey(key) })
    .where('id', '=', sessionId)
    .execute()
}

/** Ends a session: the server refuses every token of its family. Ending it twice changes nothing. */
export async function revokeSession(
  db: Kysely<Schema>,
  sessionId: string,
  because: 'logout' | 'reuse' | 'disabled',
  at: string,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: at, revoked_because: because })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** The person's home store, or another of their stores when they no longer belong to it. */
async function storeToStartIn(services: Services, person: UserRow): Promise<number> {
  const ids = await storesOf(services.db.pool, person.id_user)
  const store = ids.includes(person.store_id) ? person.store_id : ids[0]
  if (store === undefined) throw new Refusal('store-foreign', { message: 'This account has no store' })
  return store
}

async function removeDeadSessions(trx: Kysely<Schema>, idUser: number, before: number): Promise<void> {
  await trx.deleteFrom('sessions').where('id_user', '=', idUser).where('last_used_at', '<', new Date(before).toISOString()).execute()
}
