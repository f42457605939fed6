import type { Kysely } from 'kysely'
import {
  clockTimeline,
  isSkewed,
  lateAfterMs,
  openSession,
  sessionMs,
  skewLimitMs,
  veryLateAfterMs,
  type ClockPunch,
} from '#contract/people/time-clock.ts'
import type { ReviewReason } from '#contract/people/time-card.ts'
import type { Writing } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { punchesAround, type PunchRow } from '#server/features/people/time-clock/person-punches.ts'
import type { UserRow } from '#server/domain/people/find-person.ts'

/** A punch that reached the server, after the check of its password. */
export type ArrivedPunch = {
  id: string
  /** The person with the punch's username. Null when there is none. */
  person: UserRow | null
  /** The password was right. */
  proven: boolean
  username: string
  /** `auto`: the open session decides. Only for live punches. */
  direction: 'in' | 'out' | 'auto'
  /** ISO, server time. */
  at: string
  deviceWall: string
  receivedAt: string
  skewMs: number | null
  /** The person waits for the answer. */
  live: boolean
  deviceId: string | null
  delivererId: number | null
  storeId: number | null
}

export type RecordedPunch =
  | { kind: 'recorded'; direction: 'in' | 'out'; at: string; workedMinutes: number | null; reasons: ReviewReason[] }
  /** Nothing was written, because the person is in, or out, already. `since` is the start of the open session. */
  | { kind: 'already'; direction: 'in' | 'out'; since: string | null }

/** Punches with these reasons count only after a manager has accepted them. Other reasons are only shown. */
const heldFor: ReadonlySet<ReviewReason> = new Set<ReviewReason>(['wrong-password', 'unknown-person', 'double'])

/**
 * Writes one punch, or finds that it changes nothing. It runs in a writing transaction of the person's scope, so that
 * two devices of one person take turns.
 */
export async function applyPunch(writing: Writing, punch: ArrivedPunch): Promise<RecordedPunch> {
  const { trx } = writing
  const around = punch.person ? await punchesAround(trx, punch.person.id_user, punch.at) : []
  const now = Date.parse(punch.receivedAt)

  if (punch.live) {
    const open = openSession(around, now)
    const direction = punch.direction === 'auto' ? (open ? 'out' : 'in') : punch.direction
    const timeline = clockTimeline([...around, asCandidate(punch, direction)], now)
    // Compares the number of doubles, because the order of two punches in the same millisecond is random.
    const isDouble = timeline.doubles.length > clockTimeline(around, now).doubles.length
    if (isDouble) return { kind: 'already', direction, since: open?.in.at ?? null }
    await insertPunch(writing, punch, direction, [], false)
    const ended = timeline.sessions.find((session) => session.out?.id === punch.id)
    const workedMinutes = ended ? Math.floor(sessionMs(ended, now) / 60_000) : null
    return { kind: 'recorded', direction, at: punch.at, workedMinutes, reasons: [] }
  }

  if (punch.direction === 'auto') throw new Error('A punch out of a queue says its direction itself')
  const reasons = await reasonsOf(trx, punch, punch.direction, around)
  const isHeld = reasons.some((reason) => heldFor.has(reason)) || !isTimeKnown(punch)
  await insertPunch(writing, punch, punch.direction, reasons, isHeld)
  return { kind: 'recorded', direction: punch.direction, at: punch.at, workedMinutes: null, reasons }
}

/** Returns why a manager should look at a queued punch. Empty for an ordinary one. */
async function reasonsOf(
  trx: Kysely<Schema>,
  punch: ArrivedPunch,
  direction: 'in' | 'out',
  around: readonly PunchRow[],
): Promise<ReviewReason[]> {
  const reasons: ReviewReason[] = []
  if (!punch.person) reasons.push('unknown-person')
  else if (!punch.proven) reasons.push('wrong-password')
  if (isSkewed(punch.skewMs) || !isTimeKnown(punch)) reasons.push('skewed')

  const delayMs = Date.parse(punch.receivedAt) - Date.parse(punch.at)
  const cameAfterLaterOne = around.some((other) => !other.in_review && Date.parse(other.at) > Date.parse(punch.at))
  if (delayMs > veryLateAfterMs || (delayMs > lateAfterMs && cameAfterLaterOne)) reasons.push('late')

  if (punch.person && punch.proven) {
    // A punch that is held only for its clock still counts in the day, so the clock-out after it is no double.
    const clockHeld = await heldOnlyForClock(trx, around)
    const believed = around.map((row) => (clockHeld.has(row.id) ? { ...row, in_review: false } : row))
    const { doubles } = clockTimeline([...believed, asCandidate(punch, direction)], Date.parse(punch.receivedAt))
    if (doubles.some((double) => double.id === punch.id)) reasons.push('double')
  }
  return reasons
}

/** True when the device compared its clock with the server's and does not run ahead. */
function isTimeKnown(punch: ArrivedPunch): boolean {
  return punch.skewMs !== null && Date.parse(punch.at) - Date.parse(punch.receivedAt) <= skewLimitMs
}

async function heldOnlyForClock(trx: Kysely<Schema>, around: readonly PunchRow[]): Promise<Set<string>> {
  const held = around.filter((row) => row.in_review).map((row) => row.id)
  if (held.length === 0) return new Set()
  const reviews = await trx.selectFrom('punch_reviews').select(['punch_id', 'reasons']).where('punch_id', 'in', held).execute()
  return new Set(reviews.filter((review) => !review.reasons.some((reason) => heldFor.has(reason))).map((review) => review.punch_id))
}

function asCandidate(punch: ArrivedPunch, direction: 'in' | 'out'): ClockPunch {
  return { id: punch.id, direction, at: punch.at, received_at: punch.receivedAt, supersedes: null, in_review: false }
}

async function insertPunch(
  writing: Writing,
  punch: ArrivedPunch,
  direction: 'in' | 'out',
  reasons: ReviewReason[],
  isHeld: boolean,
): Promise<void> {
  const idUser = punch.person?.id_user ?? null
  await writing.trx
    .insertInto('punches')
    .values({
      id: punch.id,
      id_user: idUser,
      username: punch.username,
      store_id: await existingStore(writing.trx, punch),
      direction,
      at: punch.at,
      device_wall: punch.deviceWall,
      received_at: punch.receivedAt,
      offline_captured: !punch.live,
      skew_ms: punch.skewMs,
      device_id: punch.deviceId,
      deliverer_id: punch.delivererId,
      supersedes: null,
      edited_by: null,
      edit_reason: null,
      in_review: isHeld,
      // No device mirrors a punch without a person.
      revision: idUser === null ? 0 : writing.revision(`user:${idUser}`),
    })
    .execute()
  if (reasons.length === 0) return
  await writing.trx
    .insertInto('punch_reviews')
    .values({
      punch_id: punch.id,
      reasons: JSON.stringify(reasons),
      resolved_at: null,
      resolution: null,
      resolved_by: null,
      resolution_reason: null,
    })
    .execute()
}

/** The store of the device, when it exists. Otherwise the person's own store. */
async function existingStore(trx: Kysely<Schema>, punch: ArrivedPunch): Promise<number | null> {
  if (punch.storeId !== null) {
    const store = await trx.selectFrom('stores').select('store_id').where('store_id', '=', punch.storeId).executeTakeFirst()
    if (store) return store.store_id
  }
  return punch.person?.store_id ?? null
}
