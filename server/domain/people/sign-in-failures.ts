import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { type ErrorCode, Refusal } from '#contract/core/errors.ts'
import type { Database } from '#server/platform/db/database.ts'
import { noteSecurityEvent } from '#server/domain/people/security-log.ts'
import type { Attempt, Limit } from '#server/domain/people/sign-in-limits.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Counts wrong attempts and blocks the next ones, by the limits of `sign-in-limits.ts`. Unknown names are counted like
 * any other, so that a block does not reveal who works here.
 */

type Counting = Pick<Services, 'db' | 'clock' | 'secrets' | 'log'>

/** A row without a new failure for this long is deleted. It is longer than any block. */
const keptMs = 2 * 86_400_000
/** After this long without a failure, blocks begin at their shortest again. */
const calmMs = 86_400_000

/** The code or message of a block, when it is not that of `login-blocked`. */
export type BlockWords = { code?: ErrorCode; message?: string }

/** @throws Refusal `login-blocked`, or the code in `words`, with the seconds to wait */
export async function assertNotBlocked(services: Counting, { limits }: Attempt, words: BlockWords = {}): Promise<void> {
  const now = services.clock.now()
  const rows = await services.db.pool
    .selectFrom('sign_in_failures')
    .select('blocked_until')
    .where(
      'subject',
      'in',
      limits.map((limit) => subjectOf(services, limit.subject)),
    )
    .execute()
  const until = Math.max(...rows.map((row) => (row.blocked_until === null ? 0 : Date.parse(row.blocked_until))), 0)
  if (until <= now) return
  const { code = 'login-blocked', message } = words
  throw new Refusal(code, { retry_after_s: Math.ceil((until - now) / 1000), ...(message !== undefined && { message }) })
}

/** Counts a wrong attempt against all its limits, and writes it to the security log. */
export async function noteFailure(services: Counting, { limits, logged }: Attempt): Promise<void> {
  if (logged) await noteSecurityEvent(services, { kind: 'sign-in-failed', ...logged })
  let blocks = false
  for (const limit of limits) if (await countFailure(services, limit)) blocks = true
  if (logged && blocks) await noteSecurityEvent(services, { kind: 'locked-out', ...logged })
  // Without this, names that were typed once would stay forever.
  await services.db.pool
    .deleteFrom('sign_in_failures')
    .where('last_at', '<', new Date(services.clock.now() - keptMs).toISOString())
    .execute()
}

/**
 * Runs one attempt within its limits. It is refused while blocked, and counted when `work` returns null. A success
 * clears the attempt's own failures. Attempts on the same subject take turns within a process, so that a burst of
 * guesses gets no more tries than guesses in a row.
 */
export async function guardedAttempt<T>(
  services: Counting,
  attempt: Attempt,
  work: () => Promise<T | null>,
  words: BlockWords = {},
): Promise<T | null> {
  const places = attempt.limits.map(({ subject }) => subject)
  return await inTurn(services.db, places, async () => {
    await assertNotBlocked(services, attempt, words)
    const result = await work()
    if (result === null) await noteFailure(services, attempt)
    else if (attempt.own !== null) {
      await services.db.pool.deleteFrom('sign_in_failures').where('subject', '=', subjectOf(services, attempt.own)).execute()
    }
    return result
  })
}

/** Returns whether the subject is blocked from now on. */
async function countFailure(services: Counting, limit: Limit): Promise<boolean> {
  const now = services.clock.now()
  const at = new Date(now).toISOString()
  const windowFrom = new Date(now - limit.windowSeconds * 1000).toISOString()
  const calmFrom = new Date(now - calmMs).toISOString()
  const subject = subjectOf(services, limit.subject)
  const isFresh = sql<boolean>`(f.window_at <= ${windowFrom} or f.blocked_until <= ${at})`
  const failures = sql<number>`(case when ${isFresh} then 1 else f.failures + 1 end)`
  const windowAt = sql`(case when ${isFresh} then ${at}::timestamptz else f.window_at end)`
  const blocksBefore = sql<number>`(case when f.last_at < ${calmFrom} then 0 else f.blocks end)`
  const doubled = sql`least(${limit.longestSeconds}::float8, ${limit.blockSeconds}::float8 * power(2, least(${blocksBefore}, 20)))`
  const ofBlock = sql`${at}::timestamptz + make_interval(secs => ${doubled})`
  const until = limit.isStrict ? sql`greatest(${ofBlock}, ${windowAt} + make_interval(secs => ${limit.windowSeconds}::float8))` : ofBlock
  const isFull = sql<boolean>`(${failures} >= ${limit.failures}::int)`
  const { rows } = await sql<{ blocked_until: string | null }>`
    insert into sign_in_failures as f (subject, failures, window_at, last_at, blocks, blocked_until)
    values (${subject}, 1, ${at}, ${at}, 0, null)
    on conflict (subject) do update set
      failures = ${failures},
      window_at = ${windowAt},
      last_at = ${at},
      blocks = ${blocksBefore} + case when ${isFull} then 1 else 0 end,
      blocked_until = case when ${isFull} then ${until} else null end
    returning blocked_until
  `.execute(services.db.pool)
  const [row] = rows
  if (!row || row.blocked_until === null) return false
  if (limit.event) {
    const minutes = Math.ceil((Date.parse(row.blocked_until) - now) / 60_000)
    await noteSecurityEvent(services, { ...limit.event, by: null, detail: `${minutes} min` })
  }
  return true
}

/** Keyed, because people sometimes type their password into the name field. */
function subjectOf(services: Counting, text: string): string {
  return createHmac('sha256', services.secrets.pinPepper).update(`sign-in failures ${text}`).digest('hex')
}

const queues = new WeakMap<Database, Map<string, Promise<unknown>>>()

async function inTurn<T>(db: Database, places: string[], work: () => Promise<T>): Promise<T> {
  const queue = queues.get(db) ?? new Map<string, Promise<unknown>>()
  queues.set(db, queue)
  // A caller joins all its queues in one tick, so two callers cannot wait for each other.
  const before = Promise.all(places.map((place) => queue.get(place) ?? Promise.resolve()))
  const turn = before.then(work)
  const over = turn.catch(() => undefined)
  for (const place of places) queue.set(place, over)
  try {
    return await turn
  } finally {
    for (const place of places) if (queue.get(place) === over) queue.delete(place)
  }
}
