import { type Kysely, type Selectable } from 'kysely'
import { type Patient, patient, type PatientInput } from '#contract/patients/patient.ts'
import { fold } from '#contract/core/folding.ts'
import { addressWords, nameKeys } from '#contract/patients/patient-search.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { PatientTable } from '#server/platform/db/tables/patient-tables.ts'

/** The columns that devices mirror, in the contract's order. */
export const patientColumns = Object.keys(patient.entries) as (keyof Patient)[]

export function selectPatients(db: Kysely<Schema>) {
  return db.selectFrom('patients').select(patientColumns.map((column) => `patients.${column}` as const))
}

export type PatientRow = Selectable<PatientTable>

/** The search keys of a patient's fields, as `contract/patients/patient-search.ts` compares them. */
export function searchColumns(fields: Omit<PatientInput, 'ssn'>) {
  const { names, order } = nameKeys(fields)
  return {
    name_words: names,
    last_name_words: fold(fields.last_name ?? ''),
    address_words: addressWords(fields),
    city_words: fold(fields.city),
    sort_key: order,
  } satisfies Partial<PatientRow>
}
