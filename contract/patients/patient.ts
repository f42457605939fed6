import * as v from 'valibot'
import { day } from '#contract/core/day.ts'
import { digitsOf } from '#contract/core/folding.ts'
import { givenInstant, revision, rowId, text, uuid } from '#contract/core/primitives.ts'
import { stateCodes } from '#contract/core/us-states.ts'

/**
 * A patient: the fields of the specification (section 3) and those that a clinic needs beside them. The shapes here are
 * those of the form, of the wire and of the mirror, so that a field has one rule.
 */

export const genders = ['Female', 'Male', 'Other'] as const
export const assignedSexes = ['Male', 'Female', 'Other', 'Prefer not to say'] as const
export const pronouns = ['He/Him', 'She/Her', 'They/Them', 'Other'] as const
export const priorities = ['normal', 'vip', 'urgent'] as const
export const contactWays = ['sms', 'email', 'call', 'none'] as const

export const oldestAge = 120

/** What is left empty is not known: null, never an empty text. */
export function orNull<const S extends v.GenericSchema<any, unknown>>(schema: S) {
  return v.pipe(
    v.optional(v.nullable(v.union([v.literal(''), schema])), null),
    v.transform((given): v.InferOutput<S> | null => (given === '' ? null : given)),
  )
}

export function optionalText(max: number) {
  return v.pipe(
    v.optional(v.nullable(text(max)), null),
    v.transform((given) => given?.trim() || null),
  )
}

function needed(max: number, message = 'This field is required') {
  return v.pipe(
    v.optional(v.nullable(text(max)), ''),
    v.transform((given) => given?.trim() ?? ''),
    v.minLength(1, message),
  )
}

/** Ten digits, however they were written; a leading 1 is the country's. */
export const phoneNumber = v.pipe(
  text(40),
  v.transform((given) => digitsOf(given).replace(/^1(?=\d{10}$)/, '')),
  v.regex(/^\d{10}$/, 'must be a phone number of 10 digits'),
)

/** `5185550123` as `(518) 555-0123`. */
export function formatPhone(digits: string): string {
  return digits.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')
}

/** Where somebody other than a patient is, and how they are reached: all of it may be unknown. */
export const placeFields = {
  phone: orNull(phoneNumber),
  fax: orNull(phoneNumber),
  street_address: optionalText(200),
  address_line_2: optionalText(200),
  city: optionalText(100),
  state: orNull(
    v.pipe(
      v.string(),
      v.check((given) => (stateCodes as readonly string[]).includes(given), 'must be a state'),
    ),
  ),
  zip_code: orNull(v.pipe(text(10), v.trim(), v.regex(/^\d{5}(-\d{4})?$/, 'must be 12345 or 12345-6789'))),
} as const

const zipCode = v.pipe(needed(10), v.regex(/^(\d{5}(-\d{4})?)?$/, 'must be 12345 or 12345-6789'))
const email = v.pipe(
  text(254),
  v.transform((given) => given.trim()),
  // A name, an at sign and a domain: whether anybody reads what is sent there, no rule can tell.
  v.regex(/^[^\s@<>()",;:]+@[^\s@<>()",;:]+\.[^\s@<>()",;:.]+$/, 'must be an email address'),
)
const socialSecurityNumber = v.pipe(text(20), v.transform(digitsOf), v.regex(/^\d{9}$/, 'must have 9 digits'))

/** What a person fills in. Everything but the social security number is mirrored to the devices of the patient's store. */
export const patientFields = {
  last_name: optionalText(100),
  first_name: needed(100),
  middle_name: optionalText(100),
  pref: optionalText(100),
  dob: orNull(day),
  street_address: needed(200),
  address_line_2: optionalText(200),
  city: needed(100),
  state: v.pipe(
    v.optional(v.nullable(v.string()), ''),
    v.transform((given) => given ?? ''),
    v.check((given) => given !== '', 'state is required'),
    v.picklist(stateCodes, 'must be a state'),
  ),
  zip_code: zipCode,
  gender: v.pipe(
    v.optional(v.nullable(v.string()), ''),
    v.transform((given) => given ?? ''),
    v.check((given) => given !== '', 'Gender is required'),
    v.picklist(genders, 'must be one of the choices'),
  ),
  assigned_sex: orNull(v.picklist(assignedSexes)),
  pronoun: orNull(v.picklist(pronouns)),
  email: orNull(email),
  phone: orNull(phoneNumber),
  phone_home: orNull(phoneNumber),
  cell_work: orNull(phoneNumber),
  mailing_list: v.optional(v.boolean(), false),
  survey: v.optional(v.boolean(), false),
  inactive: v.optional(v.boolean(), false),
  priority: v.optional(v.picklist(priorities), 'normal'),
  preferred_contact: orNull(v.picklist(contactWays)),
  preferred_provider_id: orNull(rowId),
  preferred_store_id: orNull(rowId),
  responsible_party_id: orNull(uuid),
  pcp_id: orNull(uuid),
  recall_due_date: orNull(day),
  recall_reason: optionalText(200),
  hipaa_ack_at: orNull(day),
  /** When the patient agreed to be written to; nothing is sent without. */
  sms_consent_at: orNull(givenInstant),
  email_consent_at: orNull(givenInstant),
  alerts: optionalText(500),
  allergies: optionalText(2000),
  medications: optionalText(2000),
  ocular_history: optionalText(2000),
} as const

export type PatientField = keyof typeof patientFields
export const patientFieldNames = Object.keys(patientFields) as PatientField[]

/** Of a changed patient: the number that is typed, or the one on file as a record shows it, which says that it stays. */
export const changedSsn = v.pipe(
  v.optional(v.nullable(text(20)), null),
  v.transform((given) => (given === '' || /^•••-••-\d{4}$/.test(given ?? '') ? null : given)),
  v.nullable(socialSecurityNumber),
)

/** What a new patient, or a whole changed one, is made of. */
export const patientInput = v.object({ ...patientFields, ssn: orNull(socialSecurityNumber) })
export type PatientInput = v.InferOutput<typeof patientInput>

/** A patient as devices mirror it. */
export const patient = v.object({
  id: uuid,
  /** What people call it by: given by the server, so that it is null until the patient has arrived there. */
  patient_no: v.nullable(rowId),
  store_id: rowId,
  last_name: v.nullable(v.string()),
  first_name: v.string(),
  middle_name: v.nullable(v.string()),
  pref: v.nullable(v.string()),
  dob: v.nullable(v.string()),
  street_address: v.string(),
  address_line_2: v.nullable(v.string()),
  city: v.string(),
  state: v.string(),
  zip_code: v.string(),
  gender: v.string(),
  assigned_sex: v.nullable(v.string()),
  pronoun: v.nullable(v.string()),
  email: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  phone_home: v.nullable(v.string()),
  cell_work: v.nullable(v.string()),
  mailing_list: v.boolean(),
  survey: v.boolean(),
  inactive: v.boolean(),
  priority: v.picklist(priorities),
  preferred_contact: v.nullable(v.string()),
  preferred_provider_id: v.nullable(rowId),
  preferred_store_id: v.nullable(rowId),
  responsible_party_id: v.nullable(uuid),
  pcp_id: v.nullable(uuid),
  recall_due_date: v.nullable(v.string()),
  recall_reason: v.nullable(v.string()),
  hipaa_ack_at: v.nullable(v.string()),
  sms_consent_at: v.nullable(v.string()),
  email_consent_at: v.nullable(v.string()),
  alerts: v.nullable(v.string()),
  allergies: v.nullable(v.string()),
  medications: v.nullable(v.string()),
  ocular_history: v.nullable(v.string()),
  last_exam_date: v.nullable(v.string()),
  created_at: v.string(),
  /** Raised by every change. */
  version: rowId,
  revision,
})
export type Patient = v.InferOutput<typeof patient>

/** What is wrong with a birth date on a given day (`YYYY-MM-DD`, of the store); null when nothing is. */
export function birthDateProblem(dob: string | null, today: string): string | null {
  if (dob === null) return null
  if (dob > today) return 'Date of birth can’t be in the future'
  return ageOn(dob, today) > oldestAge ? `can’t be more than ${oldestAge} years ago` : null
}

/** Whole years on a day, both `YYYY-MM-DD`. */
export function ageOn(dob: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(dob.slice(0, 4))
  return today.slice(5) < dob.slice(5) ? years - 1 : years
}

/** `Abigail Q. "Abby" Carrow`; whoever has one name only is called by it. */
export function patientName({
  first_name,
  middle_name,
  last_name,
  pref,
}: Pick<Patient, 'first_name' | 'middle_name' | 'last_name' | 'pref'>): string {
  const called = pref && pref !== first_name ? `“${pref}”` : null
  return [first_name, middle_name, called, last_name].filter(Boolean).join(' ')
}

const fieldValue = v.nullable(v.union([v.string(), v.boolean(), v.number()]))

/** What a person changed, field by field: what stood there when they looked, and what they put in its place. */
export const patientChanges = v.record(v.picklist([...patientFieldNames, 'ssn']), v.object({ from: fieldValue, to: fieldValue }))
export type PatientChanges = v.InferOutput<typeof patientChanges>

/** What a refused change says beside the code: which fields somebody else changed meanwhile, and who last wrote each. */
export type FieldChanger = { field: string; rep: string; at: string }

/** The bodies of the commands of a patient's lane. */
export const patientCreation = v.object({ id_patient: uuid, patient: patientInput })
export const patientEdit = v.object({ id_patient: uuid, changes: patientChanges })
