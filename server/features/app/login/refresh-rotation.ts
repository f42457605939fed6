import { createHmac } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import { type ErrorCode, Refusal } from '#contract/core/errors.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { confirmRotation } from '#server/platform/http/confirm-rotation.ts'
import { isRefreshTokenShaped, refreshTokenHash, rotationOf } from '#server/platform/http/tokens.ts'
import { revokeSession } from '#server/features/app/login/sessions.ts'
import { noteSecurityEvent } from '#server/domain/people/security-log.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Rotating refresh tokens. The first use of a token uses it up and gives its one successor, which the server computes
 * from it with its key. A repeated use within the grace leads to the same successor: an answer was lost, or tabs raced.
 * So there is one line of tokens, however often a token is sent. The same holds later, while nothing from the first use
 * was ever presented: that answer was lost. The grace starts when the app presents something from it
 * (`confirm-rotation.ts`). Any other use after the grace means that a copy exists, and ends the whole family.
 */

export const graceSeconds = 30
const dayMs = 86_400_000

type SessionRow = Selectable<Schema['sessions']>
type TokenRow = Selectable<Schema['refresh_tokens']>
type Rotated = { token: string; session: SessionRow }
type Successor = { token: string; row: TokenRow }

/**
 * Uses up `token` and returns its successor with the session.
 * @throws Refusal `token-mismatch`, `refresh-invalid`, `refresh-expired` or `token-revoked`
 */
export async function rotateRefreshToken(services: Services, token: string): Promise<Rotated> {
  // An access or capture token sent by mistake: three parts with dots between.
  if (/^[^.]*\.[^.]*\.[^.]*$/.test(token)) throw new Refusal('token-mismatch')
  if (!isRefreshTokenShaped(token)) throw new Refusal('refresh-invalid')
  // A refusal is returned and not thrown inside, so that its effect (ending the family) is committed.
  const outcome = await services.db.pool.transaction().execute((trx) => rotate(services, trx, token))
  if (typeof outcome === 'string') throw new Refusal(outcome)
  return outcome
}

async function rotate(services: Services, trx: Transaction<Schema>, token: string): Promise<Rotated | ErrorCode> {
  const now = services.clock.now()
  const at = new Date(now).toISOString()
  const hash = refreshTokenHash(token)
  const known = await trx.selectFrom('refresh_tokens').select('session_id').where('token_hash', '=', hash).executeTakeFirst()
  if (!known) return 'refresh-invalid'

  // Rotations of one family take turns on this lock. The token's state is read only after it.
  const session = await trx.selectFrom('sessions').selectAll().where('id', '=', known.session_id).forUpdate().executeTakeFirst()
  const row = await findToken(trx, hash)
  if (!session || !row) return 'refresh-invalid'
  if (session.revoked_at !== null) return 'token-revoked'
  const person = await trx.selectFrom('users').select('disabled_at').where('id_user', '=', session.id_user).executeTakeFirstOrThrow()
  if (person.disabled_at !== null) {
    await revokeSession(trx, session.id, 'disabled', at)
    return 'token-revoked'
  }
  // Same rule as the session gate: a session ends when its person leaves the store.
  if (!(await storesOf(trx, session.id_user)).includes(session.store_id)) return 'token-revoked'

  if (row.used_at !== null) {
    const inGrace = now - Date.parse(row.used_at) <= graceSeconds * 1000
    const next = inGrace ? await newestAfter(services, trx, token) : await unconfirmedAfter(services, trx, token, session)
    if (next && !inGrace && Date.parse(next.row.expires_at) <= now) return 'refresh-expired'
    if (next) return { token: next.token, session }
    await revokeSession(trx, session.id, 'reuse', at)
    await noteSecurityEvent(services, { kind: 'token-reused', by: { ...session, session_id: session.id } }, trx)
    services.log.warn({ session: session.id }, 'a used refresh token came again: its family is revoked')
    return 'token-revoked'
  }
  if (Date.parse(row.expires_at) <= now) return 'refresh-expired'

  await confirmRotation(trx, session.id, rotationOf(token), at)
  const successor = successorOf(services.secrets.tokenKey, token)
  await trx.updateTable('refresh_tokens').set({ used_at: at }).where('token_hash', '=', hash).execute()
  await trx
    .insertInto('refresh_tokens')
    .values({
      token_hash: refreshTokenHash(successor),
      session_id: session.id,
      issued_at: at,
      expires_at: new Date(now + services.config.refreshTokenDays * dayMs).toISOString(),
      used_at: null,
    })
    .execute()
  await trx
    .updateTable('sessions')
    .set({ last_used_at: at, unconfirmed_rotation: rotationOf(successor) })
    .where('id', '=', session.id)
    .execute()
  await trx
    .deleteFrom('refresh_tokens')
    .where('session_id', '=', session.id)
    .where('expires_at', '<', new Date(now - 30 * dayMs).toISOString())
    .execute()
  return { token: successor, session }
}

/**
 * Returns the unused end of the line that begins at `token`. It follows the line to the end, because a used successor
 * would soon be past its own grace.
 */
async function newestAfter(services: Services, trx: Transaction<Schema>, token: string): Promise<Successor | null> {
  let current = token
  for (;;) {
    const next = await successorRow(services, trx, current)
    if (next === null || next.row.used_at === null) return next
    current = next.token
  }
}

/** The successor, while nothing shows that it ever arrived. */
async function unconfirmedAfter(
  services: Services,
  trx: Transaction<Schema>,
  token: string,
  session: SessionRow,
): Promise<Successor | null> {
  const next = await successorRow(services, trx, token)
  return next && session.unconfirmed_rotation === rotationOf(next.token) ? next : null
}

/** The successor under the current key, or under the former one during a change of keys. */
async function successorRow(services: Services, trx: Transaction<Schema>, token: string): Promise<Successor | null> {
  for (const key of [services.secrets.tokenKey, services.secrets.previousTokenKey]) {
    if (key === null) continue
    const successor = successorOf(key, token)
    const row = await findToken(trx, refreshTokenHash(successor))
    if (row) return { token: successor, row }
  }
  return null
}

function successorOf(key: Uint8Array, token: string): string {
  return createHmac('sha256', key).update(`refresh token after ${token}`).digest('base64url')
}

async function findToken(trx: Transaction<Schema>, hash: string): Promise<TokenRow | undefined> {
  return await trx.selectFrom('refresh_tokens').selectAll().where('token_hash', '=', hash).executeTakeFirst()
}
