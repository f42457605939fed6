import { type Expression, type Kysely, sql, type SqlBool } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import {
  isEmptyQuery,
  numberIn,
  type PatientCriteria,
  patientPageSize,
  type PatientQuery,
  readCriteria,
  UnreadableCriterion,
} from '#contract/patients/patient-search.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { storesInSight } from '#server/domain/patients/patient-access.ts'
import { selectPatients } from '#server/domain/patients/patient-row.ts'

/** @throws Refusal request-invalid with the field that cannot be read */
export function criteriaOf(criteria: PatientCriteria): PatientQuery {
  try {
    return readCriteria(criteria)
  } catch (error) {
    if (!(error instanceof UnreadableCriterion)) throw error
    throw new Refusal('request-invalid', { fields: [{ path: `query.${error.field}`, message: error.message }] })
  }
}

/**
 * Returns one page of matching patients in the user's stores. An empty query finds nobody. It matches as `isMatch`
 * does.
 */
export async function findPatients(db: Kysely<Schema>, scope: Scope, query: PatientQuery, page: number, today: string) {
  if (isEmptyQuery(query)) return { patients: [], total: 0, page }
  const conditions = conditionsOf(query, today)
  const stores = await storesInSight(db, scope)
  if (stores !== null) conditions.push(sql<SqlBool>`patients.store_id = any(${stores}::int[])`)
  const matching = (eb: { and: (all: Expression<SqlBool>[]) => Expression<SqlBool> }) => eb.and(conditions)
  const [patients, [counted]] = await Promise.all([
    selectPatients(db)
      .innerJoin('stores', 'stores.store_id', 'patients.store_id')
      .select('stores.store_name')
      .where((eb) => matching(eb))
      .orderBy('patients.sort_key')
      .orderBy('patients.id')
      .limit(patientPageSize)
      .offset((page - 1) * patientPageSize)
      .execute(),
    db
      .selectFrom('patients')
      .select(sql<number>`count(*)`.as('total'))
      .where((eb) => matching(eb))
      .execute(),
  ])
  return { patients, total: counted?.total ?? 0, page }
}

/** Folded words hold letters and digits only, so LIKE finds no special characters in them. */
function conditionsOf(query: PatientQuery, today: string): Expression<SqlBool>[] {
  const found: Expression<SqlBool>[] = []
  const beginsWord = (text: Expression<unknown>, word: string) => found.push(sql<SqlBool>`' ' || ${text} like ${`% ${word}%`}`)
  const escaped = (text: string) => text.replace(/[\\%_]/g, String.raw`\$&`)
  if (!query.inactive) found.push(sql<SqlBool>`not patients.inactive`)
  for (const word of query.words) beginsWord(sql.ref('patients.name_words'), word)
  for (const word of query.lastName) beginsWord(sql.ref('patients.last_name_words'), word)
  for (const word of query.address) beginsWord(sql.ref('patients.address_words'), word)
  if (query.dob !== null) found.push(sql<SqlBool>`patients.dob = ${query.dob}::date`)
  if (query.bornIn !== null) found.push(sql<SqlBool>`extract(year from patients.dob) = ${Number(query.bornIn)}`)
  if (query.phone !== null) {
    const inPhones = sql<SqlBool>`concat_ws(' ', patients.phone, patients.phone_home, patients.cell_work) like ${`%${query.phone}%`}`
    const number = numberIn(query.phone)
    found.push(number === null ? inPhones : sql<SqlBool>`(${inPhones} or patients.patient_no = ${number})`)
  }
  if (query.state !== null) found.push(sql<SqlBool>`patients.state = ${query.state}`)
  if (query.city !== null) found.push(sql<SqlBool>`patients.city_words like ${`${query.city}%`}`)
  if (query.zip !== null) found.push(sql<SqlBool>`patients.zip_code like ${`${escaped(query.zip)}%`}`)
  if (query.age !== null) {
    found.push(sql<SqlBool>`extract(year from age(${today}::date, patients.dob)) = ${query.age}`)
  }
  if (query.priority !== null) found.push(sql<SqlBool>`patients.priority = ${query.priority}`)
  if (query.providerId !== null) found.push(sql<SqlBool>`patients.preferred_provider_id = ${query.providerId}`)
  if (query.storeId !== null) found.push(sql<SqlBool>`coalesce(patients.preferred_store_id, patients.store_id) = ${query.storeId}`)
  if (query.insuranceName !== null || query.coverage !== null) found.push(isInsured(query.insuranceName, query.coverage))
  if (query.lastExam !== null) found.push(sql<SqlBool>`patients.last_exam_date >= ${query.lastExam}::date`)
  return found
}

/**
 * True when the patient has a policy of this company or plan and coverage, in force or not. Each word matches as a
 * prefix.
 */
function isInsured(name: string | null, coverage: string | null): Expression<SqlBool> {
  const words = (name ?? '').split(' ').filter(Boolean)
  const company = words.map((word) => sql`' ' || company.name_words || ' ' || coalesce(plan.name_words, '') like ${`% ${word}%`}`)
  const covered = coverage === null ? [] : [sql`(coverage.key = ${coverage} or coverage.name_words = ${coverage})`]
  return sql<SqlBool>`exists (
    select from insurance_holders as holder
    join insurances as policy on policy.id_insurance = holder.id_insurance
    join insurance_companies as company on company.company_id = policy.company_id
    join insurance_coverage_types as coverage on coverage.coverage_type_id = policy.coverage_type_id
    left join insurance_plans as plan on plan.plan_id = policy.plan_id
    where holder.id_patient = patients.id and ${sql.join([...company, ...covered], sql` and `)}
  )`
}
