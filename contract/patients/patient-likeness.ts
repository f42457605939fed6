import * as v from 'valibot'
import { day } from '#contract/core/day.ts'
import { digitsOf, fold } from '#contract/core/folding.ts'
import type { Patient } from '#contract/patients/patient.ts'
import { addressWords, type PatientCriteria } from '#contract/patients/patient-search.ts'

/**
 * Who a new patient might already be: somebody of the same name and birth date, or with one of the same phone numbers. Asked before
 * anybody is registered, of the device and of the server, so that one person does not get two records. Where nobody can be asked, as in a
 * file that is imported, `isOnFile` decides by the same names and numbers.
 */

type Named = Partial<Pick<Patient, 'first_name' | 'last_name' | 'pref' | 'dob' | 'phone' | 'phone_home' | 'cell_work'>>

type Addressed = Parameters<typeof addressWords>[0]

export type Likeness = 'name' | 'phone' | 'both'

/** Why two may be the same person; null where nothing says so. */
export function likeness(one: Named, other: Named): Likeness | null {
  const named = Boolean(one.dob) && one.dob === other.dob && sameName(one, other)
  const phones = numbersOf(other)
  const called = numbersOf(one).some((number) => phones.includes(number))
  if (named && called) return 'both'
  return named ? 'name' : called ? 'phone' : null
}

/**
 * Whether two are the same person beyond asking: of the same name and birth date; or, where neither has one, with one of the same phone numbers or
 * the same address. A number alone is a family's.
 */
export function isOnFile(one: Named & Addressed, other: Named & Addressed): boolean {
  if ((one.dob ?? null) !== (other.dob ?? null) || !sameName(one, other)) return false
  if (one.dob) return true
  const address = addressWords(one)
  return likeness(one, other) !== null || (address !== '' && address === addressWords(other))
}

/**
 * What finds everybody who is like this one: to be asked one after the other, and compared by `likeness`. The inactive are people, too. Asked while
 * somebody types: of a year that is not whole yet (`0019-02-28`) there is nothing to ask.
 */
export function likelyCriteria(one: Named): PatientCriteria[] {
  const asked: PatientCriteria[] = numbersOf(one).map((phone) => ({ phone, inactive: 'true' }))
  if (v.is(day, one.dob) && namesOf(one).length > 0) asked.unshift({ dob: one.dob, inactive: 'true' })
  return asked
}

/** Whole numbers that are somebody's: ten times the same digit is what people type where there is none. */
function numbersOf({ phone, phone_home, cell_work }: Named): string[] {
  const digits = [phone, phone_home, cell_work].map((given) => digitsOf(given ?? '').replace(/^1(?=\d{10}$)/, ''))
  return [...new Set(digits.filter((number) => /^(\d)(?!\1{9})\d{9}$/.test(number)))]
}

/** Compared by their letters; last and first name may have been taken for each other, and a name may be what one is called. */
function sameName(one: Named, other: Named): boolean {
  const theirs = namesOf(other)
  return namesOf(one).some((name) => theirs.includes(name))
}

/** All ways to write first and last name, each as one word: Mary Ann is Maryann. */
function namesOf({ first_name, last_name, pref }: Named): string[] {
  const last = lettersOf(last_name)
  const written: string[] = []
  for (const given of [first_name, pref]) {
    const first = lettersOf(given)
    if (first !== '') written.push([first, last].sort().join(' ').trim())
  }
  return written
}

/** A name without a letter or digit is compared as it was written. */
function lettersOf(name: string | null | undefined): string {
  const text = name ?? ''
  return fold(text).replaceAll(' ', '') || text.normalize('NFKC').trim()
}
