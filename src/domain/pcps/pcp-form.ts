import { formatPhone } from '#contract/patients/patient.ts'
import * as v from 'valibot'
import { type Pcp, type PcpField, pcpFieldNames, pcpInput, type PcpInput } from '#contract/patients/pcp.ts'
import { readAs } from '#src/sync/device/read-as.ts'

type TextField = Exclude<PcpField, 'inactive'>
export type PcpForm = Record<TextField, string> & { inactive: boolean }

export const pcpLabels: Record<PcpField, string> = {
  last_name: 'Last name',
  first_name: 'First name',
  credential: 'Credential',
  practice: 'Practice',
  specialty: 'Specialty',
  phone: 'Phone',
  fax: 'Fax',
  street_address: 'Address',
  address_line_2: 'Address line 2',
  city: 'City',
  state: 'State',
  zip_code: 'ZIP',
  npi: 'NPI',
  inactive: 'Inactive',
}

/**
 * A provider in the form. `id`: a new provider has an id from the first word on, so that a repeated save adds them
 * once. `version`: the version that the form is based on, so that a save never overwrites a newer change; null for a
 * new provider.
 */
export type PcpDraft = { id: string; version: number | null; form: PcpForm }

export const readPcpDraft = readAs(
  v.object({
    id: v.string(),
    version: v.nullable(v.number()),
    form: v.custom<PcpForm>(
      (given) => v.is(v.record(v.string(), v.union([v.string(), v.boolean()])), given) && pcpFieldNames.every((field) => field in given),
    ),
  }),
)

export function draftOfPcp(row: Pcp): PcpDraft {
  return { id: row.id_pcp, version: row.version, form: formOfPcp(row) }
}

export function formOfPcp(row: Partial<Record<PcpField, string | boolean | null>>): PcpForm {
  const form: Record<string, string | boolean> = {}
  for (const field of pcpFieldNames) {
    const value = row[field]
    if (field === 'inactive') form[field] = value === true
    else form[field] = field === 'phone' || field === 'fax' ? formatPhone(String(value ?? '')) : String(value ?? '')
  }
  return form as PcpForm
}

/** The first values of a new provider, from the search line. The last word is the last name. */
export function formOfLine(line: string): PcpForm {
  const words = line
    .replace(/^\s*dr\.?\s+/i, '')
    .trim()
    .split(/\s+/)
  if (/\d/.test(line)) return formOfPcp({})
  return formOfPcp({ last_name: words.at(-1) ?? '', first_name: words.slice(0, -1).join(' ') })
}

type Problems = Partial<Record<string, string>>
export type ReadPcp = { ok: true; input: PcpInput } | { ok: false; problems: Problems }

/** Reads the form by the rules of the contract. */
export function readPcpForm(form: PcpForm): ReadPcp {
  const read = v.safeParse(pcpInput, form)
  if (read.success) return { ok: true, input: read.output }
  const problems: Problems = {}
  for (const { path, message } of read.issues) problems[String(path?.[0]?.key)] ??= message
  return { ok: false, problems }
}

/** The value of a field, in words. */
export function pcpWordsOf(row: PcpInput, field: PcpField): string {
  const value = row[field]
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (value === null) return '–'
  return field === 'phone' || field === 'fax' ? formatPhone(value) : value
}

/** The address in lines; null when it is empty. */
export function pcpAddress(
  row: Pick<{ [F in TextField]: string | null }, 'street_address' | 'address_line_2' | 'city' | 'state' | 'zip_code'>,
): string | null {
  const town = [row.city, [row.state, row.zip_code].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return [row.street_address, row.address_line_2, town].filter(Boolean).join('\n') || null
}
