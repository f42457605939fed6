import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { pageOfSize, pageQuery } from '#contract/core/page.ts'
import { templateKeys } from '#contract/patients/message-text.ts'
import { contactWays } from '#contract/patients/patient.ts'
import { givenInstant, instant, requiredText, rowId, text, uuid } from '#contract/core/primitives.ts'

export * from '#contract/patients/message-text.ts'

/** Messages with a patient: the list of them, writing one, and the patient's consent. */

/** The channels on which the server sends. Calls are only written down. */
export const sentChannels = ['sms', 'email'] as const
export type SentChannel = (typeof sentChannels)[number]
export const channels = [...sentChannels, 'call'] as const
export type Channel = (typeof channels)[number]

/**
 * `queued` until a service accepts it, also between attempts. `sent` when a service has accepted it. `delivered` when
 * the service reports the arrival. `unknown` when nobody can tell whether a service accepted it; it is not sent again.
 */
export const messageStatuses = ['queued', 'sent', 'delivered', 'failed', 'unknown'] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** Why a message failed, or why its sending is unknown. */
export const messageProblems = [
  'refused',
  'undeliverable',
  'unreachable',
  'too-late',
  'consent-withdrawn',
  'no-answer',
  'interrupted',
] as const
export type MessageProblem = (typeof messageProblems)[number]

export const callOutcomes = ['reached', 'voicemail', 'no answer', 'wrong number'] as const
export type CallOutcome = (typeof callOutcomes)[number]

export const directions = ['out', 'in'] as const

export const message = v.object({
  id: uuid,
  id_patient: uuid,
  channel: v.picklist(channels),
  direction: v.picklist(directions),
  at: instant,
  by: v.string(),
  /** The number or the address; empty for a call when nobody wrote the number down. */
  to: v.string(),
  /** The subject of an email. */
  subject: v.nullable(v.string()),
  /** The text, or the note on a call. */
  body: v.string(),
  template: v.nullable(v.string()),
  /** Null for a call. */
  status: v.nullable(v.picklist(messageStatuses)),
  status_at: v.nullable(instant),
  problem: v.nullable(v.picklist(messageProblems)),
  /** How many times the server asked a service to send it, and got an answer or gave up. */
  attempts: v.number(),
  outcome: v.nullable(v.picklist(callOutcomes)),
  duration_s: v.nullable(v.number()),
})
export type Message = v.InferOutput<typeof message>

export const messagesPageSize = 50

const history = pageOfSize(messagesPageSize, { messages: v.array(message) }, { page: v.number() })
export type MessageHistory = v.InferOutput<typeof history>

const ofPatient = v.object({ id: uuid })
const toPatient = v.object({ id_patient: uuid })
const patientRefusals = ['patient-unknown', 'patient-of-other-store'] as const

function historyOf<const P extends `/api/${string}`>(path: P, what: string) {
  return endpoint({
    method: 'GET',
    path,
    summary: `${what} with a patient, newest first, ${messagesPageSize} to a page`,
    access: 'message.read',
    params: ofPatient,
    query: v.object({ page: pageQuery(5) }),
    response: history,
    refuses: patientRefusals,
  })
}

/**
 * The author's device makes the id, so a message that arrives twice is sent once. The Idempotency-Key does the same.
 */
const ownId = v.optional(uuid)
const template = v.optional(v.nullable(v.picklist(templateKeys)), null)
const oneLine = v.check<string, string>((given) => !/[\r\n]/.test(given), 'must be one line')
const sendRefusals = [
  ...patientRefusals,
  'messages-not-configured',
  'consent-missing',
  'contact-unwanted',
  'address-missing',
  'message-too-frequent',
  'key-reused',
] as const

export const longestCallMinutes = 600

export const call = v.object({
  id: ownId,
  direction: v.picklist(directions),
  outcome: v.picklist(callOutcomes),
  duration_s: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(longestCallMinutes * 60))), null),
  note: v.optional(text(2000), ''),
  to: v.optional(text(40), ''),
  /** The time of the call; now when missing. */
  at: v.optional(givenInstant),
})

const contactOfChannel = v.object({
  /** True when this server can send on this channel at all. */
  configured: v.boolean(),
  consent_at: v.nullable(instant),
  address: v.nullable(v.string()),
})

/** How to reach a patient, and the facts for a text to them. */
const contact = v.object({
  sms: contactOfChannel,
  email: contactOfChannel,
  preferred_contact: v.nullable(v.picklist(contactWays)),
  phones: v.array(v.object({ kind: v.picklist(['cell', 'home', 'work']), number: v.string() })),
  first_name: v.string(),
  clinic_name: v.string(),
  staff_name: v.string(),
  recall_date: v.nullable(v.string()),
  version: rowId,
})

export type Contact = v.InferOutput<typeof contact>

export const smsHistory = historyOf('/api/patient/{id}/sms-history', 'Text messages')
export const emailHistory = historyOf('/api/patient/{id}/email-history', 'Emails')
export const callHistory = historyOf('/api/patient/{id}/call-history', 'Calls')

export const sendSms = endpoint({
  method: 'POST',
  path: '/api/patient/{id_patient}/send-sms',
  summary: 'Send a text message to a patient who agreed to it; placeholders are filled in by the server',
  access: 'message.write',
  params: toPatient,
  body: v.object({ id: ownId, message: requiredText(1000), template }),
  response: message,
  refuses: sendRefusals,
})

export const sendEmail = endpoint({
  method: 'POST',
  path: '/api/patient/{id_patient}/send-email',
  summary: 'Send an email to a patient who agreed to it; placeholders are filled in by the server',
  access: 'message.write',
  params: toPatient,
  body: v.object({ id: ownId, subject: v.pipe(requiredText(150), oneLine), message: requiredText(10_000), template }),
  response: message,
  refuses: sendRefusals,
})

export const logCall = endpoint({
  method: 'POST',
  path: '/api/patient/{id_patient}/log-call',
  summary: 'Write down a call with a patient',
  access: 'message.write',
  params: toPatient,
  body: call,
  response: message,
  refuses: [...patientRefusals, 'key-reused'],
})

export const readContact = endpoint({
  method: 'GET',
  path: '/api/patient/{id}/contact',
  summary: 'How a patient may be reached, and whether they agreed to it',
  access: 'message.read',
  params: ofPatient,
  response: contact,
  refuses: patientRefusals,
})

export const changeConsent = endpoint({
  method: 'PUT',
  path: '/api/patient/{id}/contact',
  summary: 'Write down that a patient agreed to be written to, took that back, or prefers another way',
  access: 'message.write',
  params: ofPatient,
  body: v.object({
    sms_consent: v.optional(v.boolean()),
    email_consent: v.optional(v.boolean()),
    preferred_contact: v.optional(v.nullable(v.picklist(contactWays))),
    /** How the patient said so: in person, by phone, on paper. Kept with it. */
    how: requiredText(200),
  }),
  response: contact,
  refuses: patientRefusals,
})

/** A report of the text message service on a message that it accepted. */
export const smsReport = endpoint({
  method: 'POST',
  path: '/api/messaging/sms-report',
  summary: 'The service for text messages tells what became of one; signed with the secret that it shares with this server',
  access: 'public',
  body: v.object({
    id: uuid,
    status: v.picklist(['delivered', 'failed']),
    at: givenInstant,
    signature: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be a signature')),
  }),
  response: v.object({ ok: v.literal(true) }),
  refuses: ['report-unproven'],
})

export const messageEndpoints = {
  smsHistory,
  emailHistory,
  callHistory,
  sendSms,
  sendEmail,
  logCall,
  readContact,
  changeConsent,
  smsReport,
}
