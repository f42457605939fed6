import { sql, type Kysely } from 'kysely'
import type { ReviewEntry, ReviewReason } from '#contract/people/time-card.ts'
import { clockTimeline, overlongHours } from '#contract/people/time-clock.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { groupRepeats } from '#server/features/people/time-clock/group-repeats.ts'
import { punchesAround, type PunchRow } from '#server/features/people/time-clock/person-punches.ts'
import { peopleOf, reviewedStores, type Reviewer } from '#server/features/people/time-clock/reviewers.ts'

/** How far back the list finds forgotten sessions and shows resolved entries. */
const forgottenDays = 60
const recentDays = 30
const resolvedLimit = 200

/**
 * Entries for a manager's review, oldest first: held punches, and sessions of more than 16 hours. With `recent`, the
 * entries resolved in the last 30 days instead, newest first.
 */
export async function reviewList(db: Kysely<Schema>, reviewer: Reviewer, now: number, which: 'no' | 'recent'): Promise<ReviewEntry[]> {
  const stores = await reviewedStores(db, reviewer)
  if (stores?.length === 0) return []
  const people = await peopleOf(db, stores)
  const ids = people.map((person) => person.id_user)

  let reviews = reviewRows(db).where('punch_reviews.punch_id', 'is not', null)
  if (which === 'no') reviews = reviews.where('punch_reviews.resolved_at', 'is', null).orderBy('punches.at').orderBy('punches.id')
  else {
    reviews = reviews
      .where('punch_reviews.resolved_at', '>', daysBefore(now, recentDays))
      .orderBy('punch_reviews.resolved_at', 'desc')
      .orderBy('punches.id')
      .limit(resolvedLimit)
  }
  if (stores !== null) {
    reviews = reviews.where((where) =>
      where.or([
        ...(ids.length > 0 ? [where('punches.id_user', 'in', ids)] : []),
        where.and([
          where('punches.id_user', 'is', null),
          where.or([where('punches.store_id', 'is', null), where('punches.store_id', 'in', stores)]),
        ]),
      ]),
    )
  }
  const entries = (await reviews.execute()).map(asEntry)
  if (which === 'recent') return entries
  const forgotten = await forgottenSessions(db, ids, now)
  // A clock-in that waits for another reason too is resolved once, with all its reasons.
  for (const entry of entries) if (forgotten.has(entry.id)) entry.reasons = [...entry.reasons, 'open-16-hours']
  const listed = new Set(entries.map((entry) => entry.id))
  const unlisted = [...forgotten].filter((id) => !listed.has(id))
  if (unlisted.length > 0) {
    const rows = await reviewRows(db).where('punches.id', 'in', unlisted).execute()
    entries.push(...rows.map((row) => asEntry({ ...row, ...unresolved, reasons: ['open-16-hours'] as ReviewReason[] })))
  }
  return groupRepeats(entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.id < b.id ? -1 : 1)))
}

const unresolved = { resolved_at: null, resolution: null, resolution_reason: null, resolver_first: null, resolver_last: null }

/** One entry, open or resolved. Null when this manager has none with that id. */
export async function reviewEntryOf(db: Kysely<Schema>, reviewer: Reviewer, id: string, now: number): Promise<ReviewEntry | null> {
  const row = await reviewRows(db).where('punches.id', '=', id).executeTakeFirst()
  if (!row) return null
  const stores = await reviewedStores(db, reviewer)
  if (stores !== null) {
    const people = await peopleOf(db, stores)
    const isTheirs =
      row.id_user === null ? row.store_id === null || stores.includes(row.store_id) : people.some((one) => one.id_user === row.id_user)
    if (!isTheirs) return null
  }
  const isForgotten = row.id_user !== null && (await forgottenSessions(db, [row.id_user], now)).has(id)
  if (isForgotten && (row.reasons === null || row.resolved_at !== null))
    return asEntry({ ...row, ...unresolved, reasons: ['open-16-hours'] })
  if (row.reasons === null) return null
  return asEntry(isForgotten ? { ...row, reasons: [...row.reasons, 'open-16-hours'] } : row)
}

function reviewRows(db: Kysely<Schema>) {
  return db
    .selectFrom('punches')
    .leftJoin('punch_reviews', 'punch_reviews.punch_id', 'punches.id')
    .leftJoin('users', 'users.id_user', 'punches.id_user')
    .leftJoin('stores', 'stores.store_id', 'punches.store_id')
    .leftJoin('users as resolver', 'resolver.id_user', 'punch_reviews.resolved_by')
    .select([
      'punches.id',
      'punches.id_user',
      'punches.store_id',
      'punches.username',
      'punches.direction',
      'punches.at',
      'punches.device_wall',
      'punches.received_at',
      'punches.skew_ms',
      'punch_reviews.reasons',
      'punch_reviews.resolved_at',
      'punch_reviews.resolution',
      'punch_reviews.resolution_reason',
      'users.first_name',
      'users.last_name',
      'stores.store_name',
      'resolver.first_name as resolver_first',
      'resolver.last_name as resolver_last',
    ])
}

type ReviewRow = Awaited<ReturnType<ReturnType<typeof reviewRows>['execute']>>[number]

function asEntry(row: ReviewRow): ReviewEntry {
  return {
    id: row.id,
    id_user: row.id_user,
    username: row.username,
    person_name: row.first_name === null ? null : `${row.first_name} ${row.last_name}`,
    store_name: row.store_name,
    // Only punches are in review, and only corrections can be void.
    direction: row.direction === 'out' ? 'out' : 'in',
    at: row.at,
    device_wall: row.device_wall,
    received_at: row.received_at,
    skew_ms: row.skew_ms,
    reasons: row.reasons ?? [],
    resolved_at: row.resolved_at,
    resolution: row.resolution,
    resolved_by_name: row.resolver_first === null ? null : `${row.resolver_first} ${row.resolver_last}`,
    resolution_reason: row.resolution_reason,
  }
}

/** Clock-ins of these people that began a session of more than 16 hours, and that no manager has reviewed as such. */
async function forgottenSessions(db: Kysely<Schema>, ids: readonly number[], now: number): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const overlong = sql.lit(`${overlongHours} hours`)
  // The database finds candidates, and the time clock's one rule decides.
  const candidates = await db
    .selectFrom('punches as p')
    .leftJoin('punch_reviews as r', 'r.punch_id', 'p.id')
    .select(['p.id', 'p.id_user', 'p.at'])
    .where('p.id_user', 'in', [...ids])
    .where('p.direction', '=', 'in')
    .where('p.in_review', '=', false)
    .where('p.at', '>', daysBefore(now, forgottenDays))
    .where('p.at', '<', new Date(now - overlongHours * 3_600_000).toISOString())
    .where((where) => where.or([where('r.resolved_at', 'is', null), sql<boolean>`not r.reasons @> '["open-16-hours"]'::jsonb`]))
    .where(sql<boolean>`not exists (select 1 from punches as c where c.supersedes = p.id and not c.in_review)`)
    .where(
      sql<boolean>`not exists (
        select 1 from punches as o
        where o.id_user = p.id_user and o.direction = 'out' and not o.in_review
          and o.at > p.at and o.at <= p.at + ${overlong}::interval
          and not exists (select 1 from punches as c where c.supersedes = o.id and not c.in_review)
      )`,
    )
    .execute()
  const forgotten = new Set<string>()
  for (const { id, id_user, at } of candidates) {
    if (id_user === null) continue
    const around: PunchRow[] = await punchesAround(db, id_user, at)
    if (clockTimeline(around, now).sessions.some((session) => session.overlong && session.in.id === id)) forgotten.add(id)
  }
  return forgotten
}

function daysBefore(now: number, days: number): string {
  return new Date(now - days * 86_400_000).toISOString()
}
