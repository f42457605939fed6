import * as v from 'valibot'
import {
  birthDateProblem,
  type Patient,
  type PatientChanges,
  patientFieldNames,
  patientInput,
  type PatientInput,
  formatPhone,
} from '#contract/patients/patient.ts'
import { type PatientCriteria, readDay } from '#contract/patients/patient-search.ts'

/** The typed values of the patient dialog: texts, and choices that are yes or no. */

const texts = [
  'last_name',
  'first_name',
  'middle_name',
  'pref',
  'dob',
  'street_address',
  'address_line_2',
  'city',
  'state',
  'zip_code',
  'gender',
  'assigned_sex',
  'pronoun',
  'email',
  'phone',
  'phone_home',
  'cell_work',
  'ssn',
  'priority',
  'preferred_contact',
  'preferred_provider_id',
  'preferred_store_id',
  'responsible_party_id',
  'pcp_id',
  'recall_due_date',
  'recall_reason',
  'hipaa_ack_at',
  'alerts',
  'allergies',
  'medications',
  'ocular_history',
] as const
const choices = ['mailing_list', 'survey', 'inactive'] as const

export type TextName = (typeof texts)[number]
export type ChoiceName = (typeof choices)[number]
export type PatientForm = Record<TextName, string> & Record<ChoiceName, boolean>

const numbers: readonly TextName[] = ['preferred_provider_id', 'preferred_store_id']
const phones: readonly TextName[] = ['phone', 'phone_home', 'cell_work']

/** Returns the dialog's values for a patient. The SSN stays empty: the user types a new one or leaves it. */
export function formOf(row: Partial<Patient>): PatientForm {
  const form: Record<string, string | boolean> = {}
  for (const name of texts) {
    const value = name === 'ssn' ? null : row[name]
    const text = value === null || value === undefined ? '' : String(value)
    form[name] = phones.includes(name) ? formatPhone(text) : text
  }
  for (const name of choices) form[name] = row[name] ?? false
  if (form['priority'] === '') form['priority'] = 'normal'
  return form as PatientForm
}

/** Returns the values of a new patient from the search criteria. */
export function formOfSearch(criteria: PatientCriteria): PatientForm {
  const { first, last } = namesOf(criteria.name?.trim() ?? '', criteria.last_name?.trim() ?? '')
  return {
    ...formOf({}),
    first_name: first,
    last_name: last,
    dob: readDay(criteria.dob ?? '') ?? '',
    phone: formatPhone(criteria.phone ?? ''),
    street_address: criteria.address ?? '',
    city: criteria.city ?? '',
    state: criteria.state ?? '',
    zip_code: criteria.zip ?? '',
  }
}

/** Reads `Carrow, Abigail` and `Abigail Carrow` as the same two names. */
function namesOf(name: string, last: string): { first: string; last: string } {
  if (last !== '') return { first: name, last }
  const [before = '', after] = name.split(',', 2)
  if (after !== undefined) return { first: after.trim(), last: before.trim() }
  const at = name.lastIndexOf(' ')
  return at === -1 ? { first: name, last: '' } : { first: name.slice(0, at).trim(), last: name.slice(at + 1) }
}

export type Read = { ok: true; patient: PatientInput } | { ok: false; problems: Partial<Record<string, string>> }

/**
 * Reads the form with the rules of the contract. An empty field becomes null.
 * @param kept the patient's values in fields that the form does not show
 * @param today `YYYY-MM-DD`
 */
export function readForm(form: PatientForm, kept: Partial<Patient>, today: string): Read {
  const given: Record<string, unknown> = { ...pickFields(kept), ...form }
  for (const name of numbers) given[name] = form[name] === '' ? null : Number(form[name])
  const read = v.safeParse(patientInput, given)
  const problems: Partial<Record<string, string>> = {}
  if (!read.success) for (const { path, message } of read.issues) problems[String(path?.[0]?.key)] ??= shown(message)
  const born = read.success ? birthDateProblem(read.output.dob, today) : null
  if (born !== null) problems['dob'] = born
  return read.success && born === null ? { ok: true, patient: read.output } : { ok: false, problems }
}

/** The specification gives the gender one message and shows another. */
function shown(message: string): string {
  return message === 'Gender is required' ? 'This field is required' : message
}

function pickFields(row: Partial<Patient>): Partial<Patient> {
  return Object.fromEntries(patientFieldNames.map((field) => [field, row[field]]))
}

/** Returns the fields that the user changed, each with the value that they saw. */
export function changesOf(base: Patient, patient: PatientInput): PatientChanges {
  const changes: PatientChanges = {}
  for (const field of patientFieldNames) if (base[field] !== patient[field]) changes[field] = { from: base[field], to: patient[field] }
  if (patient.ssn !== null) changes.ssn = { from: null, to: patient.ssn }
  return changes
}

/** Returns the server's problems by field name. A problem without a field in the form has the key `''`. */
export function problemsAtFields(fields: readonly { path: string; message: string }[]): Partial<Record<string, string>> {
  const problems: Partial<Record<string, string>> = {}
  for (const { path, message } of fields) {
    const name = path.split('.').find((part) => [...texts, ...choices].some((known) => known === part)) ?? ''
    problems[name] ??= shown(message)
  }
  return problems
}
