import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { lockout } from '#contract/session.ts'
import type { Database } from '#server/db/database.ts'
import { findPerson, signInName } from '#server/people/find-person.ts'
import { noteWrongSignIn } from '#server/people/security-log.ts'
import type { Services } from '#server/services.ts'

/**
 * Three wrong attempts block an account and an address for a minute, whichever door they came to: password, PIN or
 * clock. Names that nobody has are counted like any other, so that a block does not tell who works here.
 */

type Counting = Pick<Services, 'db' | 'clock' | 'secrets' | 'log'>
type Limit = { subject: string; failures: number; forgottenAfterSeconds: number }

/** A slip of this morning is not held against someone at noon. */
const forgottenAfterSeconds = 15 * 60

/**
 * A PIN names no account, so whoever has one of their own could clear the address's count with it after every second
 * guess at other people's. This count is not cleared by a success.
 */
const pinGuesses = { failures: 12, forgottenAfterSeconds: 60 * 60 }

/** Throws `login-blocked` with the seconds to wait. `username` is what was typed; null where a PIN stands for the name. */
export async function assertNotBlocked(services: Counting, username: string | null, address: string): Promise<void> {
  const now = services.clock.now()
  const limits = await limitsOf(services, username, address)
  const rows = await services.db.reads
    .selectFrom('sign_in_failures')
    .select('blocked_until')
    .where(
      'subject',
      'in',
      limits.map((limit) => limit.subject),
    )
    .execute()
  const until = Math.max(...rows.map((row) => (row.blocked_until === null ? 0 : Date.parse(row.blocked_until))), 0)
  if (until > now) throw new Refusal('login-blocked', { retry_after_s: Math.ceil((until - now) / 1000) })
}

/** Counts a wrong attempt against the account and the address. */
export async function noteFailure(services: Counting, username: string | null, address: string): Promise<void> {
  const now = services.clock.now()
  await noteWrongSignIn(services, 'sign-in-failed', username)
  let blocks = false
  for (const limit of await limitsOf(services, username, address)) if (await countFailure(services, limit, now)) blocks = true
  if (blocks) await noteWrongSignIn(services, 'locked-out', username)
}

/** A right attempt: the account and the address start anew. */
export async function noteSuccess(services: Counting, username: string | null, address: string): Promise<void> {
  const cleared = [addressSubject(services, address)]
  if (username !== null) cleared.push(await accountSubject(services, username))
  await services.db.reads.deleteFrom('sign_in_failures').where('subject', 'in', cleared).execute()
}

/**
 * One attempt with the lockout around it: refused while blocked, counted when `attempt` answers null, forgiven when it
 * answers something. Attempts on one account or from one address take turns within a process, so that a burst
 * of guesses sent at once gets no more tries than one sent in a row.
 */
export async function guardedAttempt<T>(
  services: Counting,
  username: string | null,
  address: string,
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const places = [`address:${address}`, ...(username === null ? [] : [`account:${signInName(username)}`])]
  return await inTurn(services.db, places, async () => {
    await assertNotBlocked(services, username, address)
    const result = await attempt()
    if (result === null) await noteFailure(services, username, address)
    else await noteSuccess(services, username, address)
    return result
  })
}

async function limitsOf(services: Counting, username: string | null, address: string): Promise<Limit[]> {
  const byAddress = { subject: addressSubject(services, address), failures: lockout.failures, forgottenAfterSeconds }
  if (username === null) return [byAddress, { subject: subjectOf(services, `pins-from:${address}`), ...pinGuesses }]
  return [byAddress, { subject: await accountSubject(services, username), failures: lockout.failures, forgottenAfterSeconds }]
}

/** Answers whether the subject is blocked from now on. */
async function countFailure(services: Counting, limit: Limit, now: number): Promise<boolean> {
  const at = new Date(now).toISOString()
  const forgetBefore = new Date(now - limit.forgottenAfterSeconds * 1000).toISOString()
  const blockedUntil = new Date(now + lockout.seconds * 1000).toISOString()
  // The count starts anew once a block is over, and once the last failure is long ago.
  const failures = sql<number>`case when f.last_at < ${forgetBefore} or f.blocked_until <= ${at} then 1 else f.failures + 1 end`
  const { rows } = await sql<{ blocks: boolean }>`
    insert into sign_in_failures as f (subject, failures, last_at, blocked_until) values (${limit.subject}, 1, ${at}, null)
    on conflict (subject) do update set
      failures = ${failures},
      last_at = ${at},
      blocked_until = case when ${failures} >= ${limit.failures} then ${blockedUntil}::timestamptz else null end
    returning blocked_until is not null as blocks
  `.execute(services.db.reads)
  // Names typed once and never again would stay for ever.
  await services.db.reads
    .deleteFrom('sign_in_failures')
    .where('last_at', '<', new Date(now - 86_400_000).toISOString())
    .execute()
  return rows[0]?.blocks === true
}

function addressSubject(services: Counting, address: string): string {
  return subjectOf(services, `address:${address}`)
}

/** One count for a person, whether they typed the username or the e-mail address. */
async function accountSubject(services: Counting, username: string): Promise<string> {
  const person = await findPerson(services.db.reads, username)
  return subjectOf(services, person ? `account:${person.id_user}` : `name:${signInName(username)}`)
}

/** Keyed, because people now and then type their password where the name goes. */
function subjectOf(services: Counting, text: string): string {
  return createHmac('sha256', services.secrets.pinPepper).update(`sign-in failures ${text}`).digest('hex')
}

const queues = new WeakMap<Database, Map<string, Promise<unknown>>>()

async function inTurn<T>(db: Database, places: string[], work: () => Promise<T>): Promise<T> {
  const queue = queues.get(db) ?? new Map<string, Promise<unknown>>()
  queues.set(db, queue)
  // All places are taken in one tick, so two callers cannot wait for each other.
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
