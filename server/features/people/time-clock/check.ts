import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { hashedText } from '#contract/sync/command-hash.ts'
import { commandVersions } from '#contract/sync/commands.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import type { Endpoints } from '#contract/core/endpoints.ts'
import { Refusal } from '#contract/core/errors.ts'
import { receipt as receiptSchema, type Receipt } from '#contract/sync/sync.ts'
import { clockTime, clockTimeline, punchTime, sessionMs, storableInstant } from '#contract/people/time-clock.ts'
import type { SealedPunch } from '#contract/people/time-card.ts'
import { brokenUniqueness } from '#server/platform/db/database-faults.ts'
import {
  appliedReceipt,
  bodyHash,
  findReceipts,
  insertReceipts,
  takeReceiptNumbers,
  type StoredReceipt,
} from '#server/platform/db/receipts.ts'
import { applyPunch, type ArrivedPunch, type RecordedPunch } from '#server/features/people/time-clock/apply-punch.ts'
import { openSealedPassword } from '#server/features/people/time-clock/open-sealed-password.ts'
import { punchesAround } from '#server/features/people/time-clock/person-punches.ts'
import { timeZoneOf } from '#server/domain/people/time-zone-of.ts'
import { proveQueuedPunch, type PunchProof } from '#server/features/people/time-clock/punch-proof.ts'
import type { Call } from '#server/platform/http/handler.ts'
import { findPerson, signInName, type UserRow } from '#server/domain/people/find-person.ts'
import { type Place, placeOf } from '#server/domain/people/known-tablets.ts'
import { verifyPassword } from '#server/domain/people/passwords.ts'
import { guardedAttempt } from '#server/domain/people/sign-in-failures.ts'
import { passwordAttempt } from '#server/domain/people/sign-in-limits.ts'
import { keepUnheardPunch } from '#server/features/people/time-clock/unheard-punch.ts'
import type { Services } from '#server/platform/services.ts'

type CheckCall = Call<Endpoints['checkTimeCard']>
type CheckAnswer = AnswerOf<Endpoints['checkTimeCard']>

/** The largest valid punch has half of this. */
const longestPunchBytes = 8 * 1024
/** A punch in the plain form names no device. */
const noDevice = '00000000-0000-0000-0000-000000000000'

/** Clocks in or out: a sealed punch, live or queued, or the plain form with username and password. */
export async function checkTimeCard(call: CheckCall): Promise<CheckAnswer> {
  const key = call.headers.get('idempotency-key')
  if (call.bodyBytes > longestPunchBytes) throw new Refusal('request-too-large')
  if ('sealed_password' in call.body) {
    if (key !== null && key.toLowerCase() !== call.body.id.toLowerCase()) {
      throw new Refusal('request-invalid', { fields: [{ path: 'headers.idempotency-key', message: 'must be the id of the punch' }] })
    }
    return await checkSealed(call, { ...call.body, id: call.body.id.toLowerCase() })
  }
  return await checkPlain(call, call.body, key)
}

async function checkSealed({ services, headers, address }: CheckCall, punch: SealedPunch): Promise<CheckAnswer> {
  if (punch.version > commandVersions['punch.record']) throw new Refusal('command-unknown')
  const { username, direction, sealed_password, key_id, store_id } = punch
  const hash = bodyHash(
    hashedText({ ...punch, kind: 'punch.record', body: { username, direction, sealed_password, key_id, store_id }, store_id }),
  )
  const known = (await findReceipts(services.db.pool, [punch.id])).get(punch.id)
  if (known) return await repeatedAnswer(services, receiptOf(known, hash), punch)

  // The delivering tablet counts, not the one that made the punch: unsent work may move to another tablet.
  const place = await placeOf(services, { headers, address }, null)
  const proof = punch.live ? await proveLive(services, punch, place) : await proveQueuedPunch(services, punch, place)
  const receivedAt = new Date(services.clock.now()).toISOString()
  const { at, skewMs } = punchTime(punch.captured)
  const arrived: ArrivedPunch = {
    id: punch.id,
    ...proof,
    username,
    direction,
    // A live punch counts when it arrives. The tablet's clock does not matter.
    at: punch.live ? receivedAt : at,
    deviceWall: storableInstant(Date.parse(punch.captured.wall)),
    receivedAt,
    skewMs,
    live: punch.live,
    deviceId: punch.device_id,
    delivererId: null,
    storeId: store_id,
  }
  const { recorded, receipt } = await record(services, arrived, hash)
  if (recorded === 'repeated') return await repeatedAnswer(services, receipt, punch)
  return punch.live && proof.person ? await liveAnswer(services, proof.person, recorded, receipt) : queuedAnswer(punch, receipt)
}

async function checkPlain(
  { services, headers, address }: CheckCall,
  { username, password }: { username: string; password: string },
  key: string | null,
): Promise<CheckAnswer> {
  const place = await placeOf(services, { headers, address }, null)
  const person = await provePassword(services, username, password, place)
  if (!person) throw new Refusal('punch-wrong')
  const id = key === null ? uuidv7() : idOfKey(key, person)
  // The hash leaves the password out, because a stored hash of it could be guessed.
  const hash = bodyHash(`plain punch ${id} ${person.id_user}`)
  const known = (await findReceipts(services.db.pool, [id])).get(id)
  if (known) return await answerOfRecorded(services, person, receiptOf(known, hash), id)

  const receivedAt = new Date(services.clock.now()).toISOString()
  const arrived: ArrivedPunch = {
    id,
    person,
    proven: true,
    username,
    direction: 'auto',
    at: receivedAt,
    deviceWall: receivedAt,
    receivedAt,
    skewMs: 0,
    live: true,
    deviceId: null,
    delivererId: null,
    storeId: null,
  }
  const { recorded, receipt } = await record(services, arrived, hash)
  if (recorded === 'repeated') return await answerOfRecorded(services, person, receipt, id)
  return await liveAnswer(services, person, recorded, receipt)
}

/** Refuses a live punch that cannot be proven, and keeps nothing of it. */
async function proveLive(services: Services, punch: SealedPunch, place: Place): Promise<PunchProof> {
  const password = await openSealedPassword(services.secrets, punch)
  if (password === null) throw new Refusal('punch-sealed-unreadable')
  const person = await provePassword(services, punch.username, password, place)
  if (!person) throw new Refusal('punch-wrong')
  return { person, proven: true }
}

async function provePassword(services: Services, username: string, password: string, place: Place): Promise<UserRow | null> {
  const attempt = passwordAttempt('clock', username, await findPerson(services.db.pool, username), place)
  return await guardedAttempt(services, attempt, () => verifyPassword(services, username, password))
}

type Recorded = { recorded: RecordedPunch | 'repeated'; receipt: Receipt }

/** Returns `repeated` when the same punch came twice at the same moment. */
async function record(services: Services, punch: ArrivedPunch, hash: string): Promise<Recorded> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await recordOnce(services, punch, hash)
    } catch (error) {
      // A punch without a person has no scope for taking turns. The other call's receipt exists now.
      if (attempt >= 3 || brokenUniqueness(error) === null) throw error
    }
  }
}

/** Writes the punch and its receipt in one transaction, so that it counts once however often it comes. */
async function recordOnce(services: Services, punch: ArrivedPunch, hash: string): Promise<Recorded> {
  return await services.db.write(punch.person ? [`user:${punch.person.id_user}`] : [], async (writing) => {
    const { trx } = writing
    const stored = (await findReceipts(trx, [punch.id])).get(punch.id)
    if (stored) return { recorded: 'repeated', receipt: receiptOf(stored, hash) }
    const recorded = await applyPunch(writing, punch)
    const nextNumber = await takeReceiptNumbers(trx, 1)
    const number = nextNumber()
    // The owner's devices get the punch by a pull, because the sender may be someone else.
    const receipt = appliedReceipt({ id: punch.id, body_hash: hash, number, at: punch.receivedAt, rows: [] })
    const written = {
      command_id: punch.id,
      number,
      body_hash: hash,
      kind: 'punch.record',
      // A punch without the right password has no author.
      author_id: punch.proven && punch.person ? punch.person.id_user : null,
      deliverer_id: null,
      device_id: punch.deviceId ?? noDevice,
      answer: JSON.stringify(receipt),
      received_at: punch.receivedAt,
    }
    await insertReceipts(trx, [written])
    return { recorded, receipt }
  })
}

function receiptOf(stored: StoredReceipt, hash: string): Receipt {
  if (stored.body_hash !== hash) throw new Refusal('key-reused')
  return v.parse(receiptSchema, JSON.parse(stored.answer))
}

async function liveAnswer(services: Services, person: UserRow, recorded: RecordedPunch, receipt: Receipt): Promise<CheckAnswer> {
  const zone = await timeZoneOf(services.db.pool, person.store_id)
  const already = recorded.kind === 'already'
  const moment = already ? (recorded.since ?? receipt.at) : recorded.at
  return {
    time: clockTime(moment, zone),
    session: recorded.direction === 'in',
    first_name: person.first_name,
    direction: recorded.direction,
    worked_minutes: already ? null : recorded.workedMinutes,
    already,
    receipt,
  }
}

/**
 * Answers every queued punch alike, so that the answer reveals neither who works here nor whether the password was
 * right.
 */
function queuedAnswer(punch: SealedPunch, receipt: Receipt): CheckAnswer {
  return {
    time: clockTime(punchTime(punch.captured).at, knownZone(punch.captured.time_zone)),
    session: punch.direction === 'in',
    first_name: '',
    direction: punch.direction,
    worked_minutes: null,
    already: false,
    receipt,
  }
}

async function repeatedAnswer(services: Services, receipt: Receipt, punch: SealedPunch): Promise<CheckAnswer> {
  // The hash covers the sealed password, so only the author can repeat a proven punch.
  const proven = await services.db.pool.selectFrom('receipts').select('author_id').where('command_id', '=', punch.id).executeTakeFirst()
  const person = proven && proven.author_id !== null ? await findPerson(services.db.pool, punch.username) : null
  if (!punch.live) await keepUnheardPunch(services, punch, null)
  if (!punch.live || !person) return queuedAnswer(punch, receipt)
  return await answerOfRecorded(services, person, receipt, punch.id)
}

/** Rebuilds the answer to a live punch from its row and receipt. */
async function answerOfRecorded(services: Services, person: UserRow, receipt: Receipt, id: string): Promise<CheckAnswer> {
  const { pool } = services.db
  const row = await pool.selectFrom('punches').select(['direction', 'at']).where('id', '=', id).executeTakeFirst()
  const at = row?.at ?? receipt.at
  const { sessions } = clockTimeline(await punchesAround(pool, person.id_user, at), Date.parse(at))
  if (!row || row.direction === 'void') {
    const open = sessions.find((session) => session.open)
    const direction = open ? 'in' : 'out'
    return await liveAnswer(services, person, { kind: 'already', direction, since: open?.in.at ?? null }, receipt)
  }
  const ended = sessions.find((session) => session.out?.id === id)
  const workedMinutes = ended ? Math.floor(sessionMs(ended, Date.parse(at)) / 60_000) : null
  return await liveAnswer(services, person, { kind: 'recorded', direction: row.direction, at, workedMinutes, reasons: [] }, receipt)
}

/** The punch's id for a key. A key that is no UUID becomes one, and differs from person to person. */
function idOfKey(key: string, person: UserRow): string {
  const typed = key.trim().toLowerCase()
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(typed)) return typed
  const digest = bodyHash(`idempotency key ${signInName(person.username)} ${key}`)
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}

function knownZone(name: string): string {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}
