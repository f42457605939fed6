import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { fold } from '#contract/core/folding.ts'
import { patientFields, patientInput, type PatientInput } from '#contract/patients/patient.ts'
import { text, uuid } from '#contract/core/primitives.ts'
import { mendedZip } from '#contract/core/zip-code.ts'

/** Spreadsheets drop the leading zeros of a ZIP, so they are put back here. */
function mendedOf(given: string | null): string | null | undefined {
  return mendedZip(given ?? '').zip
}

/** Rows go in batches of this many, each in one transaction. */
export const importBatch = 50

/** A row of a file: a patient by the rules of the form, and their number in the other system. */
const importRow = v.object({
  source_id: v.optional(v.nullable(text(200)), null),
  patient: v.object({
    ...patientInput.entries,
    zip_code: v.pipe(v.optional(v.nullable(v.string()), ''), v.transform(mendedOf), patientFields.zip_code),
  }),
})

export type ImportRow = v.InferOutput<typeof importRow>

/**
 * - `new`: nobody like this is on file; only in the answer to a check
 * - `imported`: it was written just now
 * - `already-there`: this row was imported before
 * - `same-person`: a patient of the store is certainly the same, by `isOnFile`
 */
const importVerdicts = ['new', 'imported', 'already-there', 'same-person'] as const

export const importPatients = endpoint({
  method: 'POST',
  path: '/api/patient/import',
  summary: 'Register a batch of patients from a file, all or none; patients already there are reported and not written again',
  access: 'patient.import',
  body: v.object({
    rows: v.pipe(v.array(importRow), v.minLength(1), v.maxLength(importBatch)),
    /** Only report the verdict on each row. */
    check_only: v.optional(v.boolean(), false),
  }),
  response: v.object({
    results: v.array(v.object({ verdict: v.picklist(importVerdicts), id_patient: v.nullable(uuid) })),
  }),
  refuses: ['patient-reference-unknown'],
  bodyLimit: 1024 * 1024,
})

export const patientImportEndpoints = { importPatients }

type Identified = Pick<PatientInput, 'first_name' | 'middle_name' | 'last_name' | 'dob' | 'phone' | 'street_address' | 'zip_code'>

/**
 * Returns the identity of a row across files. Each system has its own numbers, so a number counts only together with
 * the birth date, or with the name when the date is unknown.
 */
export function rowIdentity(sourceId: string | null, patient: Identified): string {
  const name = fold([patient.last_name ?? '', patient.first_name, patient.middle_name ?? ''].join(' ')).trim()
  if (sourceId?.trim()) return ['source', sourceId.trim(), patient.dob ?? name].join('|')
  const place = patient.dob === null && patient.phone === null ? fold(`${patient.street_address} ${patient.zip_code}`) : ''
  return ['person', name, patient.dob ?? '', patient.phone ?? '', place].join('|')
}
