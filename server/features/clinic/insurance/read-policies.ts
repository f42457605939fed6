import { type Kysely, sql } from 'kysely'
import { type Insurance, type InsuranceHolder, insurancePriorities, photoSides } from '#contract/insurance/insurance.ts'
import { patientName } from '#contract/patients/patient.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { storesInSight } from '#server/domain/patients/patient-access.ts'

/** The columns that take the form's values unchanged. */
export const policyColumns = [
  'company_id',
  'plan_id',
  'coverage_type_id',
  'member_id',
  'group_no',
  'bin',
  'payer_id',
  'effective_date',
  'term_date',
  'in_network',
  'subscriber_name',
  'subscriber_dob',
  'benefits',
  'auth_number',
  'auth_obtained_at',
  'auth_expires_at',
  'services_authorised',
  'eligibility_checked_at',
  'eligibility_raw',
] as const

/**
 * Returns all policies of a patient, or the named one, by priority. The caller must be allowed to see the patient.
 * Holders in stores that the caller may not see come without name, birth date, SSN and priority.
 */
export async function policiesOf(db: Kysely<Schema>, scope: Scope, idPatient: string, idInsurance?: string): Promise<Insurance[]> {
  const rows = await db
    .selectFrom('insurance_holders as own')
    .innerJoin('insurances', 'insurances.id_insurance', 'own.id_insurance')
    .leftJoin('insurance_companies as company', 'company.company_id', 'insurances.company_id')
    .leftJoin('insurance_plans as plan', 'plan.plan_id', 'insurances.plan_id')
    .leftJoin('insurance_coverage_types as coverage', 'coverage.coverage_type_id', 'insurances.coverage_type_id')
    .select(policyColumns.map((column) => `insurances.${column}` as const))
    .select(['insurances.id_insurance', 'insurances.created_at', 'insurances.version'])
    .select(['own.id_patient', 'own.relationship', 'own.priority', 'own.used'])
    .select(['company.name as company_name', 'plan.name as plan_name', 'coverage.name as coverage_type'])
    .where('own.id_patient', '=', idPatient)
    .$if(idInsurance !== undefined, (query) => query.where('own.id_insurance', '=', idInsurance ?? ''))
    .orderBy('insurances.created_at')
    .execute()
  const ids = rows.map(({ id_insurance }) => id_insurance)
  const [holders, photos] = await Promise.all([holdersOf(db, scope, ids), photosOf(db, ids)])
  const place = (priority: Insurance['priority']) =>
    priority === null ? insurancePriorities.length : insurancePriorities.indexOf(priority)
  return rows
    .map((row) => ({
      ...row,
      holders: holders.get(row.id_insurance) ?? [],
      ...Object.fromEntries(
        photoSides.map((side) => [`${side}_photo`, photos.has(`${row.id_insurance} ${side}`) ? photoPath(row, side) : null]),
      ),
    }))
    .map((row) => row as Insurance)
    .sort((a, b) => place(a.priority) - place(b.priority))
}

function photoPath({ id_insurance, id_patient }: { id_insurance: string; id_patient: string }, side: string): string {
  return `/api/patient/insurance/${id_insurance}/patient/${id_patient}/photo/${side}`
}

async function holdersOf(db: Kysely<Schema>, scope: Scope, ids: readonly string[]): Promise<Map<string, InsuranceHolder[]>> {
  const found = new Map<string, InsuranceHolder[]>()
  if (ids.length === 0) return found
  const stores = await storesInSight(db, scope)
  const rows = await db
    .selectFrom('insurance_holders as holder')
    .innerJoin('patients', 'patients.id', 'holder.id_patient')
    .select(['holder.id_insurance', 'holder.id_patient', 'holder.relationship', 'holder.priority'])
    .select(['patients.first_name', 'patients.middle_name', 'patients.last_name', 'patients.pref'])
    .select(['patients.dob', 'patients.ssn_last4', 'patients.store_id'])
    .where('holder.id_insurance', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy(sql`holder.relationship = 'self'`, 'desc')
    .orderBy('patients.dob')
    .orderBy('patients.id')
    .execute()
  for (const row of rows) {
    const { id_insurance, id_patient, relationship, priority, dob, ssn_last4, store_id } = row
    const seen = stores === null || stores.includes(store_id)
    const person = seen ? { name: patientName(row), dob, ssn_last4 } : { name: null, dob: null, ssn_last4: null }
    const list = found.get(id_insurance) ?? []
    found.set(id_insurance, [...list, { id_patient, relationship, priority: seen ? priority : null, ...person }])
  }
  return found
}

async function photosOf(db: Kysely<Schema>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('insurance_photos')
    .select(['id_insurance', 'side'])
    .where('id_insurance', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
  return new Set(rows.map(({ id_insurance, side }) => `${id_insurance} ${side}`))
}
