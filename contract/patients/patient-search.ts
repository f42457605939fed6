import * as v from 'valibot'
import { digitsOf, fold } from '#contract/core/folding.ts'
import { ageOn, type Patient, priorities } from '#contract/patients/patient.ts'
import { text } from '#contract/core/primitives.ts'
import { stateCodes } from '#contract/core/us-states.ts'

/**
 * What patients are looked for by: the fields of the header's search. Devices and the server understand them alike; what is
 * left out or empty asks for nothing.
 */
const typed = v.optional(text(200))
export const patientCriteria = v.object({
  /** Any of the names, in any order, each word from its beginning. */
  name: typed,
  last_name: typed,
  /** As a person writes a day; see `readDay`. A year alone will do. */
  dob: typed,
  /** Digits that stand in any of the phone numbers, or the patient's own number. */
  phone: typed,
  address: typed,
  state: v.optional(v.picklist(['', ...stateCodes])),
  city: typed,
  zip: typed,
  age: v.optional(v.pipe(v.string(), v.regex(/^\d{0,3}$/, 'must be a number of years'))),
  insurance_name: typed,
  coverage: typed,
  priority: v.optional(v.picklist(['', ...priorities])),
  /** Last examined on this day or later. */
  last_exam: typed,
  preferred_provider: v.optional(v.pipe(v.string(), v.regex(/^\d{0,9}$/))),
  preferred_location: v.optional(v.pipe(v.string(), v.regex(/^\d{0,9}$/))),
  /** `true` finds those who are inactive, too. */
  inactive: v.optional(v.picklist(['true', 'false', ''])),
})
export type PatientCriteria = v.InferOutput<typeof patientCriteria>

export const patientPageSize = 50
/** Of the list of who saw a record. */
export const auditPageSize = 2 * patientPageSize

/** The same, read: what a patient is compared with. Null where nothing is asked. */
export type PatientQuery = {
  words: readonly string[]
  lastName: readonly string[]
  dob: string | null
  /** `1980`, for patients born in that year. */
  bornIn: string | null
  phone: string | null
  address: readonly string[]
  state: string | null
  city: string | null
  zip: string | null
  age: number | null
  insuranceName: string | null
  coverage: string | null
  priority: string | null
  lastExam: string | null
  providerId: number | null
  storeId: number | null
  inactive: boolean
}

const nothing: PatientQuery = {
  words: [],
  lastName: [],
  dob: null,
  bornIn: null,
  phone: null,
  address: [],
  state: null,
  city: null,
  zip: null,
  age: null,
  insuranceName: null,
  coverage: null,
  priority: null,
  lastExam: null,
  providerId: null,
  storeId: null,
  inactive: false,
}

/** A day that can be read in no way, a phone without digits, an age that is no number: nobody can match it. */
export class UnreadableCriterion extends Error {
  readonly field: keyof PatientCriteria
  constructor(field: keyof PatientCriteria, message: string) {
    super(message)
    this.name = 'UnreadableCriterion'
    this.field = field
  }
}

/** @throws UnreadableCriterion */
export function readCriteria(criteria: PatientCriteria): PatientQuery {
  const phone = criteria.phone?.trim() ?? ''
  if (phone !== '' && digitsOf(phone) === '') throw new UnreadableCriterion('phone', 'must have digits')
  return {
    words: wordsOf(criteria.name),
    lastName: wordsOf(criteria.last_name),
    ...bornOf(criteria.dob),
    phone: digitsOf(phone).replace(/^1(?=\d{10}$)/, '') || null,
    address: wordsOf(criteria.address),
    state: criteria.state || null,
    city: fold(criteria.city ?? '') || null,
    zip: criteria.zip?.trim() || null,
    age: ageOf(criteria),
    insuranceName: fold(criteria.insurance_name ?? '') || null,
    coverage: fold(criteria.coverage ?? '') || null,
    priority: criteria.priority || null,
    lastExam: dayOf(criteria, 'last_exam'),
    providerId: criteria.preferred_provider ? Number(criteria.preferred_provider) : null,
    storeId: criteria.preferred_location ? Number(criteria.preferred_location) : null,
    inactive: criteria.inactive === 'true',
  }
}

/** @throws UnreadableCriterion */
function bornOf(given: string | undefined): Pick<PatientQuery, 'dob' | 'bornIn'> {
  const text = given?.trim() ?? ''
  return isYear(text) ? { dob: null, bornIn: text } : { dob: dayOf({ dob: text }, 'dob'), bornIn: null }
}

/** Whether it is a year in which somebody who lives may be born. */
const isYear = (text: string) => /^(19|20)\d\d$/.test(text) && Number(text) <= new Date().getFullYear()

export type CriteriaProblems = Partial<Record<keyof PatientCriteria, string>>

/** What nobody can match of what was filled in, by its field, with the reason. */
export function problemsOf(criteria: PatientCriteria): CriteriaProblems {
  try {
    readCriteria(criteria)
    return {}
  } catch (error) {
    if (!(error instanceof UnreadableCriterion)) throw error
    return { [error.field]: error.message, ...problemsOf({ ...criteria, [error.field]: '' }) }
  }
}

/** The same without what cannot be read, such as half a date while one types it. */
export function readableOf(criteria: PatientCriteria): PatientCriteria {
  const problems = problemsOf(criteria)
  return Object.fromEntries(Object.entries(criteria).filter(([field]) => !(field in problems)))
}

function ageOf(criteria: PatientCriteria): number | null {
  const given = criteria.age?.trim() ?? ''
  if (given === '') return null
  if (!/^\d{1,3}$/.test(given)) throw new UnreadableCriterion('age', 'must be a number of years')
  return Number(given)
}

function dayOf(criteria: PatientCriteria, field: 'dob' | 'last_exam'): string | null {
  const given = criteria[field]?.trim() ?? ''
  if (given === '') return null
  const read = readDay(given)
  if (read === null)
    throw new UnreadableCriterion(field, field === 'dob' ? 'must be a date or a year, like 02/28/1980' : 'must be a date, like 02/28/1980')
  return read
}

/** One line in which anything may stand: names, a birth date or year, a phone number or `#349`, in any order. */
export function readLine(line: string): PatientQuery {
  const { name, dob, phone } = takeApart(line)
  return { ...nothing, words: wordsOf(name), ...bornOf(dob ?? ''), phone: phone || null }
}

/** The same in the fields of the search, names as they were written. */
export function criteriaOfLine(line: string): PatientCriteria {
  const { name, dob, phone } = takeApart(line)
  return { ...(wordsOf(name).length > 0 && { name }), ...(dob !== null && { dob }), ...(phone !== '' && { phone }) }
}

function takeApart(line: string): { name: string; dob: string | null; phone: string } {
  const parts = line
    .trim()
    .split(/[\s,;]+/)
    .filter(Boolean)
  const names: string[] = []
  let dob: string | null = null
  let phone = ''
  for (const part of parts) {
    const asDay = /\d/.test(part) && /[-/.]/.test(part) ? readDay(part) : null
    if (asDay !== null) dob = asDay
    else if (/^(#\d+|[\d()+.-]+)$/.test(part) && digitsOf(part) !== '') phone += digitsOf(part)
    else names.push(part)
  }
  // Eight digits alone may be a day as well as a part of a phone number: no phone has a birth date in it that fits a patient.
  if (dob === null && /^\d{8}$/.test(phone)) dob = readDay(phone)
  if (dob !== null && /^\d{8}$/.test(phone)) phone = ''
  // Beside a name, four digits are sooner a year than the end of a phone number.
  if (dob === null && names.length > 0 && isYear(phone)) return { name: names.join(' '), dob: phone, phone: '' }
  return { name: names.join(' '), dob, phone: phone.replace(/^1(?=\d{10}$)/, '') }
}

function wordsOf(text: string | undefined): string[] {
  return fold(text ?? '')
    .split(' ')
    .filter(Boolean)
}

export function isEmptyQuery(query: PatientQuery): boolean {
  return Object.entries(query).every(([key, value]) => key === 'inactive' || value === null || (Array.isArray(value) && value.length === 0))
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * A day as people write it: `1980-02-28`, `02/28/1980`, `2/28/80`, `02281980`, `19800228`, `28 Feb 1980`, `February 28, 1980`; a first
 * number above 12 is the day. Two digits of a year are those of a birthday that has been: 26 is 2026 at the latest this century.
 * @returns `YYYY-MM-DD`, or null when it is no day
 */
export function readDay(given: string, thisYear = new Date().getFullYear()): string | null {
  const text = given.trim().toLowerCase()
  const packed = /^(\d{2})(\d{2})(\d{4})$/.exec(text)
  if (packed) {
    const [, a = '', b = '', year = ''] = packed
    const american = dayFrom(year, a, b)
    if (american !== null) return american
    return dayFrom(text.slice(0, 4), text.slice(4, 6), text.slice(6, 8))
  }
  const parts = text.split(/[^\p{L}\d]+/u).filter(Boolean)
  if (parts.length !== 3) return null
  const [first = '', second = '', third = ''] = parts
  const named = parts.findIndex((part) => months.includes(part.slice(0, 3)) && !/\d/.test(part))
  if (named !== -1) {
    const month = String(months.indexOf((parts[named] ?? '').slice(0, 3)) + 1)
    const [one = '', other = ''] = parts.filter((_, at) => at !== named)
    return one.length === 4 ? dayFrom(one, month, other) : dayFrom(century(other, thisYear), month, one)
  }
  if (parts.some((part) => !/^\d{1,4}$/.test(part))) return null
  if (first.length === 4) return dayFrom(first, second, third)
  return Number(first) > 12 ? dayFrom(century(third, thisYear), second, first) : dayFrom(century(third, thisYear), first, second)
}

function century(year: string, thisYear: number): string {
  if (year.length !== 2) return year
  const inThisCentury = Math.floor(thisYear / 100) * 100 + Number(year)
  return String(inThisCentury > thisYear ? inThisCentury - 100 : inThisCentury)
}

function dayFrom(year: string, month: string, date: string): string | null {
  const written = `${year.padStart(4, '0')}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const at = new Date(`${written}T00:00:00Z`)
  if (year.length !== 4 || Number.isNaN(at.getTime()) || !at.toISOString().startsWith(written)) return null
  return Number(year) < 1850 ? null : written
}

type Named = Pick<Patient, 'first_name' | 'middle_name' | 'last_name' | 'pref' | 'dob'>

/**
 * What a patient is found and listed by. Each name is folded once: a first load does this for everybody.
 *
 * @param foldName as `fold` does; who folds many names may remember them
 * @returns `names`: the words of all names, folded; `order`: the place in a list, by last name, then first name, then birth date
 */
export function nameKeys({ last_name, first_name, middle_name, pref, dob }: Named, foldName = fold): { names: string; order: string } {
  const last = foldName(last_name ?? '')
  const first = foldName(first_name)
  const names = beside(beside(beside(last, first), foldName(middle_name ?? '')), foldName(pref ?? ''))
  return { names, order: `${last}\u0001${first}\u0001${dob ?? ''}` }
}

export function addressWords({
  street_address,
  address_line_2,
  city,
}: Pick<Patient, 'street_address' | 'address_line_2' | 'city'>): string {
  return fold([street_address, address_line_2, city].filter(Boolean).join(' '))
}

export function phonesOf({ phone, phone_home, cell_work }: Pick<Patient, 'phone' | 'phone_home' | 'cell_work'>): string {
  return beside(beside(phone ?? '', phone_home), cell_work)
}

/** A text and another with a blank between, when there are two. No list is made of them: a first load asks this of everybody. */
function beside(text: string, another: string | null): string {
  if (!another) return text
  return text === '' ? another : `${text} ${another}`
}

/** The patient number that the digits may be. Null when they are more than any number has. */
export function numberIn(digits: string): number | null {
  return digits.length <= 7 ? Number(digits) : null
}

/** Whether each of the words begins one of the words of a folded text. */
export function beginsAll(folded: string, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const text = ` ${folded}`
  return words.every((word) => text.includes(` ${word}`))
}

/**
 * Whether a patient is one of those who are looked for, by what the patient's own row says; insurance is asked of the server.
 * @param today `YYYY-MM-DD`, for the age
 */
export function isMatch(row: Patient, query: PatientQuery, today: string): boolean {
  if (row.inactive && !query.inactive) return false
  if (query.dob !== null && row.dob !== query.dob) return false
  if (query.bornIn !== null && !row.dob?.startsWith(query.bornIn)) return false
  if (query.state !== null && row.state !== query.state) return false
  if (query.priority !== null && row.priority !== query.priority) return false
  if (query.providerId !== null && row.preferred_provider_id !== query.providerId) return false
  if (query.storeId !== null && (row.preferred_store_id ?? row.store_id) !== query.storeId) return false
  if (query.zip !== null && !row.zip_code.startsWith(query.zip)) return false
  if (query.age !== null && (row.dob === null || ageOn(row.dob, today) !== query.age)) return false
  if (query.lastExam !== null && (row.last_exam_date === null || row.last_exam_date < query.lastExam)) return false
  if (query.phone !== null && !phonesOf(row).includes(query.phone) && row.patient_no !== numberIn(query.phone)) return false
  if (query.city !== null && !fold(row.city).startsWith(query.city)) return false
  if (!beginsAll(nameKeys(row).names, query.words)) return false
  if (query.lastName.length > 0 && !beginsAll(fold(row.last_name ?? ''), query.lastName)) return false
  return query.address.length === 0 || beginsAll(addressWords(row), query.address)
}
