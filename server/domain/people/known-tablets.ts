import { type Kysely, sql } from 'kysely'
import { deviceTokenHeader, pinDays } from '#contract/people/session.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { issueDeviceToken, readDeviceToken } from '#server/platform/http/tokens.ts'
import type { UserRow } from '#server/domain/people/find-person.ts'
import { pinLookup } from '#server/domain/people/passwords.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * The origin of an attempt. A tablet proves with its device token that somebody signed in on it with a password. Any
 * other attempt comes from a network address, which a whole clinic and its guests may share.
 */
export type Place = { kind: 'tablet'; device_id: string } | { kind: 'address'; address: string }

type Known = Pick<Services, 'db' | 'clock' | 'config' | 'secrets'>

const dayMs = 86_400_000

/**
 * Returns the place of a call. `deviceId` is the tablet that the call names. Another tablet's token proves nothing for
 * it.
 */
export async function placeOf(
  services: Known,
  call: { headers: Headers; address: string },
  deviceId: string | null | undefined,
): Promise<Place> {
  const token = call.headers.get(deviceTokenHeader)
  const claims = token === null ? null : await readDeviceToken(services, token)
  if (claims !== null && (deviceId ?? claims.device_id).toLowerCase() === claims.device_id) {
    const known = await services.db.pool
      .selectFrom('known_tablets')
      .select('generation')
      .where('device_id', '=', claims.device_id)
      .executeTakeFirst()
    if (known?.generation === claims.generation) return { kind: 'tablet', device_id: claims.device_id }
  }
  return { kind: 'address', address: call.address }
}

/** Returns the token that proves the tablet from now on. Call it only after a person has proven to be on the tablet. */
export async function deviceTokenFor(services: Known, deviceId: string): Promise<string> {
  const device_id = deviceId.toLowerCase()
  const known_at = new Date(services.clock.now()).toISOString()
  const { generation } = await services.db.pool
    .insertInto('known_tablets')
    .values({ device_id, known_at })
    // Changes nothing. The update makes the statement return the row.
    .onConflict((conflict) => conflict.column('device_id').doUpdateSet({ device_id }))
    .returning('generation')
    .executeTakeFirstOrThrow()
  return await issueDeviceToken(services, { device_id, generation })
}

/**
 * Remembers that this person signed in here with a password, so that their PIN works here. Returns the tablet's token.
 */
export async function notePassword(services: Known, person: Pick<UserRow, 'id_user'>, deviceId: string): Promise<string> {
  const token = await deviceTokenFor(services, deviceId)
  const signed_in_at = new Date(services.clock.now()).toISOString()
  await services.db.pool
    .insertInto('tablet_passwords')
    .values({ device_id: deviceId.toLowerCase(), id_user: person.id_user, signed_in_at })
    .onConflict((conflict) => conflict.columns(['device_id', 'id_user']).doUpdateSet({ signed_in_at }))
    .execute()
  return token
}

/** Returns whether anybody may use a PIN on this tablet. */
export async function takesPins(services: Known, deviceId: string): Promise<boolean> {
  const row = await services.db.pool
    .selectFrom('tablet_passwords')
    .select('id_user')
    .where('device_id', '=', deviceId)
    .where('signed_in_at', '>', pinsSince(services))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the person with this PIN. Null for a wrong PIN, a disabled account, an administrator, and a person who has
 * not signed in with a password on this tablet lately. The caller answers all alike, so that nobody learns which PINs
 * exist.
 */
export async function verifyPin(services: Known, pin: string, deviceId: string): Promise<UserRow | null> {
  const person = await services.db.pool
    .selectFrom('users')
    .innerJoin('tablet_passwords', 'tablet_passwords.id_user', 'users.id_user')
    .selectAll('users')
    .where('pin_lookup', '=', pinLookup(services.secrets, pin))
    .where('tablet_passwords.device_id', '=', deviceId)
    .where('tablet_passwords.signed_in_at', '>', pinsSince(services))
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()
  return person && !person.role_ids.includes('admin') ? person : null
}

/** Ends the tablet's token and every PIN on it, until somebody signs in there with a password again. */
export async function forgetTablet(db: Kysely<Schema>, deviceId: string): Promise<void> {
  await db.deleteFrom('tablet_passwords').where('device_id', '=', deviceId).execute()
  await db
    .updateTable('known_tablets')
    .set({ generation: sql<number>`generation + 1` })
    .where('device_id', '=', deviceId)
    .execute()
}

function pinsSince({ clock }: Pick<Services, 'clock'>): string {
  return new Date(clock.now() - pinDays * dayMs).toISOString()
}
