import { type Expression, type SqlBool, sql } from 'kysely'
import { listedTabletDays, type Tablet } from '#contract/people/tablets.ts'
import { personName } from '#server/domain/people/person-name.ts'
import type { Services } from '#server/platform/services.ts'

const dayMs = 86_400_000

/**
 * The listed tablets of these stores, by store and name, so that reports do not change the order. `id` asks for one
 * tablet.
 */
export async function readTablets(services: Services, asked: { stores: readonly number[]; id?: string }): Promise<Tablet[]> {
  const now = services.clock.now()
  const usedSince = new Date(now - services.config.refreshTokenDays * dayMs).toISOString()
  const rows = await services.db.pool
    .selectFrom('tablets as tablet')
    .innerJoin('stores as store', 'store.store_id', 'tablet.store_id')
    .innerJoin('users as person', 'person.id_user', 'tablet.id_user')
    .select(['tablet.id_tablet', 'tablet.name', 'tablet.store_id', 'store.store_name', personName('person').as('person_name')])
    .select(['tablet.last_seen_at', 'tablet.unsent', 'tablet.oldest_unsent_at', 'tablet.app_version'])
    // Same rule as the session gate: a session ends with its person's account or place in the store.
    .select(
      sql<boolean>`exists (
        select from sessions
        join users on users.id_user = sessions.id_user and users.disabled_at is null
        join user_stores on user_stores.id_user = sessions.id_user and user_stores.store_id = sessions.store_id
        where ${isOfTablet} and sessions.revoked_at is null and sessions.last_used_at >= ${usedSince}
      )`.as('is_open'),
    )
    .select(
      sql<string | null>`(
        select sessions.revoked_because from sessions
        where ${isOfTablet} and sessions.revoked_at is not null order by sessions.revoked_at desc limit 1
      )`.as('ended_because'),
    )
    .where('tablet.store_id', '=', sql<number>`any(${[...asked.stores]}::int[])`)
    .where(isListed(now))
    .$if(asked.id !== undefined, (query) => query.where('tablet.id_tablet', '=', asked.id ?? ''))
    .orderBy('store.is_warehouse')
    .orderBy('store.store_name')
    .orderBy('tablet.name')
    .orderBy('tablet.id_tablet')
    .execute()
  return rows.map(({ is_open, ended_because, ...told }) => ({
    ...told,
    session: is_open ? 'open' : ended_because === 'tablet' ? 'revoked' : 'ended',
  }))
}

/** For a session without a device, the session is the tablet. */
const isOfTablet = sql<boolean>`(sessions.device_id = tablet.id_tablet or (sessions.device_id is null and sessions.id = tablet.id_tablet))`

/** Sums over the whole chain, for operators. */
export async function sumTablets({ db, clock }: Services) {
  const now = clock.now()
  const { tablets, holding, unsent, oldest } = await db.pool
    .selectFrom('tablets as tablet')
    .where(isListed(now))
    .select([
      sql<number>`count(*)`.as('tablets'),
      sql<number>`count(*) filter (where tablet.unsent > 0)`.as('holding'),
      sql<number>`coalesce(sum(tablet.unsent), 0)`.as('unsent'),
      sql<string | null>`min(tablet.oldest_unsent_at)`.as('oldest'),
    ])
    .executeTakeFirstOrThrow()
  return { tablets, holding, unsent, oldestUnsentSeconds: oldest === null ? 0 : Math.max(0, (now - Date.parse(oldest)) / 1000) }
}

/** A tablet that held work at its last report stays listed, however long ago that was. */
function isListed(now: number): Expression<SqlBool> {
  const since = new Date(now - listedTabletDays * dayMs).toISOString()
  return sql<SqlBool>`(tablet.last_seen_at >= ${since} or tablet.unsent > 0)`
}
