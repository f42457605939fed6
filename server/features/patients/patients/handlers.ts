import { type Kysely, sql } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import { type PatientChanges, patientFieldNames, type PatientInput } from '#contract/patients/patient.ts'
import { auditPageSize, readLine } from '#contract/patients/patient-search.ts'
import type { PatientRecord } from '#contract/patients/patients.ts'
import { dayOf } from '#contract/people/time-clock.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { criteriaOf, findPatients } from '#server/features/patients/patients/find-patients.ts'
import { whoChanged } from '#server/domain/patients/who-changed.ts'
import { importPatients } from '#server/features/patients/patients/import-patients.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { runCommand } from '#server/platform/http/run-command.ts'
import { audit, auditView } from '#server/domain/patients/audit.ts'
import { createPatient, editPatient } from '#server/domain/patients/save-patient.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'
import { patientColumns, type PatientRow } from '#server/domain/patients/patient-row.ts'
import { maskedSsn, openSsn } from '#server/domain/patients/sealed-ssn.ts'
import { personName } from '#server/domain/people/person-name.ts'
import { noteSecurityEvent } from '#server/domain/people/security-log.ts'
import { timeZoneOf } from '#server/domain/people/time-zone-of.ts'
import type { Services } from '#server/platform/services.ts'

/** Patients: finding, reading and changing them, with their audit. */
export const patientHandlers: HandlersOf<
  | 'addPatient'
  | 'readPatient'
  | 'changePatient'
  | 'lookUpPatients'
  | 'searchPatients'
  | 'revealSsn'
  | 'patientAudit'
  | 'patientChoices'
  | 'paymentMethods'
  | 'importPatients'
> = {
  async addPatient(call) {
    const { id: given, ...patient } = call.body
    const make = (commandId: string) => ({ id_patient: given?.toLowerCase() ?? commandId, patient })
    const { rows } = await runCommand(call, createPatient, make, given ?? null)
    const { pool } = call.services.db
    return await recordOf(pool, await findPatient(pool, call.scope, String(rows[0]?.row['id'])))
  },

  async readPatient({ services, scope, params, query }) {
    const row = await findPatient(services.db.pool, scope, params.id)
    await auditView(services.db.pool, { ...told(services, scope, row), action: 'patient.view', detail: 'record', reason: query.reason })
    return await recordOf(services.db.pool, row)
  },

  async changePatient(call) {
    const { services, scope, params } = call
    const { version, ...patient } = call.body
    const row = await findPatient(services.db.pool, scope, params.id)
    const changes = changesBetween(row, patient)
    // A caller who names a version gets a refusal when it is not the newest, even when other fields have changed.
    if (version !== undefined && version !== row.version) {
      const fields = Object.keys(changes)
      const changed_by = await whoChanged(services.db.pool, row.id, fields)
      throw new Refusal('patient-changed', { details: { fields, version: row.version, changed_by } })
    }
    await runCommand(call, editPatient, () => ({ id_patient: row.id, changes }))
    return await recordOf(services.db.pool, await findPatient(services.db.pool, scope, row.id))
  },

  async lookUpPatients({ services, scope, query: { page, ...criteria } }) {
    return await noted(services, await findPatients(services.db.pool, scope, criteriaOf(criteria), page, await today(services, scope)))
  },

  async searchPatients({ services, scope, query }) {
    return await noted(
      services,
      await findPatients(services.db.pool, scope, readLine(query.query), query.page, await today(services, scope)),
    )
  },

  async revealSsn({ services, scope, params, body }) {
    const row = await findPatient(services.db.pool, scope, params.id)
    // The audit comes first: a number is not shown when the look cannot be audited.
    await audit(services.db.pool, { ...told(services, scope, row), action: 'patient.reveal-ssn', reason: body.reason })
    await noteSecurityEvent(services, { kind: 'ssn-revealed', id_patient: row.id })
    return { ssn: row.ssn_sealed === null ? null : openSsn(services.secrets, row.id, row.ssn_sealed) }
  },

  async patientAudit({ services, scope, params, query }) {
    const { id } = await findPatient(services.db.pool, scope, params.id)
    const { pool } = services.db
    const [entries, counted] = await Promise.all([
      pool
        .selectFrom('patient_audit as entry')
        .leftJoin('stores', 'stores.store_id', 'entry.store_id')
        .select([
          'entry.id',
          'entry.at',
          'entry.rep',
          'stores.store_name',
          'entry.device_id',
          'entry.action',
          'entry.detail',
          'entry.reason',
        ])
        .select(['entry.offline', 'entry.delivered_by'])
        .where('entry.id_patient', '=', id)
        .orderBy('entry.at', 'desc')
        .orderBy('entry.id', 'desc')
        .limit(auditPageSize)
        .offset((query.page - 1) * auditPageSize)
        .execute(),
      pool
        .selectFrom('patient_audit')
        .select(sql<number>`count(*)`.as('total'))
        .where('id_patient', '=', id)
        .executeTakeFirst(),
    ])
    return { entries, total: counted?.total ?? 0 }
  },

  async patientChoices({ services }) {
    const { pool } = services.db
    const [providers, locations] = await Promise.all([
      pool
        .selectFrom('users')
        .select(['id_user', sql<string>`${personName('users')}`.as('name')])
        .where(sql<boolean>`'doctor' = any(role_ids)`)
        .where('disabled_at', 'is', null)
        .orderBy('last_name')
        .execute(),
      pool.selectFrom('stores').select(['store_id', 'store_name']).where('is_warehouse', '=', false).orderBy('store_name').execute(),
    ])
    return { providers, locations }
  },

  async importPatients({ services, scope, body }) {
    return { results: await importPatients(services, scope, body.rows, body.check_only) }
  },

  async paymentMethods() {
    return { payment_methods: paymentMethods }
  },
}

const paymentMethods = [
  { key: 'cash', title: 'Cash' },
  { key: 'check', title: 'Check' },
  { key: 'visa', title: 'Visa' },
  { key: 'mc', title: 'Mastercard' },
  { key: 'amex', title: 'American Express' },
  { key: 'discover', title: 'Discover' },
  { key: 'debit', title: 'Debit card' },
  { key: 'care_credit', title: 'CareCredit' },
  { key: 'fsa_hsa', title: 'FSA or HSA card' },
  { key: 'gift_card', title: 'Gift card' },
  { key: 'patient_balance', title: 'Patient balance' },
  { key: 'insurance', title: 'Insurance' },
]

async function recordOf(db: Kysely<Schema>, row: PatientRow): Promise<PatientRecord> {
  const about = await db
    .selectFrom('stores')
    .select(['store_name', hasHistory(row.id).as('has_history')])
    .where('store_id', '=', row.store_id)
    .executeTakeFirstOrThrow()
  const mirrored = Object.fromEntries(patientColumns.map((column) => [column, row[column]])) as Pick<
    PatientRow,
    (typeof patientColumns)[number]
  >
  const is_new = row.last_exam_date === null && !about.has_history
  return { ...mirrored, ssn: maskedSsn(row.ssn_last4), store_name: about.store_name, is_new }
}

/** True when the patient has any history. Each of these tables has an index for the question. */
function hasHistory(id: string) {
  const tables = ['insurance_holders', 'prescriptions', 'appointments', 'invoices']
  const rows = tables.map((table) => sql`exists (select from ${sql.table(table)} where id_patient = ${id}::uuid)`)
  return sql<boolean>`(${sql.join(rows, sql` or `)})`
}

/** The differences between a patient and their row. An SSN that is omitted, or sent masked, stays. */
function changesBetween(row: PatientRow, patient: PatientInput): PatientChanges {
  const changes: PatientChanges = {}
  for (const field of patientFieldNames) if (row[field] !== patient[field]) changes[field] = { from: row[field], to: patient[field] }
  if (patient.ssn !== null) changes.ssn = { from: null, to: patient.ssn }
  return changes
}

function told(services: Services, scope: Scope, row: PatientRow) {
  return {
    id_patient: row.id,
    at: new Date(services.clock.now()).toISOString(),
    by: scope,
    store_id: scope.store_id,
    device_id: tabletOf(scope),
  }
}

/** Returns the page of a search after logging it. The log leaves out the search text. */
async function noted<Page extends { patients: readonly unknown[] }>(services: Services, page: Page): Promise<Page> {
  if (page.patients.length > 0) await noteSecurityEvent(services, { kind: 'patients-searched', times: page.patients.length })
  return page
}

/** The date in the store where the user works now. */
async function today({ db, clock }: Services, { store_id }: Scope): Promise<string> {
  return dayOf(clock.now(), await timeZoneOf(db.pool, store_id))
}
