import * as v from 'valibot'
import { fold } from '#contract/folding.ts'
import { birthDateProblem, patientInput } from '#contract/patient.ts'
import type { ImportRow } from '#contract/patient-import.ts'
import { readDay } from '#contract/patient-search.ts'
import { usStates } from '#contract/us-states.ts'

/** What a column can be, in the order of the form; `names` are what other systems head it with, folded. */
const targets = {
  source_id: { label: 'Number in the other system', names: ['id', 'patient id', 'patientid', 'chart', 'chart number', 'mrn', 'account'] },
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

export type Target = keyof typeof targets
export const targetNames = Object.keys(targets) as Target[]
export const labelOf = (target: string): string => (targets as Record<string, { label: string }>)[target]?.label ?? target

/** Without these nobody can be registered. */
const requiredTargets = ['first_name', 'street_address', 'city', 'state', 'zip_code', 'gender'] as const satisfies Target[]

/** For each column of the file what it is; null is left out. */
export type Mapping = (Target | null)[]

const folded = (text: string) => fold(text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')).trim()

/** What each column seems to be, by its header. Each target is taken once, by the first that names it. */
export function guessColumns(headers: readonly string[]): Mapping {
  const free = new Set(targetNames)
  return headers.map((header) => {
    const name = folded(header)
    const found = targetNames.find((target) => {
      const { label, names } = targets[target]
      return free.has(target) && (name === folded(target) || name === folded(label) || (names as readonly string[]).includes(name))
    })
    if (found) free.delete(found)
    return found ?? null
  })
}

export function missingTargets(mapping: Mapping): string[] {
  return requiredTargets.filter((target) => !mapping.includes(target)).map(labelOf)
}

type Problem = { field: string; message: string }
type ReadRow = { row: ImportRow; problems: null } | { row: null; problems: Problem[] }

/** A row of the file by the rules of the form. Only how a value is written is mended, never what it says. */
export function readRow(cells: readonly string[], mapping: Mapping, today: string): ReadRow {
  const given: Partial<Record<Target, string>> = {}
  mapping.forEach((target, at) => {
    if (target) given[target] = cells[at]?.trim() ?? ''
  })
  const { source_id: sourceId = null, ...fields } = given
  const read = v.safeParse(patientInput, {
    ...fields,
    dob: writtenDay(fields.dob),
    state: writtenState(fields.state),
    zip_code: writtenZip(fields.zip_code),
    gender: writtenGender(fields.gender),
  })
  const problems: Problem[] = []
  for (const { path, message } of read.issues ?? []) {
    const field = labelOf(String(path?.[0]?.key))
    // Of one field the first thing that is wrong says enough.
    if (!problems.some((told) => told.field === field)) problems.push({ field, message })
  }
  const birth = read.success ? birthDateProblem(read.output.dob, today) : null
  if (birth) problems.push({ field: labelOf('dob'), message: birth })
  if (sourceId !== null && sourceId.length > 200) problems.push({ field: labelOf('source_id'), message: 'must be at most 200 characters' })
  if (!read.success || problems.length > 0) return { row: null, problems }
  return { row: { source_id: sourceId || null, patient: read.output }, problems: null }
}

/** Two digits do not say which century somebody was born in. */
function writtenDay(given = ''): string {
  const isShort = /(^|\D)\d{1,2}\D+\d{1,2}\D+\d{2}$/.test(given) || /^\d{1,2}\D+\p{L}+\D+\d{2}$/u.test(given)
  return isShort ? given : (readDay(given) ?? given)
}

function writtenState(given = ''): string {
  const name = fold(given)
  return usStates.find(([code, state]) => fold(code) === name || fold(state) === name)?.[0] ?? given
}

/** Spreadsheets take zeros away that a number begins with. */
function writtenZip(given = ''): string {
  const [, five = '', four] = /^(\d{3,5})(?:-?(\d{4}))?$/.exec(given.length === 9 ? `${given.slice(0, 5)}-${given.slice(5)}` : given) ?? []
  if (five === '') return given
  return five.padStart(5, '0') + (four === undefined ? '' : `-${four}`)
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
