import { Refusal } from '#contract/core/errors.ts'
import { permissionsOf } from '#contract/core/roles.ts'
import type { HomeInfo, Location } from '#contract/people/session.ts'
import { readStoredKey } from '#server/platform/http/signing-keys.ts'
import { issueCaptureToken } from '#server/platform/http/tokens.ts'
import type { UserRow } from '#server/domain/people/find-person.ts'
import { homeNavigationFor } from '#server/domain/people/home-navigation.ts'
import { securitySettingsOf, storeSettingsOf } from '#server/domain/people/store-settings.ts'
import type { Services } from '#server/platform/services.ts'

/** The stores of this person, sorted by name. */
export async function locationsOf(services: Pick<Services, 'db'>, idUser: number): Promise<Location[]> {
  return await services.db.pool
    .selectFrom('stores')
    .innerJoin('user_stores', 'user_stores.store_id', 'stores.store_id')
    .where('user_stores.id_user', '=', idUser)
    .select(['stores.store_id', 'store_name', 'short_name', 'time_zone', 'is_warehouse'])
    .orderBy('is_warehouse')
    .orderBy('store_name')
    .orderBy('stores.store_id')
    .execute()
}

/** Returns all that the app knows of a person who works in this store now, with a capture token for their device. */
export async function homeInfoOf(
  services: Pick<Services, 'db' | 'clock' | 'config' | 'secrets'>,
  person: UserRow,
  session: CaptureSession,
): Promise<HomeInfo> {
  const store = await services.db.pool
    .selectFrom('stores')
    .select(['store_name', 'settings'])
    .where('store_id', '=', session.store_id)
    .executeTakeFirstOrThrow()
  const permissions = permissionsOf(person.role_ids)
  return {
    id_user: person.id_user,
    username: person.username,
    email: person.email,
    first_name: person.first_name,
    last_name: person.last_name,
    role_ids: person.role_ids,
    permissions,
    store_id: session.store_id,
    store_name: store.store_name,
    locations: await locationsOf(services, person.id_user),
    home_navigation: homeNavigationFor(permissions),
    store_settings: storeSettingsOf(store.settings),
    lock_minutes: securitySettingsOf(store.settings).lock_minutes,
    capture_token: await captureTokenFor(services, person.id_user, session),
  }
}

/** The store and the device of a session's work. */
type CaptureSession = { id: string; store_id: number; device_id: string | null }

/**
 * Returns proof of authorship for one device, bound to the session's key. A session without a device gets a token for
 * no device, which no device's work can use.
 * @throws Refusal `token-revoked` when the session has ended
 */
export async function captureTokenFor(
  services: Pick<Services, 'db' | 'clock' | 'config' | 'secrets'>,
  idUser: number,
  session: CaptureSession,
): Promise<string> {
  const known = await services.db.pool
    .selectFrom('sessions')
    .innerJoin('users', 'users.id_user', 'sessions.id_user')
    .leftJoin('tablets', (join) => join.on('tablets.id_tablet', '=', session.device_id))
    .where('sessions.id', '=', session.id)
    .where('users.id_user', '=', idUser)
    .where('sessions.revoked_at', 'is', null)
    .select(['sessions.signing_key', 'users.role_ids', 'tablets.removed_at'])
    .executeTakeFirst()
  if (!known) throw new Refusal('token-revoked')
  return await issueCaptureToken(services, {
    id_user: idUser,
    device_id: session.device_id ?? '',
    store_id: session.store_id,
    key: readStoredKey(known.signing_key),
    roles: known.role_ids,
    tabletRevokedAt: known.removed_at === null ? null : Date.parse(known.removed_at),
  })
}
