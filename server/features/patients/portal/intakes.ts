import { type Kysely, sql } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import { type PatientChanges, patientName } from '#contract/patients/patient.ts'
import {
  type Intake,
  type IntakeAnswers,
  type IntakeField,
  intakeFieldNames,
  type IntakeHead,
  portalPageSize,
} from '#contract/patients/portal.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { nowOf, told } from '#server/features/patients/portal/invitations.ts'
import { runCommand } from '#server/platform/http/run-command.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { audit, auditView } from '#server/domain/patients/audit.ts'
import { findPatient, storesInSight } from '#server/domain/patients/patient-access.ts'
import { editPatient } from '#server/domain/patients/save-patient.ts'
import type { Services } from '#server/platform/services.ts'

type Asking = { services: Services; scope: Scope; headers: Headers; address: string }
type Wanted = { stores?: readonly number[] | null; reviewed?: boolean; id?: string }
type Take = { field: IntakeField; from: string | null }[]

/** Forms from patients of the user's stores: new ones with the oldest first, reviewed ones with the newest first. */
export async function listIntakes({ services, scope }: Asking, reviewed: boolean, page: number) {
  const { pool } = services.db
  const stores = await storesInSight(pool, scope)
  const [rows, total] = await Promise.all([readRows(pool, { stores, reviewed }, page), countIntakes(pool, { stores, reviewed })])
  return { intakes: rows.map(headOf), total }
}

export async function countIntakes(db: Kysely<Schema>, wanted: Wanted): Promise<number> {
  const counted = await matching(db, wanted)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirst()
  return counted?.total ?? 0
}

export async function readIntake({ services, scope }: Asking, id: string): Promise<Intake> {
  const { pool } = services.db
  const found = await neededIntake(pool, scope, id)
  await auditView(pool, { ...told(scope, found.id_patient, nowOf(services)), action: 'patient.view', detail: 'portal intake' })
  return await intakeById(services, scope, id)
}

/**
 * Accepts fields of a form into the record, by the rule of a user's edit and in its transaction. The server refuses a
 * field that somebody has changed since. A repeated call gets the current form.
 */
export async function mergeIntake(call: Asking, id: string, take: Take): Promise<Intake> {
  const { services, scope } = call
  const { id_patient, answers } = await neededIntake(services.db.pool, scope, id)
  const changes: PatientChanges = {}
  for (const { field, from } of take) {
    if (answers[field] === null) {
      throw new Refusal('request-invalid', { fields: [{ path: 'body.take', message: `${field} wasn’t filled in` }] })
    }
    changes[field] = { from, to: answers[field] }
  }
  const taken = take.map(({ field }) => field).sort()
  const isRepeat = async () => {
    const row = await neededIntake(services.db.pool, scope, id)
    if (row.taken === null) return false
    if (row.reviewed_by !== scope.id_user || row.taken.join() !== taken.join()) throw new Refusal('intake-settled')
    return true
  }
  if (!(await isRepeat())) {
    try {
      await runCommand(
        // A key of the call would belong to an edit of the patient. Here the form itself can be reviewed only once.
        { ...call, headers: new Headers() },
        {
          ...editPatient,
          apply: async (context) => {
            const { trx } = context.writing
            const at = context.capturedAt
            const settled = await trx
              .updateTable('portal_intakes')
              .set({ reviewed_at: at, reviewed_by: scope.id_user, rep: scope.name, taken })
              .where('id', '=', id)
              .where('reviewed_at', 'is', null)
              .returning('id')
              .executeTakeFirst()
            if (!settled) throw new Refusal('intake-settled')
            await audit(trx, { ...told(scope, id_patient, at), action: 'portal.intake-review', detail: taken.join(', ') })
            return await editPatient.apply(context)
          },
        },
        () => ({ id_patient, changes }),
      )
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'intake-settled' || !(await isRepeat())) throw error
    }
  }
  return await intakeById(services, scope, id)
}

async function neededIntake(db: Kysely<Schema>, scope: Scope, id: string) {
  const row = await db
    .selectFrom('portal_intakes')
    .select(['id_patient', 'answers', 'taken', 'reviewed_by'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Refusal('intake-unknown')
  await findPatient(db, scope, row.id_patient)
  return row
}

async function intakeById(services: Services, scope: Scope, id: string): Promise<Intake> {
  const [row] = await readRows(services.db.pool, { id })
  if (!row) throw new Refusal('intake-unknown')
  const patient = await findPatient(services.db.pool, scope, row.id_patient)
  const fields = intakeFieldNames.flatMap((field) => {
    const sent = row.answers[field]
    return sent === null ? [] : [{ field, sent, on_file: patient[field] }]
  })
  return { ...headOf(row), insurance: row.answers.insurance, fields }
}

type FoundRow = Awaited<ReturnType<typeof readRows>>[number]

function headOf({ answers, rep, first_name, middle_name, last_name, pref, ...row }: FoundRow): IntakeHead {
  return {
    ...row,
    patient_name: patientName({ first_name, middle_name, last_name, pref }),
    reviewed_by: rep,
    filled: Object.values<IntakeAnswers[keyof IntakeAnswers]>(answers).filter((answer) => answer !== null).length,
  }
}

async function readRows(db: Kysely<Schema>, wanted: Wanted, page = 1) {
  return await matching(db, wanted)
    .innerJoin('stores', 'stores.store_id', 'patients.store_id')
    .select(['intake.id', 'intake.id_patient', 'intake.at', 'intake.answers', 'intake.taken', 'intake.reviewed_at', 'intake.rep'])
    .select(['stores.store_name', 'patients.first_name', 'patients.middle_name', 'patients.last_name', 'patients.pref'])
    .orderBy('intake.at', wanted.reviewed ? 'desc' : 'asc')
    .orderBy('intake.id')
    .limit(portalPageSize)
    .offset((page - 1) * portalPageSize)
    .execute()
}

function matching(db: Kysely<Schema>, { stores = null, reviewed, id }: Wanted) {
  let query = db.selectFrom('portal_intakes as intake').innerJoin('patients', 'patients.id', 'intake.id_patient')
  if (stores !== null) query = query.where('patients.store_id', '=', sql<number>`any(${stores}::int[])`)
  if (reviewed !== undefined) query = query.where('intake.reviewed_at', reviewed ? 'is not' : 'is', null)
  if (id !== undefined) query = query.where('intake.id', '=', id)
  return query
}
