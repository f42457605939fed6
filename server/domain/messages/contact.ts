import type { Kysely } from 'kysely'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { usDate } from '#contract/core/us-date.ts'
import type { SentChannel, TextFacts, readContact } from '#contract/patients/messages.ts'
import type { contactWays } from '#contract/patients/patient.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { PatientRow } from '#server/domain/patients/patient-row.ts'
import type { Messaging } from '#server/platform/services.ts'

/** Returns how the clinic may reach a patient, and the values for the placeholders of a text. */
export async function contactOf(
  db: Kysely<Schema>,
  messaging: Messaging,
  patient: PatientRow,
  staffName: string,
): Promise<AnswerOf<typeof readContact>> {
  const phones = [
    { kind: 'cell' as const, number: patient.phone },
    { kind: 'home' as const, number: patient.phone_home },
    { kind: 'work' as const, number: patient.cell_work },
  ]
  return {
    sms: { configured: messaging.isConfigured('sms'), consent_at: patient.sms_consent_at, address: patient.phone },
    email: { configured: messaging.isConfigured('email'), consent_at: patient.email_consent_at, address: patient.email },
    preferred_contact: patient.preferred_contact as (typeof contactWays)[number] | null,
    phones: phones.flatMap(({ kind, number }) => (number === null ? [] : [{ kind, number }])),
    ...(await factsOf(db, patient, staffName)),
    version: patient.version,
  }
}

/** The values for the placeholders of a text to this patient. */
export async function factsOf(db: Kysely<Schema>, patient: PatientRow, staffName: string): Promise<TextFacts> {
  const store = await db.selectFrom('stores').select('store_name').where('store_id', '=', patient.store_id).executeTakeFirstOrThrow()
  return {
    first_name: patient.pref ?? patient.first_name,
    clinic_name: store.store_name,
    staff_name: staffName,
    recall_date: patient.recall_due_date === null ? null : usDate(patient.recall_due_date),
  }
}

export function consentTo(channel: SentChannel, patient: PatientRow): string | null {
  return channel === 'sms' ? patient.sms_consent_at : patient.email_consent_at
}

export function addressFor(channel: SentChannel, patient: PatientRow): string | null {
  return channel === 'sms' ? patient.phone : patient.email
}
