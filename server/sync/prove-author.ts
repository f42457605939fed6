import { sql } from 'kysely'
import type { WireCommand } from '#contract/commands.ts'
import { Refusal } from '#contract/errors.ts'
import { permissionsOf, type Permission } from '#contract/roles.ts'
import type { Author } from '#server/http/command-applier.ts'
import type { Scope } from '#server/http/scope.ts'
import { type CaptureClaims, verifyCaptureToken } from '#server/http/tokens.ts'
import { storesOfEach } from '#server/people/stores-of.ts'
import type { Services } from '#server/services.ts'

type Known = { author: Author; storeIds: ReadonlySet<number>; disabled_at: string | null }

/** `author` is null where a kind needs none and none is proven. `capturedAt` is when it was done, as far as it can be true. */
export type Proof = { author: Author | null; capturedAt: string }

/** Proves who made a command. Throws the refusal. */
export type Prover = (command: WireCommand, needs: { author: boolean; permission: Permission | null; capturedAt: string }) => Promise<Proof>

/**
 * Whoever's session brought a batch, each command is its author's: the person who is signed in, or the one to whom its
 * capture token was issued on that device. Names and rights come from the database as it is now, never from the command.
 */
export async function openProver(services: Services, deliverer: Scope, commands: readonly WireCommand[]): Promise<Prover> {
  const known = await readPeople(services, [...new Set(commands.flatMap((command) => command.author.id_user ?? []))])
  const verified = new Map<string, Promise<CaptureClaims>>()
  const claimsOf = (token: string): Promise<CaptureClaims> => {
    const claims = verified.get(token) ?? verifyCaptureToken(services, token)
    verified.set(token, claims)
    return claims
  }

  return async (command, needs) => {
    const person = command.author.id_user === null ? undefined : known.get(command.author.id_user)
    const isOwn = command.author.id_user === deliverer.id_user
    const claims = isOwn && command.capture_token === null ? null : await matchingClaims(command, claimsOf).catch(unlessOwn(isOwn))
    // It was done with the token in hand: a tablet whose clock says earlier has had it set back.
    const capturedAt = claims === null ? needs.capturedAt : notBefore(needs.capturedAt, claims.issuedAt)
    const isProven = isOwn || (needs.author && claims !== null && Date.parse(capturedAt) <= claims.expiresAt)
    if (!person || !isProven) {
      if (needs.author) throw new Refusal('capture-token-invalid')
      return { author: null, capturedAt }
    }
    const proof = { author: person.author, capturedAt }
    if (!needs.author) return proof
    if (person.disabled_at !== null && person.disabled_at <= capturedAt) {
      throw new Refusal('permission-missing', { message: 'This account had been disabled when this was done' })
    }
    if (command.store_id !== null && !person.storeIds.has(command.store_id)) throw new Refusal('store-foreign')
    if (needs.permission !== null && !person.author.permissions.has(needs.permission)) throw new Refusal('permission-missing')
    return proof
  }
}

/** What the command's token says, when it is its author's on its device. */
async function matchingClaims(command: WireCommand, claimsOf: (token: string) => Promise<CaptureClaims>): Promise<CaptureClaims | null> {
  if (command.capture_token === null) return null
  const claims = await claimsOf(command.capture_token)
  const isTheirs = claims.id_user === command.author.id_user && claims.device_id.toLowerCase() === command.device_id.toLowerCase()
  return isTheirs ? claims : null
}

/** Whoever brings their own work has proven it by their session; a token that is no good takes nothing from that. */
function unlessOwn(isOwn: boolean) {
  return (error: unknown): null => {
    if (isOwn && error instanceof Refusal) return null
    throw error
  }
}

/** An offset is measured to within a round trip, and a token may be fetched while the first scan is being made. */
const captureSlackMs = 5 * 60_000

function notBefore(capturedAt: string, issuedAt: number): string {
  return Date.parse(capturedAt) < issuedAt - captureSlackMs ? new Date(issuedAt).toISOString() : capturedAt
}

async function readPeople(services: Services, ids: number[]): Promise<Map<number, Known>> {
  if (ids.length === 0) return new Map()
  const db = services.db.reads
  const people = await db
    .selectFrom('users')
    .select(['id_user', 'first_name', 'last_name', 'role_ids', 'disabled_at'])
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
        storeIds: new Set(storesOf(person.id_user)),
        disabled_at: person.disabled_at,
      },
    ]),
  )
}
