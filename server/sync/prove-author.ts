import { sql } from 'kysely'
import { signedText } from '#contract/sync/command-signature.ts'
import { liveKinds } from '#contract/sync/command-versions.ts'
import type { WireCommand } from '#contract/sync/commands.ts'
import { Refusal } from '#contract/core/errors.ts'
import type { HoldReason } from '#contract/sync/held-work.ts'
import { permissionsOf, type Permission } from '#contract/core/roles.ts'
import type { Author } from '#server/platform/http/command-applier.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { signatureChecker } from '#server/platform/http/signing-keys.ts'
import { type CaptureClaims, verifyCaptureToken } from '#server/platform/http/tokens.ts'
import { storesOfEach } from '#server/domain/people/stores-of.ts'
import type { Services } from '#server/platform/services.ts'
import type { Incoming } from '#server/sync/incoming.ts'

type Known = { author: Author; home: number; storeIds: ReadonlySet<number>; disabled_at: string | null }

/**
 * `author` is null where a kind needs none and none is proven. `capturedAt` is the most plausible time of the work.
 * `hold` says why a manager must review it first; its `store_id` is the store of those managers.
 */
export type Proof = { author: Author | null; capturedAt: string; hold: { reason: HoldReason; store_id: number } | null }

/** Proves who made a command. @throws Refusal */
export type Prover = (incoming: Incoming, needs: { author: boolean; permission: Permission | null; capturedAt: string }) => Promise<Proof>

/**
 * Each command is its author's, no matter which session brings the batch. The author is the signed-in person, or the
 * person whose capture token was issued on that device and whose key there signed the command. Names and rights come
 * from the database, never from the command.
 */
export async function openProver(services: Services, deliverer: Scope, commands: readonly WireCommand[]): Promise<Prover> {
  const known = await readPeople(services, [...new Set(commands.flatMap((command) => command.author.id_user ?? []))])
  const revokedAt = await readRevoked(services, [...new Set(commands.map(({ device_id }) => device_id.toLowerCase()))])
  const isSigned = signatureChecker()
  const verified = new Map<string, Promise<CaptureClaims>>()
  const claimsOf = (token: string): Promise<CaptureClaims> => {
    const claims = verified.get(token) ?? verifyCaptureToken(services, token)
    verified.set(token, claims)
    return claims
  }

  /** Checks what a token proves about work from another person's session. @throws Refusal when it proves nothing. */
  function assertProven({ command, hash }: Incoming, claims: CaptureClaims | null, capturedAt: string): void {
    if (claims === null || Date.parse(capturedAt) > claims.expiresAt) throw new Refusal('capture-token-invalid')
    if (claims.key === null) {
      if (!claims.isOlder) throw new Refusal('author-absent')
    } else if (!command.signature || !isSigned(claims.key, signedText(command, hash), command.signature)) {
      throw new Refusal('capture-token-invalid')
    }
    if (liveKinds.some((kind) => kind === command.kind)) throw new Refusal('author-absent')
  }

  type Asked = { command: WireCommand; person: Known; claims: CaptureClaims | null; isOwn: boolean; permission: Permission | null }

  /**
   * Returns why a manager must review proven work first; null when nobody must. @throws Refusal for work that was never
   * allowed.
   */
  function holdReason({ command, person, claims, isOwn, permission }: Asked): HoldReason | null {
    const isLive = liveKinds.some((kind) => kind === command.kind)
    const isElsewhere = command.store_id !== null && !person.storeIds.has(command.store_id)
    if (isElsewhere && (isLive || claims?.store_id !== command.store_id)) throw new Refusal('store-foreign')
    const lacksRight = permission !== null && !person.author.permissions.has(permission)
    if (lacksRight && (isLive || !permissionsOf(claims?.roles ?? []).includes(permission))) throw new Refusal('permission-missing')
    if (person.disabled_at !== null) return 'author-disabled'
    if (isElsewhere || lacksRight) return 'right-lost'
    if (claims === null) return null
    if (isOfRevoked(claims, revokedAt.get(claims.device_id.toLowerCase()) ?? null)) return 'tablet-revoked'
    return !isOwn && claims.isOlder && claims.expiresAt < services.clock.now() ? 'proof-old' : null
  }

  return async (incoming, needs) => {
    const { command } = incoming
    const person = command.author.id_user === null ? undefined : known.get(command.author.id_user)
    const isOwn = command.author.id_user === deliverer.id_user
    const claims = isOwn && command.capture_token === null ? null : await matchingClaims(command, claimsOf).catch(unlessOwn(isOwn))
    // The token existed when the work was done. An earlier time means that the tablet's clock was set back.
    const capturedAt = claims === null ? needs.capturedAt : notBefore(needs.capturedAt, claims.issuedAt)
    if (!needs.author) return { author: isOwn && person ? person.author : null, capturedAt, hold: null }
    if (!person) throw new Refusal('capture-token-invalid')
    if (!isOwn) assertProven(incoming, claims, capturedAt)
    if (person.disabled_at !== null && person.disabled_at <= capturedAt) {
      throw new Refusal('permission-missing', { message: 'This account was disabled when this was done' })
    }
    const reason = holdReason({ command, person, claims, isOwn, permission: needs.permission })
    return { author: person.author, capturedAt, hold: reason && { reason, store_id: command.store_id ?? person.home } }
  }
}

/** Returns true when a manager revoked the tablet after it got this token. */
function isOfRevoked(claims: CaptureClaims, revokedAt: number | null): boolean {
  if (revokedAt === null) return false
  return claims.isOlder ? claims.issuedAt <= revokedAt : claims.tabletRevokedAt !== revokedAt
}

/** Returns the claims of the command's token, when it is its author's on its device. */
async function matchingClaims(command: WireCommand, claimsOf: (token: string) => Promise<CaptureClaims>): Promise<CaptureClaims | null> {
  if (command.capture_token === null) return null
  const claims = await claimsOf(command.capture_token)
  const isTheirs = claims.id_user === command.author.id_user && claims.device_id.toLowerCase() === command.device_id.toLowerCase()
  return isTheirs ? claims : null
}

/** A person's session proves their own work, even with a bad token. */
function unlessOwn(isOwn: boolean) {
  return (error: unknown): null => {
    if (isOwn && error instanceof Refusal) return null
    throw error
  }
}

/** An offset is accurate to a round trip, and a token may arrive while the first scan is being made. */
const captureSlackMs = 5 * 60_000

function notBefore(capturedAt: string, issuedAt: number): string {
  return Date.parse(capturedAt) < issuedAt - captureSlackMs ? new Date(issuedAt).toISOString() : capturedAt
}

/** Returns when these tablets were revoked, ms; tablets that never were are missing. */
async function readRevoked(services: Services, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await services.db.pool
    .selectFrom('tablets')
    .select(['id_tablet', 'removed_at'])
    .where('id_tablet', '=', sql<string>`any(${ids}::uuid[])`)
    .where('removed_at', 'is not', null)
    .execute()
  return new Map(rows.flatMap(({ id_tablet, removed_at }) => (removed_at === null ? [] : [[id_tablet, Date.parse(removed_at)] as const])))
}

async function readPeople(services: Services, ids: number[]): Promise<Map<number, Known>> {
  if (ids.length === 0) return new Map()
  const db = services.db.pool
  const people = await db
    .selectFrom('users')
    .select(['id_user', 'first_name', 'last_name', 'role_ids', 'store_id', 'disabled_at'])
    .where('id_user', '=', sql<number>`any(${ids}::int[])`)
    .execute()
  const storesOf = await storesOfEach(db, ids)
  return new Map(
    people.map((person) => [
      person.id_user,
      {
        author: {
          id_user: person.id_user,
          name: `${person.first_name} ${person.last_name}`.trim(),
          role_ids: person.role_ids,
          permissions: new Set(permissionsOf(person.role_ids)),
        },
        home: person.store_id,
        storeIds: new Set(storesOf(person.id_user)),
        disabled_at: person.disabled_at,
      },
    ]),
  )
}
