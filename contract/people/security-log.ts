import * as v from 'valibot'

import { endpoint } from '#contract/core/endpoint.ts'
import { pageOfSize, pageQuery } from '#contract/core/page.ts'
import { day } from '#contract/core/day.ts'
import { done, instant, rowId } from '#contract/core/primitives.ts'

/** What the security log records. A new kind goes at the end of its part and gets words on the screen. */
export const securityKinds = [
  'signed-in',
  'signed-out',
  'sign-in-failed',
  'locked-out',
  'pins-blocked-tablet',
  'pins-blocked',
  'pin-changed',
  'token-reused',
  'tablet-revoked',
  'refused',
  'refusals-repeated',
  'ssn-revealed',
  'exported',
  'printed',
  'patients-searched',
  'patients-mirrored',
] as const
export type SecurityKind = (typeof securityKinds)[number]

/** Kinds that alert managers. */
export const alertKinds = [
  'locked-out',
  'pins-blocked-tablet',
  'pins-blocked',
  'pin-changed',
  'token-reused',
  'refusals-repeated',
] as const satisfies readonly SecurityKind[]

/** Reads of many patients. They are many, so the page shows them only when asked. */
export const bulkReadKinds = ['patients-searched', 'patients-mirrored'] as const satisfies readonly SecurityKind[]

/** This many refusals of one session within the window alert the managers. */
export const refusalAlert = { refusals: 10, windowMs: 10 * 60_000 }

export const securityLogPageSize = 50
/** `events` leaves out the reads of many patients. */
export const securityViews = ['events', 'alerts', 'reads', 'everything', ...securityKinds] as const
export type SecurityView = (typeof securityViews)[number]

const person = v.object({ id_user: rowId, name: v.string() })
const entryId = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const securityEntry = v.object({
  id: v.number(),
  at: instant,
  kind: v.picklist(securityKinds),
  /** Who did it. Null when nobody was signed in. */
  by: v.nullable(person),
  /** Whose account it was about, where that is someone else or nobody was signed in. */
  about: v.nullable(person),
  store_name: v.nullable(v.string()),
  device_id: v.nullable(v.string()),
  device_name: v.nullable(v.string()),
  id_patient: v.nullable(v.string()),
  request_id: v.nullable(v.string()),
  /** Of events from outside a session only. An IPv6 address is cut to its network. */
  address: v.nullable(v.string()),
  /** A code, a call or an id. Never personal data. */
  detail: v.string(),
  /** How many refusals or patients it stands for. */
  times: v.number(),
  /** An alert that this manager has not marked as seen. */
  is_new: v.boolean(),
})
export type SecurityEntry = v.InferOutput<typeof securityEntry>

const listSecurityLog = endpoint({
  method: 'GET',
  path: '/api/settings/security-log',
  summary: 'What happened around sign-in, rights and reads of patients in one’s stores, newest first',
  access: 'audit.read',
  query: v.object({
    view: v.optional(v.picklist(securityViews, 'must be one of the choices'), 'events'),
    person: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/, 'must be a number'), v.transform(Number))),
    /** Days of the store one works in, both included. */
    from: v.optional(day),
    to: v.optional(day),
    page: pageQuery(),
  }),
  response: pageOfSize(
    securityLogPageSize,
    { entries: v.array(securityEntry) },
    {
      /** Who can be chosen as a filter. */
      people: v.array(person),
      server_time: instant,
    },
  ),
})

const securityAlerts = endpoint({
  method: 'GET',
  path: '/api/settings/security-log/alerts',
  summary: 'How many alerts of one’s stores this manager has not seen, and the newest of them',
  access: 'audit.read',
  response: v.object({ unseen: v.number(), newest_id: entryId }),
})

const markAlertsSeen = endpoint({
  method: 'POST',
  path: '/api/settings/security-log/alerts/seen',
  summary: 'This manager has seen the alerts up to this one',
  access: 'audit.read',
  body: v.object({ up_to: entryId }),
  response: done,
})

export const securityLogEndpoints = { listSecurityLog, securityAlerts, markAlertsSeen } as const
