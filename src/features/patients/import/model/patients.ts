import * as v from 'valibot'
import { birthDateProblem, patientInput } from '#contract/patients/patient.ts'
import { importBatch, type ImportRow, patientImportEndpoints, rowIdentity } from '#contract/patients/patient-import.ts'
import { readDay } from '#contract/patients/patient-search.ts'
import { mendedZip } from '#contract/core/zip-code.ts'
import { writtenState } from './columns.ts'
import type { ImportKind, ReadRow } from './import-kind.ts'

/** The possible columns, in the order of the form. `names` are the folded headers of other systems. */
const targets = {
  source_id: { label: 'Chart number in old system', names: ['id', 'patient id', 'patientid', 'chart', 'chart number', 'mrn', 'account'] },
  first_name: { label: 'First Name', names: ['first', 'firstname', 'given', 'given name', 'forename'] },
  middle_name: { label: 'Middle Name', names: ['middle', 'middlename', 'mi', 'middle initial'] },
  last_name: { label: 'Last Name', names: ['last', 'lastname', 'surname', 'family', 'family name'] },
  pref: { label: 'Preferred name', names: ['preferred', 'nickname', 'pref', 'goes by'] },
  dob: { label: 'DOB', names: ['birthdate', 'birth date', 'birthday', 'date of birth'] },
  gender: { label: 'Gender', names: ['sex'] },
  street_address: { label: 'Street Address', names: ['address', 'street', 'address 1', 'address1', 'address line 1'] },
  address_line_2: { label: 'Address line 2', names: ['address 2', 'address2', 'apt', 'unit', 'suite'] },
  city: { label: 'City', names: ['town'] },
  state: { label: 'State', names: ['st', 'province'] },
  zip_code: { label: 'ZIP', names: ['zipcode', 'zip code', 'postal code', 'postcode', 'postal'] },
  phone: { label: 'Phone', names: ['cell', 'mobile', 'cell phone', 'mobile phone', 'phone number', 'telephone'] },
  phone_home: { label: 'Home phone', names: ['home', 'homephone', 'phone home'] },
  cell_work: { label: 'Work phone', names: ['work', 'workphone', 'cell work', 'phone work'] },
  email: { label: 'Email', names: ['e mail', 'mail', 'email address', 'e mail address'] },
  ssn: { label: 'SSN', names: ['social security number', 'social'] },
  alerts: { label: 'Alerts', names: ['alert'] },
  allergies: { label: 'Allergies', names: ['allergy'] },
  medications: { label: 'Medications', names: ['meds', 'medication'] },
  ocular_history: { label: 'Ocular history', names: ['eye history'] },
} as const

/** A patient cannot be registered without these. */
const requiredTargets = ['first_name', 'street_address', 'city', 'state', 'zip_code', 'gender'] as const satisfies (keyof typeof targets)[]

/** Reads a row with the rules of the form. Corrects only how a value is written, never its meaning. */
function readRow(given: Partial<Record<string, string>>, today: string): ReadRow<ImportRow> {
  const { source_id: sourceId = null, ...fields } = given
  const zip = mendedZip(fields.zip_code ?? '')
  const read = v.safeParse(patientInput, {
    ...fields,
    dob: writtenDay(fields.dob),
    state: writtenState(fields.state),
    zip_code: zip.zip,
    gender: writtenGender(fields.gender),
  })
  const labelOf = (target: string) => (targets as ImportKind<never>['targets'])[target]?.label ?? target
  const problems: { field: string; message: string }[] = []
  for (const { path, message } of read.issues ?? []) {
    const field = labelOf(String(path?.[0]?.key))
    // The first problem of a field is enough.
    if (!problems.some((told) => told.field === field)) problems.push({ field, message })
  }
  const birth = read.success ? birthDateProblem(read.output.dob, today) : null
  if (birth) problems.push({ field: labelOf('dob'), message: birth })
  if (sourceId !== null && sourceId.length > 200) problems.push({ field: labelOf('source_id'), message: 'must be 200 characters or fewer' })
  if (!read.success || problems.length > 0) return { row: null, problems }
  const notices = zip.notice === null ? [] : [{ field: labelOf('zip_code'), message: zip.notice }]
  return { row: { source_id: sourceId || null, patient: read.output }, problems: null, notices }
}

/** Returns the day as the form wants it. A year with two digits stays, because it does not say the century. */
function writtenDay(given = ''): string {
  const isShort = /(^|\D)\d{1,2}\D+\d{1,2}\D+\d{2}$/.test(given) || /^\d{1,2}\D+\p{L}+\D+\d{2}$/u.test(given)
  return isShort ? given : (readDay(given) ?? given)
}

const genderWords: Record<string, string> = {
  f: 'Female',
  female: 'Female',
  m: 'Male',
  male: 'Male',
  o: 'Other',
  other: 'Other',
  x: 'Other',
}

function writtenGender(given = ''): string {
  return genderWords[given.toLowerCase()] ?? given
}

const timeoutMs = 30_000

/** Imports patients of another system into the user's store. */
export const patientsKind: ImportKind<ImportRow> = {
  memory: 'patient-import-columns',
  targets,
  missing: (mapped) => requiredTargets.filter((target) => !mapped.has(target)).map((target) => targets[target].label),
  readRow,
  identity: ({ source_id, patient }) => rowIdentity(source_id, patient),
  batch: importBatch,
  async send(device, rows, checkOnly) {
    const answer = await device.call(patientImportEndpoints.importPatients, { body: { rows, check_only: checkOnly } }, { timeoutMs })
    if (!answer.ok) return answer
    return { ok: true, value: answer.value.results.map(({ verdict, id_patient }) => ({ verdict, id: id_patient })) }
  },
  words: {
    one: 'patient',
    needs: 'Patients can’t be added without',
    after: 'This store’s tablets will download them automatically.',
    comparing: 'Comparing with patients on file',
    known: 'for patients already on file',
    same: 'same name and date of birth, phone or address as',
  },
  placeOf: (id) => `/patient/${id}`,
}
