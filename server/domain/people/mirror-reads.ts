import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { noteSecurityEvent } from '#server/domain/people/security-log.ts'
import { timeZoneOf } from '#server/domain/people/time-zone-of.ts'
import { dayOf } from '#contract/people/time-clock.ts'
import type { Services } from '#server/platform/services.ts'

/** The day of the last note, by person, tablet and store. */
const noted = new WeakMap<Database, Map<string, string>>()
const remembered = 10_000

/**
 * Notes that a tablet took patients into its mirror: once for each person, tablet, store and day of the store. Later
 * pulls of that day bring only changes and write nothing.
 */
export async function noteMirrorRead(services: Pick<Services, 'db' | 'clock'>, scope: Scope, patients: number): Promise<void> {
  if (patients === 0) return
  const { db, clock } = services
  const zone = await timeZoneOf(db.pool, scope.store_id)
  const today = dayOf(clock.now(), zone)
  const key = `${scope.id_user} ${tabletOf(scope)} ${scope.store_id}`
  const days = noted.get(db) ?? new Map<string, string>()
  noted.set(db, days)
  if (days.get(key) === today) return
  if (days.size >= remembered) days.clear()
  const last = await db.pool
    .selectFrom('security_log')
    .select('at')
    .where('kind', '=', 'patients-mirrored')
    .where('id_user', '=', scope.id_user)
    .where('store_id', '=', scope.store_id)
    .where(sql<boolean>`coalesce(device_id, session_id) = ${tabletOf(scope)}::uuid`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last || dayOf(Date.parse(last.at), zone) !== today)
    await noteSecurityEvent(services, { kind: 'patients-mirrored', by: scope, times: patients })
  days.set(key, today)
}
