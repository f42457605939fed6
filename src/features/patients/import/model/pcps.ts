import * as v from 'valibot'
import { pcpIdentity, pcpInput, type PcpInput } from '#contract/patients/pcp.ts'
import { pcpEndpoints, pcpImportBatch } from '#contract/patients/pcps.ts'
import { mendedZip } from '#contract/core/zip-code.ts'
import { writtenState } from './columns.ts'
import type { ImportKind, ReadRow } from './import-kind.ts'

const targets = {
  last_name: { label: 'Last name', names: ['last', 'lastname', 'surname', 'family name', 'provider last name'] },
  first_name: { label: 'First name', names: ['first', 'firstname', 'given name', 'provider first name'] },
  full_name: { label: 'Full name', names: ['name', 'provider', 'provider name', 'doctor', 'physician', 'whole name', 'pcp'] },
  credential: { label: 'Credential', names: ['credentials', 'title', 'degree', 'suffix'] },
  practice: { label: 'Practice', names: ['practice name', 'organization', 'organisation', 'company', 'clinic', 'group'] },
  specialty: { label: 'Specialty', names: ['speciality', 'taxonomy', 'field'] },
  phone: { label: 'Phone', names: ['phone number', 'telephone', 'office phone', 'tel'] },
  fax: { label: 'Fax', names: ['fax number', 'office fax'] },
  street_address: { label: 'Address', names: ['street', 'street address', 'address 1', 'address1', 'address line 1'] },
  address_line_2: { label: 'Address line 2', names: ['address 2', 'address2', 'suite', 'unit'] },
  city: { label: 'City', names: ['town'] },
  state: { label: 'State', names: ['st', 'province'] },
  zip_code: { label: 'ZIP', names: ['zip', 'zipcode', 'zip code', 'postal code', 'postcode'] },
  npi: { label: 'NPI', names: ['npi number', 'national provider identifier'] },
} as const satisfies ImportKind<never>['targets']

/** Reads `Marsh, Helen, MD`, `Dr. Helen Marsh, MD` and `Helen Marsh MD` as the same three parts. */
export function nameParts(given: string): Pick<PcpInput, 'last_name' | 'first_name' | 'credential'> {
  const isCredential = (text: string) => /^(?:[A-Z]\.?){2,4}(?:-[A-Z])?$/.test(text) && !/^(?:II|III|IV)$/.test(text)
  const parts = given
    .replace(/^\s*dr\.?\s+/i, '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const credentials: string[] = []
  while (parts.length > 1 && isCredential(parts.at(-1) ?? '')) credentials.unshift(parts.pop() ?? '')
  const [head = '', ...rest] = parts
  const credential = credentials.join(', ') || null
  if (rest.length > 0) return { last_name: head, first_name: rest.join(' '), credential }
  const words = head.split(/\s+/)
  const isShouted = head === head.toUpperCase()
  const last = words.length > 2 && !isShouted && isCredential(words.at(-1) ?? '') ? words.pop() : undefined
  return { last_name: words.at(-1) ?? '', first_name: words.slice(0, -1).join(' ') || null, credential: credential ?? last ?? null }
}

/** Reads a row with the rules of the form. Corrects only how a value is written, never its meaning. */
function readRow({ full_name: whole = '', ...given }: Partial<Record<string, string>>): ReadRow<PcpInput> {
  const named = given['last_name'] || whole === '' ? {} : nameParts(whole)
  const filled = Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ''))
  const zip = mendedZip(given['zip_code'] ?? '')
  const read = v.safeParse(pcpInput, { ...named, ...filled, state: writtenState(given['state']), zip_code: zip.zip })
  if (read.success) {
    const notices = zip.notice === null ? [] : [{ field: targets.zip_code.label, message: zip.notice }]
    return { row: read.output, problems: null, notices }
  }
  const problems: { field: string; message: string }[] = []
  for (const { path, message } of read.issues) {
    const key = String(path?.[0]?.key)
    const field = (targets as ImportKind<never>['targets'])[key]?.label ?? key
    // The first problem of a field is enough.
    if (!problems.some((told) => told.field === field)) problems.push({ field, message })
  }
  return { row: null, problems }
}

const timeoutMs = 30_000

/** Imports primary care providers into the list of all stores. */
export const pcpsKind: ImportKind<PcpInput> = {
  memory: 'pcp-import-columns',
  targets,
  missing: (mapped) => (mapped.has('last_name') || mapped.has('full_name') ? [] : ['Last name or Full name']),
  readRow,
  identity: pcpIdentity,
  batch: pcpImportBatch,
  async send(device, rows, checkOnly) {
    const answer = await device.call(pcpEndpoints.importPcps, { body: { rows, check_only: checkOnly } }, { timeoutMs })
    if (!answer.ok) return answer
    return { ok: true, value: answer.value.results.map(({ verdict, id_pcp }) => ({ verdict, id: id_pcp })) }
  },
  words: {
    one: 'provider',
    needs: 'Providers can’t be added without',
    after: 'They’re in the list for all stores.',
    comparing: 'Comparing with the list',
    known: 'for providers already in the list',
    same: 'the list already has this NPI, or this name with the same phone, fax or practice',
  },
  placeOf: () => null,
}
