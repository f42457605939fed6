import * as v from 'valibot'
import { day } from '#contract/core/day.ts'
import { digitsOf } from '#contract/core/folding.ts'
import { givenInstant, revision, rowId, text, uuid } from '#contract/core/primitives.ts'
import { stateCodes } from '#contract/core/us-states.ts'

/**
 * A patient: the fields of the specification (section 3) and others that a clinic needs. Form, wire and mirror share
 * these shapes, so that each field has one rule.
 */

export const genders = ['Female', 'Male', 'Other'] as const
export const assignedSexes = ['Male', 'Female', 'Other', 'Prefer not to say'] as const
export const pronouns = ['He/Him', 'She/Her', 'They/Them', 'Other'] as const
export const priorities = ['normal', 'vip', 'urgent'] as const
export const contactWays = ['sms', 'email', 'call', 'none'] as const

export const oldestAge = 120

/** An empty field is unknown: null, never an empty text. */
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

/** Ten digits, in any notation; a leading 1 is the country's. */
export const phoneNumber = v.pipe(
  text(40),
  v.transform((given) => digitsOf(given).replace(/^1(?=\d{10}$)/, '')),
  v.regex(/^\d{10}$/, 'must be a phone number of 10 digits'),
)

/** `5185550123` as `(518) 555-0123`. */
export function formatPhone(digits: string): string {
  return digits.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')
}

/** Address and contact of somebody other than a patient. All fields may be unknown. */
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
  // A name, an at sign and a domain. No rule can tell whether anybody reads mail there.
  v.regex(/^[^\s@<>()",;:]+@[^\s@<>()",;:]+\.[^\s@<>()",;:.]+$/, 'must be an email address'),
)
const socialSecurityNumber = v.pipe(text(20), v.transform(digitsOf), v.regex(/^\d{9}$/, 'must have 9 digits'))

/** The fields of the form. Devices of the patient's store mirror all of them but the social security number. */
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
  /** When the patient agreed to get texts; nothing is sent without it. */
  sms_consent_at: orNull(givenInstant),
  email_consent_at: orNull(givenInstant),
  alerts: optionalText(500),
  allergies: optionalText(2000),
  medications: optionalText(2000),
  ocular_history: optionalText(2000),
} as const

export type PatientField = keyof typeof patientFields
export const patientFieldNames = Object.keys(patientFields) as PatientField[]

/**
 * The number in a changed patient: the typed one, or null to keep the one on file. A masked number means it is
 * unchanged.
 */
export const changedSsn = v.pipe(
  v.optional(v.nullable(text(20)), null),
  v.transform((given) => (given === '' || /^•••-••-\d{4}$/.test(given ?? '') ? null : given)),
  v.nullable(socialSecurityNumber),
)

/** The fields of a new patient, or of a whole changed one. */
export const patientInput = v.object({ ...patientFields, ssn: orNull(socialSecurityNumber) })
export type PatientInput = v.InferOutput<typeof patientInput>

/** A patient as devices mirror it. */
export const patient = v.object({
  id: uuid,
  /** The number for people. The server gives it, so it is null until the patient has arrived there. */
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
  /** Every change raises it. */
  version: rowId,
  revision,
})
export type Patient = v.InferOutput<typeof patient>

/** Returns the problem of a birth date on a given day (`YYYY-MM-DD`, of the store); null when there is none. */
export function birthDateProblem(dob: string | null, today: string): string | null {
  if (dob === null) return null
  if (dob > today) return 'Date of birth can’t be in the future'
  return ageOn(dob, today) > oldestAge ? `can’t be more than ${oldestAge} years ago` : null
}

/** Returns whole years on a day, both `YYYY-MM-DD`. */
export function ageOn(dob: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(dob.slice(0, 4))
  return today.slice(5) < dob.slice(5) ? years - 1 : years
}

/** Returns `Abigail Q. "Abby" Carrow`; a person with a single name gets only that. */
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

/** A person's changes, field by field: the value that they saw, and the new one. */
export const patientChanges = v.record(v.picklist([...patientFieldNames, 'ssn']), v.object({ from: fieldValue, to: fieldValue }))
export type PatientChanges = v.InferOutput<typeof patientChanges>

/** The details of a refused change: the fields that somebody else changed meanwhile, and who last wrote each. */
export type FieldChanger = { field: string; rep: string; at: string }

/** The bodies of the commands of a patient's lane. */
export const patientCreation = v.object({ id_patient: uuid, patient: patientInput })
export const patientEdit = v.object({ id_patient: uuid, changes: patientChanges })
