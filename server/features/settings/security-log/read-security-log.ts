import { type Expression, type Kysely, sql, type SqlBool } from 'kysely'
import {
  alertKinds,
  bulkReadKinds,
  type SecurityEntry,
  securityKinds,
  securityLogPageSize,
  type SecurityView,
} from '#contract/people/security-log.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { personName } from '#server/domain/people/person-name.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'
import { timeZoneOf } from '#server/domain/people/time-zone-of.ts'

/** The stores whose events this user may read. Null means all stores. */
export async function storesWatched(db: Kysely<Schema>, scope: Scope): Promise<number[] | null> {
  return scope.role_ids.includes('admin') ? null : await storesOf(db, scope.id_user)
}

type Asked = {
  scope: Scope
  stores: number[] | null
  view: SecurityView
  person?: number | undefined
  from?: string | undefined
  to?: string | undefined
  page: number
}

/** One page of the log, newest first. */
export async function readSecurityLog(db: Kysely<Schema>, asked: Asked): Promise<{ entries: SecurityEntry[]; total: number }> {
  const conditions = await conditionsOf(db, asked)
  const seen = await seenUpTo(db, asked.scope.id_user)
  const counted = await db
    .selectFrom('security_log as entry')
    .select(sql<number>`count(*)`.as('total'))
    .where(sql.join<SqlBool>(conditions, sql` and `))
    .executeTakeFirst()
  const rows = await db
    .selectFrom('security_log as entry')
    .leftJoin('users as doer', 'doer.id_user', 'entry.id_user')
    .leftJoin('users as subject', 'subject.id_user', 'entry.id_about')
    .leftJoin('stores', 'stores.store_id', 'entry.store_id')
    .leftJoin('tablets', 'tablets.id_tablet', 'entry.device_id')
    .select(['entry.id', 'entry.at', 'entry.kind', 'entry.id_user', 'entry.id_about', 'entry.device_id', 'entry.id_patient'])
    .select(['entry.request_id', 'entry.address', 'entry.detail', 'entry.times', 'stores.store_name', 'tablets.name as device_name'])
    .select([sql<string>`${personName('doer')}`.as('doer_name'), sql<string>`${personName('subject')}`.as('subject_name')])
    .where(sql.join<SqlBool>(conditions, sql` and `))
    .orderBy('entry.id', 'desc')
    .limit(securityLogPageSize)
    .offset((asked.page - 1) * securityLogPageSize)
    .execute()
  const entries = rows.map(({ id_user, id_about, doer_name, subject_name, ...row }) => ({
    ...row,
    by: id_user === null ? null : { id_user, name: doer_name },
    about: id_about === null ? null : { id_user: id_about, name: subject_name },
    is_new: row.id > seen && alertKinds.some((kind) => kind === row.kind),
  }))
  return { entries, total: counted?.total ?? 0 }
}

/** The people who may appear in these stores' log, by name. */
export async function readPeople(db: Kysely<Schema>, stores: number[] | null): Promise<{ id_user: number; name: string }[]> {
  return await db
    .selectFrom('users')
    .select(['id_user', sql<string>`${personName('users')}`.as('name')])
    .where(
      stores === null
        ? sql<boolean>`true`
        : sql<boolean>`exists (select from user_stores as place where place.id_user = users.id_user and place.store_id = any(${stores}::int[]))`,
    )
    .orderBy('first_name')
    .orderBy('last_name')
    .orderBy('id_user')
    .execute()
}

/** Returns the number of alerts that this manager has not seen, and the id of the newest alert. */
export async function countUnseenAlerts(
  db: Kysely<Schema>,
  scope: Scope,
  stores: number[] | null,
): Promise<{ unseen: number; newest_id: number }> {
  const seen = await seenUpTo(db, scope.id_user)
  const row = await db
    .selectFrom('security_log as entry')
    .select([sql<number>`count(*)`.as('unseen'), sql<number>`coalesce(max(entry.id), ${seen}::bigint)`.as('newest_id')])
    .where('entry.kind', 'in', alertKinds)
    .where('entry.id', '>', seen)
    .where(inSight(stores))
    .executeTakeFirstOrThrow()
  return row
}

/** Marks alerts as seen. An outdated window takes nothing back. */
export async function markSeen(db: Kysely<Schema>, scope: Scope, upTo: number, at: string): Promise<void> {
  await sql`
    insert into security_alerts_seen as seen (id_user, up_to, at)
    select ${scope.id_user}::int, least(${upTo}::bigint, coalesce(max(id), 0)), ${at}::timestamptz from security_log
    on conflict (id_user) do update set up_to = greatest(seen.up_to, excluded.up_to), at = excluded.at
  `.execute(db)
}

async function seenUpTo(db: Kysely<Schema>, idUser: number): Promise<number> {
  const row = await db.selectFrom('security_alerts_seen').select('up_to').where('id_user', '=', idUser).executeTakeFirst()
  return row?.up_to ?? 0
}

/**
 * True for events of these stores. An event without a store, such as a sign-in with an unknown name, is for every
 * manager.
 */
function inSight(stores: number[] | null): Expression<SqlBool> {
  return stores === null ? sql<SqlBool>`true` : sql<SqlBool>`(entry.store_id is null or entry.store_id = any(${stores}::int[]))`
}

function kindsIn(view: SecurityView): readonly string[] {
  if (view === 'everything') return securityKinds
  if (view === 'alerts') return alertKinds
  if (view === 'reads') return bulkReadKinds
  if (view === 'events') return securityKinds.filter((kind) => !bulkReadKinds.some((bulk) => bulk === kind))
  return [view]
}

async function conditionsOf(db: Kysely<Schema>, { scope, stores, view, person, from, to }: Asked): Promise<Expression<SqlBool>[]> {
  const zone = await timeZoneOf(db, scope.store_id)
  const conditions = [inSight(stores), sql<SqlBool>`entry.kind = any(${[...kindsIn(view)]}::text[])`]
  if (person !== undefined) conditions.push(sql<SqlBool>`(entry.id_user = ${person}::int or entry.id_about = ${person}::int)`)
  if (from !== undefined) conditions.push(sql<SqlBool>`entry.at >= ${from}::date::timestamp at time zone ${zone}`)
  if (to !== undefined) conditions.push(sql<SqlBool>`entry.at < (${to}::date + 1)::timestamp at time zone ${zone}`)
  return conditions
}
