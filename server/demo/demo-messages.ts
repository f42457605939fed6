import type { Insertable } from 'kysely'
import { callOutcomes, filledText, messageTemplates, openPlaceholders } from '#contract/patients/messages.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { demoPeople, demoStores, fullName } from '#server/demo/demo-clinic.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

type Patient = Insertable<Schema['patients']>
type Message = Insertable<Schema['messages']>

export const messageColumns = {
  id: 'uuid',
  id_patient: 'uuid',
  store_id: 'integer',
  channel: 'text',
  direction: 'text',
  at: 'timestamptz',
  id_user: 'integer',
  rep: 'text',
  address: 'text',
  subject: 'text',
  body: 'text',
  template: 'text',
  request_hash: 'text',
  status: 'text',
  status_at: 'timestamptz',
  problem: 'text',
  attempts: 'integer',
  outcome: 'text',
  duration_s: 'integer',
} as const

const notes = {
  reached: [
    'Asked about opening hours',
    'Moved the visit to next week',
    'Glasses sit well',
    'Wants the bill by email',
    'Will bring the old glasses',
  ],
  voicemail: ['Left word to call back', 'Left word that the glasses are ready'],
  'no answer': ['', 'Will try again tomorrow'],
  'wrong number': ['Number belongs to somebody else now'],
} as const
const share = 0.3
const desk = demoPeople.filter(({ username }) => ['ana', 'leo', 'maya'].includes(username))
const sendable = messageTemplates.filter(({ sms, email }) => !`${sms}${email.text}`.includes('{date}'))

/** Messages and calls with some of these patients. Texts and emails go only to patients who agreed. */
export function* messageRows(patients: readonly Patient[], calendar: DemoCalendar, random: SeededRandom): Iterable<Message> {
  for (const patient of patients) {
    if (!random.chance(share)) continue
    for (let left = random.int(1, 5); left > 0; left--) {
      const channel = random.weighted({ sms: 0.45, email: 0.25, call: 0.3 })
      const row = channel === 'call' ? callWith(patient, calendar, random) : messageTo(patient, channel, calendar, random)
      if (row) yield row
    }
  }
}

function common(patient: Patient, calendar: DemoCalendar, random: SeededRandom) {
  const person = random.pick(desk)
  return {
    id: random.uuid(),
    id_patient: patient.id,
    store_id: patient.store_id,
    direction: 'out' as const,
    at: calendar.daysAgo(random.int(1, 300), random.int(14 * 60, 21 * 60) / 60),
    id_user: person.id_user,
    rep: fullName(person),
    request_hash: '',
  }
}

function messageTo(patient: Patient, channel: 'sms' | 'email', calendar: DemoCalendar, random: SeededRandom): Message | null {
  const address = channel === 'sms' ? patient.phone : patient.email
  const agreedAt = channel === 'sms' ? patient.sms_consent_at : patient.email_consent_at
  const template = random.pick(sendable)
  const base = common(patient, calendar, random)
  const became = random.weighted({ delivered: 0.6, sent: 0.34, failed: 0.04, unknown: 0.02 })
  if (!address || !agreedAt || agreedAt > base.at) return null
  const facts = {
    first_name: patient.pref ?? patient.first_name,
    clinic_name: demoStores.find(({ store_id }) => store_id === patient.store_id)?.store_name ?? '',
    staff_name: base.rep,
    recall_date: null,
  }
  const body = filledText(channel === 'sms' ? template.sms : template.email.text, facts)
  // A patient without a recall date got no message about it.
  if (openPlaceholders(body).length > 0) return null
  // Only the service for texts reports a delivery.
  const status = channel === 'email' && became === 'delivered' ? 'sent' : became
  return {
    ...base,
    channel,
    address,
    subject: channel === 'email' ? template.email.subject : null,
    body,
    template: template.key,
    status,
    status_at: calendar.plus(base.at, 1),
    problem: status === 'failed' ? 'undeliverable' : status === 'unknown' ? 'no-answer' : null,
    attempts: 1,
    outcome: null,
    duration_s: null,
  }
}

function callWith(patient: Patient, calendar: DemoCalendar, random: SeededRandom): Message {
  const outcome = random.pick(callOutcomes)
  return {
    ...common(patient, calendar, random),
    channel: 'call',
    direction: outcome === 'reached' && random.chance(0.5) ? 'in' : 'out',
    address: patient.phone ?? patient.phone_home ?? '',
    subject: null,
    body: random.pick(notes[outcome]),
    template: null,
    status: null,
    status_at: null,
    problem: null,
    attempts: 0,
    outcome,
    duration_s: outcome === 'reached' ? random.int(1, 12) * 60 : null,
  }
}
