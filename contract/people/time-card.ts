import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { captured } from '#contract/sync/command.ts'
import { receipt } from '#contract/sync/sync.ts'
import { givenInstant, instant, requiredText, revision, rowId, text, uuid } from '#contract/core/primitives.ts'
import { password, username } from '#contract/people/session.ts'

export const reviewReasons = ['late', 'skewed', 'double', 'wrong-password', 'unknown-person', 'open-16-hours'] as const
export const reviewReason = v.picklist(reviewReasons)
export type ReviewReason = (typeof reviewReasons)[number]

/** One punch as its owner's device mirrors it. Raw punches never change; a correction is a new row that supersedes. */
export const punch = v.object({
  id: uuid,
  id_user: rowId,
  store_id: v.nullable(rowId),
  direction: v.picklist(['in', 'out', 'void']),
  /** When it happened, in server time: the device's clock corrected by its measured offset. */
  at: instant,
  received_at: instant,
  offline_captured: v.boolean(),
  supersedes: v.nullable(uuid),
  /** Set on corrections. */
  edited_by_name: v.nullable(v.string()),
  edit_reason: v.nullable(v.string()),
  /** Waits for a manager: not part of any session until accepted. */
  in_review: v.boolean(),
  revision,
})
export type Punch = v.InferOutput<typeof punch>

/** The most other entries that one entry of the review list stands for. */
export const repeatsLimit = 200

/** One line of the manager's review list. */
export const reviewEntry = v.object({
  id: uuid,
  id_user: v.nullable(rowId),
  username: v.string(),
  person_name: v.nullable(v.string()),
  store_name: v.nullable(v.string()),
  direction: v.picklist(['in', 'out']),
  at: instant,
  device_wall: instant,
  received_at: instant,
  skew_ms: v.nullable(v.number()),
  reasons: v.array(reviewReason),
  resolved_at: v.nullable(instant),
  resolution: v.nullable(v.picklist(['accepted', 'corrected', 'rejected'])),
  resolved_by_name: v.nullable(v.string()),
  resolution_reason: v.nullable(v.string()),
  /**
   * Set when the entry stands for many unproven punches under one name: the others, and when the last of them was made.
   */
  repeats: v.optional(v.object({ ids: v.array(uuid), last_at: instant })),
})
export type ReviewEntry = v.InferOutput<typeof reviewEntry>

/** The content of a punch that is sent alone: the fields of a `punch.record` command (see commands.ts). */
export const sealedPunch = v.object({
  id: uuid,
  version: v.number(),
  username,
  direction: v.picklist(['in', 'out']),
  sealed_password: v.pipe(v.string(), v.maxLength(2048)),
  key_id: v.pipe(v.string(), v.maxLength(64)),
  store_id: v.nullable(rowId),
  lane_seq: v.number(),
  device_id: uuid,
  author: v.object({ id_user: v.nullable(rowId), name: v.pipe(v.string(), v.maxLength(200)) }),
  captured,
  /**
   * True while the person stands there and waits: a wrong password is refused at once and nothing is kept. False for a
   * punch from the queue: its content is never refused, it goes to the review list.
   */
  live: v.boolean(),
})

export type SealedPunch = v.InferOutput<typeof sealedPunch>

/** The plain form of the specification: the open session decides the direction. */
const plainPunch = v.object({ username, password })

export const timeCardEndpoints = {
  checkTimeCard: endpoint({
    method: 'POST',
    path: '/api/timecard/check',
    summary: 'Clock in or out. The Idempotency-Key of a sealed punch is its id',
    access: 'public',
    tablet: true,
    body: v.union([sealedPunch, plainPunch]),
    response: v.object({
      ...v.object({ time: v.string(), session: v.boolean(), first_name: v.string() }).entries,
      direction: v.picklist(['in', 'out']),
      /** Hours and minutes of the session that a clock-out ended, else null. */
      worked_minutes: v.nullable(v.number()),
      /** True when nothing changed: in while clocked in (`time` says since when), out while clocked out. */
      already: v.optional(v.boolean()),
      receipt: v.nullable(receipt),
    }),
    refuses: ['punch-wrong', 'login-blocked', 'punch-sealed-unreadable', 'key-reused', 'request-too-large'],
  }),
  sessionStatus: endpoint({
    method: 'GET',
    path: '/api/timecard/session_status',
    summary: 'Whether this person is clocked in, and since when (`HH:MM DD-MM-YYYY` in their store’s time)',
    access: 'public',
    tablet: true,
    query: v.object({ username }),
    // An unknown name gets the same answer: the call must not tell who works here.
    response: v.object({ time: v.nullable(v.string()), session: v.boolean(), since: v.nullable(instant) }),
  }),
  sealingKey: endpoint({
    method: 'GET',
    path: '/api/timecard/sealing-key',
    summary: 'The public key to which an offline punch’s password is sealed (HPKE: DHKEM P-256, HKDF-SHA256, AES-256-GCM)',
    access: 'public',
    response: v.object({ key_id: v.string(), public_key: v.string() }),
  }),
  punchReview: endpoint({
    method: 'GET',
    path: '/api/timecard/review',
    summary: 'Punches that wait for a manager, and sessions open for more than 16 hours',
    access: 'time.review',
    query: v.object({ resolved: v.optional(v.picklist(['no', 'recent'])) }),
    response: v.object({ entries: v.array(reviewEntry) }),
  }),
  resolvePunch: endpoint({
    method: 'POST',
    path: '/api/timecard/review/{id}',
    summary: 'Accepts, corrects (as a new row) or rejects a punch that waits for review',
    access: 'time.review',
    params: v.object({ id: uuid }),
    body: v.object({
      resolution: v.picklist(['accepted', 'corrected', 'rejected']),
      /** For a punch of an unknown person: their account. */
      id_user: v.optional(v.nullable(rowId)),
      direction: v.optional(v.picklist(['in', 'out'])),
      at: v.optional(givenInstant),
      reason: requiredText(500, 'Enter a reason'),
      /** Other entries to reject with it. Only a rejection reads them. */
      repeats: v.optional(v.pipe(v.array(uuid), v.maxLength(repeatsLimit)), []),
    }),
    response: reviewEntry,
    refuses: ['punch-unknown', 'punch-reason-missing', 'punch-overlap'],
  }),
  correctPunch: endpoint({
    method: 'POST',
    path: '/api/timecard/corrections',
    summary: 'A correction of someone’s time as a new row that supersedes, with a reason',
    access: 'time.review',
    body: v.object({
      id: uuid,
      supersedes: v.nullable(uuid),
      id_user: rowId,
      direction: v.picklist(['in', 'out', 'void']),
      at: givenInstant,
      reason: requiredText(500, 'Enter a reason'),
    }),
    response: punch,
    refuses: ['punch-unknown', 'punch-overlap', 'key-reused'],
  }),
  timeEntries: endpoint({
    method: 'GET',
    path: '/api/timecard/entries',
    summary: 'The punches of one person between two instants, for a manager',
    access: 'time.review',
    query: v.object({ id_user: v.pipe(v.string(), v.transform(Number), rowId), from: givenInstant, to: givenInstant }),
    response: v.object({ punches: v.array(punch) }),
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/timecard/people',
    summary: 'The people whose time a manager may see',
    access: 'time.review',
    response: v.object({ people: v.array(v.object({ id_user: rowId, username: text(120), name: v.string(), store_name: v.string() })) }),
  }),
} as const
