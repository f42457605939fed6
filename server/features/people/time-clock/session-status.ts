import { Refusal } from '#contract/core/errors.ts'
import { clockTime, openSession } from '#contract/people/time-clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Endpoints } from '#contract/core/endpoints.ts'
import { punchesAround } from '#server/features/people/time-clock/person-punches.ts'
import type { Handler } from '#server/platform/http/handler.ts'
import { type RateLimits, rateLimiter } from '#server/platform/http/rate-limit.ts'
import { findPerson } from '#server/domain/people/find-person.ts'
import { placeOf } from '#server/domain/people/known-tablets.ts'
import { timeZoneOf } from '#server/domain/people/time-zone-of.ts'
import type { Services } from '#server/platform/services.ts'

/** Limit for one address without a known tablet: enough for a person at a clock, too little to ask for everybody. */
const strangersLimits: RateLimits = { burst: 6, perSecond: 6 / 60 }

const limiters = new WeakMap<Database, (address: string) => number>()

/**
 * Returns whether a person is clocked in. An unknown name, a disabled account and a clocked-out person get one answer.
 */
export const sessionStatus: Handler<Endpoints['sessionStatus']> = async ({ services, query, headers, address }) => {
  const place = await placeOf(services, { headers, address }, null)
  if (place.kind === 'address') assertFewAsked(services, place.address)
  const { pool } = services.db
  const person = await findPerson(pool, query.username)
  const now = services.clock.now()
  // Unknown names are looked up like any other, so neither the answer nor its time reveals who works here.
  const punches = await punchesAround(pool, person && person.disabled_at === null ? person.id_user : 0, new Date(now).toISOString())
  const open = openSession(punches, now)
  if (!open || !person) return { time: null, session: false, since: null }
  return { time: clockTime(open.in.at, await timeZoneOf(pool, person.store_id)), session: true, since: open.in.at }
}

function assertFewAsked({ db, clock }: Pick<Services, 'db' | 'clock'>, address: string): void {
  const limiter = limiters.get(db) ?? rateLimiter(strangersLimits, () => clock.now())
  limiters.set(db, limiter)
  const seconds = limiter(address)
  if (seconds > 0) throw new Refusal('request-too-frequent', { retry_after_s: seconds })
}
