import * as v from 'valibot'
import { digitsOf, fold } from '#contract/core/folding.ts'
import { optionalText, orNull, placeFields } from '#contract/patients/patient.ts'
import { rowId, text, uuid } from '#contract/core/primitives.ts'

/** A primary care provider: the doctor outside the clinic who looks after a patient, and to whom the clinic writes. Called `pcp`. */

/**
 * The check digit of an NPI: Luhn over the number with the prefix of health cards, 80840, before it (45 CFR 162.406).
 * The first digit is 1 for people and organizations of today, and 2 for future ones.
 */
export function isNpi(digits: string): boolean {
  if (!/^[12]\d{9}$/.test(digits)) return false
  const sum = Array.from(`80840${digits}`)
    .toReversed()
    .reduce((total, figure, at) => {
      const value = Number(figure) * (at % 2 === 1 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}

/** An NPI with its check digit, in any grouping. */
export const npi = v.pipe(
  text(40),
  v.transform(digitsOf),
  v.check(isNpi, ({ input }) => (input.length === 10 ? 'isn’t a valid NPI. Check the digits' : 'must have 10 digits')),
)

/** The fields of the form. */
export const pcpFields = {
  last_name: v.pipe(
    v.optional(v.nullable(text(100)), ''),
    v.transform((given) => given?.trim() ?? ''),
    v.minLength(1, 'This field is required'),
  ),
  first_name: optionalText(100),
  /** The letters after the name: MD, DO, NP. */
  credential: optionalText(20),
  practice: optionalText(200),
  specialty: optionalText(100),
  ...placeFields,
  npi: orNull(npi),
  inactive: v.optional(v.boolean(), false),
} as const

export type PcpField = keyof typeof pcpFields
export const pcpFieldNames = Object.keys(pcpFields) as PcpField[]

export const pcpInput = v.object(pcpFields)
export type PcpInput = v.InferOutput<typeof pcpInput>

/** A provider in the server's answers. */
export const pcp = v.object({
  id_pcp: uuid,
  last_name: v.string(),
  first_name: v.nullable(v.string()),
  credential: v.nullable(v.string()),
  practice: v.nullable(v.string()),
  specialty: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  fax: v.nullable(v.string()),
  street_address: v.nullable(v.string()),
  address_line_2: v.nullable(v.string()),
  city: v.nullable(v.string()),
  state: v.nullable(v.string()),
  zip_code: v.nullable(v.string()),
  npi: v.nullable(v.string()),
  inactive: v.boolean(),
  /** Every change raises it. */
  version: rowId,
  changed_at: v.string(),
  changed_by: v.string(),
  /** How many patients name this provider, in all stores. */
  patients: v.number(),
  /** The day of the last letter that went to this provider, from any store. */
  last_letter: v.nullable(v.string()),
})
export type Pcp = v.InferOutput<typeof pcp>

/** The fields of a provider in a patient's record and in the list to choose from. */
export const pcpCardShape = v.pick(pcp, [
  'id_pcp',
  'last_name',
  'first_name',
  'credential',
  'practice',
  'city',
  'phone',
  'fax',
  'npi',
  'inactive',
])
export type PcpCard = v.InferOutput<typeof pcpCardShape>

type Named = Pick<Pcp, 'last_name' | 'first_name' | 'credential'>

/** `Helen Marsh, MD` */
export function pcpName({ last_name, first_name, credential }: Named): string {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return credential ? `${name}, ${credential}` : name
}

/** Returns the folded words by which a search finds a provider. */
export function pcpWords({ last_name, first_name, credential, practice }: Named & Pick<Pcp, 'practice'>): string {
  return fold([last_name, first_name, credential, practice].filter(Boolean).join(' '))
}

/** Returns a provider's place in the list: by last name, then first name. */
export function pcpSortKey({ last_name, first_name }: Pick<Pcp, 'last_name' | 'first_name'>): string {
  return `${fold(last_name)}\u0001${fold(first_name ?? '')}`
}

/** Reads one line with a name, a practice, a phone or fax number, or an NPI. */
export function readPcpLine(line: string): { words: string[]; digits: string } {
  const words: string[] = []
  let digits = ''
  for (const part of line.trim().split(/[\s,;]+/)) {
    if (/^[\d()+.-]+$/.test(part)) digits += digitsOf(part)
    else words.push(...fold(part).split(' ').filter(Boolean))
  }
  // “Dr.” says nothing about a provider, also while the user still types the name.
  return { words: words.filter((word) => word !== 'dr'), digits: digits.replace(/^1(?=\d{10}$)/, '') }
}

/**
 * Returns true when a line finds a provider: every word begins one of theirs, and the digits are in one of their
 * numbers. The server searches alike.
 */
export function isPcpOfLine(row: PcpCard, { words, digits }: ReturnType<typeof readPcpLine>): boolean {
  const own = ` ${pcpWords(row)}`
  const begins = (word: string) => own.includes(` ${word}`)
  return words.every(begins) && (begins(digits) || [row.phone, row.fax, row.npi].some((number) => number?.includes(digits)))
}

/** Returns the fields of the provider that stays, with its missing ones from the provider that goes. */
export function mergedPcp(stays: PcpInput, goes: PcpInput): PcpInput {
  const taken = Object.fromEntries(addressFields.map((field) => [field, goes[field]]))
  // A town alone gives way to a whole address.
  const isTaken = stays.street_address === null && (goes.street_address !== null || addressFields.every((field) => stays[field] === null))
  return {
    ...stays,
    first_name: stays.first_name ?? goes.first_name,
    credential: stays.credential ?? goes.credential,
    practice: stays.practice ?? goes.practice,
    specialty: stays.specialty ?? goes.specialty,
    phone: stays.phone ?? goes.phone,
    fax: stays.fax ?? goes.fax,
    npi: stays.npi ?? goes.npi,
    // Half of one address and half of another is no address.
    ...(isTaken && taken),
  }
}

const addressFields = ['street_address', 'address_line_2', 'city', 'state', 'zip_code'] as const

/** Returns only the fields of the form. */
export function pcpInputOf(row: PcpInput): PcpInput {
  return Object.fromEntries(pcpFieldNames.map((field) => [field, row[field]])) as PcpInput
}

/**
 * Returns the identity of a row across files: the NPI, which nobody shares, or the name with the fields that tell
 * namesakes apart.
 */
export function pcpIdentity(row: PcpInput): string {
  if (row.npi !== null) return `npi|${row.npi}`
  const name = fold([row.last_name, row.first_name ?? ''].join(' '))
  const place = row.phone ?? row.fax ?? fold([row.practice ?? '', row.zip_code ?? row.city ?? ''].join(' '))
  return ['name', name, place].join('|')
}
