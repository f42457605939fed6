import type { Insertable, Updateable } from 'kysely'
import * as v from 'valibot'
import { type FieldProblem, Refusal } from '#contract/core/errors.ts'
import { birthDateProblem, type PatientChanges, patientFieldNames, patientInput, type PatientInput } from '#contract/patients/patient.ts'
import type { Database, RevisionScope } from '#server/platform/db/database.ts'
import { brokenReference } from '#server/platform/db/database-faults.ts'
import type { PatientTable } from '#server/platform/db/tables/patient-tables.ts'
import type { Applied } from '#server/platform/http/command-applier.ts'
import { defineUseCase, type UseCaseContext } from '#server/platform/http/use-case.ts'
import { audit, delivererOf } from '#server/domain/patients/audit.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'
import { searchColumns } from '#server/domain/patients/patient-row.ts'
import { standingPcp } from '#server/domain/patients/standing-pcp.ts'
import { sealSsn } from '#server/domain/patients/sealed-ssn.ts'
import { whoChanged } from '#server/domain/patients/who-changed.ts'
import type { Services } from '#server/platform/services.ts'

type PatientContext = UseCaseContext<'patient.create' | 'patient.edit'>

/** Registers a patient with the author's store. */
export const createPatient = defineUseCase('patient.create', {
  permission: 'patient.write',
  scopes: ({ store_id }) => [`patients:${store_id}`],
  apply: makePatient,
})

async function makePatient(context: UseCaseContext<'patient.create'>): Promise<Applied> {
  const { writing, services, body, actor, capturedAt } = context
  const storeId = actor.store_id
  const { id_patient: id, patient: given } = body
  const patient = { ...given, pcp_id: await standingPcp(writing.trx, given.pcp_id) }
  refuseProblems(birthDateProblem(patient.dob, today(services)), 'body.patient.dob')
  refuseProblems(responsibleProblem(id, patient.responsible_party_id), 'body.patient.responsible_party_id')
  const taken = await writing.trx.selectFrom('patients').select('id').where('id', '=', id).executeTakeFirst()
  if (taken) throw new Refusal('key-reused')
  const revision = writing.revision(`patients:${storeId}`)
  const row = patientRow(services, id, patient, { storeId, createdAt: capturedAt, createdBy: actor.id_user, revision })
  await withKnownReferences(() => writing.trx.insertInto('patients').values(row).execute())
  await audit(writing.trx, { ...told(context, id), action: 'patient.create', detail: namesOfGiven(patient) })
  return applied(id, row.revision)
}

type Made = { storeId: number; createdAt: string; createdBy: number | null; revision: number }

/** The database row of a new patient. */
export function patientRow(services: Services, id: string, patient: PatientInput, made: Made) {
  const { ssn, ...fields } = patient
  return {
    ...fields,
    ...ssnColumns(services, id, ssn),
    ...searchColumns(fields),
    id,
    store_id: made.storeId,
    created_at: made.createdAt,
    created_by: made.createdBy,
    version: 1,
    revision: made.revision,
  } satisfies Insertable<PatientTable>
}

/**
 * Changes the fields that the author changed. The server refuses the whole edit when somebody else has since changed
 * one of them differently: a user has to choose between the two.
 */
export const editPatient = defineUseCase('patient.edit', {
  permission: 'patient.write',
  scopes: ({ body, store_id, services }) => scopeOfPatient(services.db.pool, body.id_patient, store_id),
  apply: changePatient,
})

async function changePatient(context: UseCaseContext<'patient.edit'>): Promise<Applied> {
  const { writing, services, body, actor } = context
  const { id_patient: id } = body
  const changes = await withStandingPcp(writing.trx, body.changes)
  const row = await findPatient(writing.trx, actor, id)
  const given = { ...row, ssn: null }
  const conflicts: string[] = []
  const wanted: Record<string, unknown> = {}
  for (const [field, change] of Object.entries(changes) as [keyof PatientInput, PatientChanges[keyof PatientChanges]][]) {
    if (!change) continue
    // The author of a changed number never sees the former number, so there is nothing to compare.
    const now = field === 'ssn' ? null : given[field]
    if (now === change.to && field !== 'ssn') continue
    if (now !== change.from && field !== 'ssn') conflicts.push(field)
    wanted[field] = change.to
  }
  if (conflicts.length > 0) {
    const changed_by = await whoChanged(writing.trx, id, conflicts)
    throw new Refusal('patient-changed', { details: { fields: conflicts, version: row.version, changed_by } })
  }
  const whole = parsed({ ...Object.fromEntries(patientFieldNames.map((field) => [field, row[field]])), ...wanted }, Object.keys(wanted))
  if ('dob' in wanted) refuseProblems(birthDateProblem(whole.dob, today(services)), 'body.changes.dob')
  refuseProblems(responsibleProblem(id, whole.responsible_party_id), 'body.changes.responsible_party_id')
  const { ssn, ...fields } = whole
  const revision = writing.revision(`patients:${row.store_id}`)
  const update: Updateable<PatientTable> = {
    ...fields,
    ...('ssn' in wanted && ssnColumns(services, id, ssn)),
    ...searchColumns(fields),
    version: row.version + 1,
    revision,
  }
  if (Object.keys(wanted).length === 0) return applied(id, row.revision)
  await withKnownReferences(() => writing.trx.updateTable('patients').set(update).where('id', '=', id).execute())
  await audit(writing.trx, { ...told(context, id), action: 'patient.edit', detail: Object.keys(wanted).sort().join(', ') })
  return applied(id, revision)
}

/** Replaces a merged provider by the entry that stayed, for tablets that have not heard of the merge. */
async function withStandingPcp(trx: PatientContext['writing']['trx'], changes: PatientChanges): Promise<PatientChanges> {
  const change = changes.pcp_id
  if (!change) return changes
  const standing = async (value: typeof change.from) => (typeof value === 'string' ? await standingPcp(trx, value) : value)
  return { ...changes, pcp_id: { from: await standing(change.from), to: await standing(change.to) } }
}

/** The deliverer may see the receipt, so it names the row and says nothing of its content. */
function applied(id: string, revision: number): Applied {
  return { rows: [{ collection: 'patients', row: { id, revision } }] }
}

/** A record from an older version may lack fields that today's form requires. Only the changed fields must be valid. */
function parsed(given: Record<string, unknown>, changed: readonly string[]): PatientInput {
  const read = v.safeParse(patientInput, given)
  if (read.success) return read.output
  const problems: FieldProblem[] = []
  for (const issue of read.issues) {
    const field = String(issue.path?.[0]?.key)
    if (changed.includes(field)) problems.push({ path: `body.changes.${field}`, message: issue.message })
  }
  if (problems.length > 0) throw new Refusal('request-invalid', { fields: problems })
  return { ssn: null, ...given } as PatientInput
}

function ssnColumns(services: Services, id: string, ssn: string | null) {
  return ssn === null ? { ssn_sealed: null, ssn_last4: null } : { ssn_sealed: sealSsn(services.secrets, id, ssn), ssn_last4: ssn.slice(-4) }
}

export async function withKnownReferences<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (brokenReference(error) === null) throw error
    throw new Refusal('patient-reference-unknown')
  }
}

function responsibleProblem(id: string, idResponsible: string | null): string | null {
  return idResponsible === id ? 'must be someone else' : null
}

function refuseProblems(problem: string | null, path: string): void {
  if (problem !== null) throw new Refusal('request-invalid', { fields: [{ path, message: problem }] })
}

/** The latest date anywhere in the world, so that a child born there today is not from the future. */
export function today(services: Services): string {
  return new Date(services.clock.now() + 14 * 3_600_000).toISOString().slice(0, 10)
}

function told({ actor, deliverer, capturedAt }: PatientContext, id: string) {
  const deliveredBy = delivererOf(actor, deliverer)
  return { id_patient: id, at: capturedAt, by: actor, deliveredBy, store_id: actor.store_id, device_id: actor.device_id }
}

export function namesOfGiven(patient: PatientInput): string {
  return Object.entries(patient)
    .filter(([, value]) => value !== null && value !== false)
    .map(([field]) => field)
    .sort()
    .join(', ')
}

/**
 * The scope of a patient's rows: the store of the patient, or the given store for a patient registered in this very
 * batch.
 */
async function scopeOfPatient(db: Database['pool'], id: string, storeId: number): Promise<RevisionScope[]> {
  const row = await db.selectFrom('patients').select('store_id').where('id', '=', id).executeTakeFirst()
  return [`patients:${row?.store_id ?? storeId}`]
}
