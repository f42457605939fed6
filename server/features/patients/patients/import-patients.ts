import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type FieldProblem, Refusal } from '#contract/core/errors.ts'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import { isOnFile } from '#contract/patients/patient-likeness.ts'
import { birthDateProblem, type PatientInput } from '#contract/patients/patient.ts'
import { type ImportRow, type importPatients as importCall, rowIdentity } from '#contract/patients/patient-import.ts'
import type { Writing } from '#server/platform/db/database.ts'
import type { PatientTable } from '#server/platform/db/tables/patient-tables.ts'
import { namesOfGiven, patientRow, today, withKnownReferences } from '#server/domain/patients/save-patient.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { auditAll } from '#server/domain/patients/audit.ts'
import { searchColumns } from '#server/domain/patients/patient-row.ts'
import { standingPcp } from '#server/domain/patients/standing-pcp.ts'
import type { Services } from '#server/platform/services.ts'

type Results = ResponseOf<typeof importCall>['results']

/** One batch of a file, in one transaction. Writers of a store's patients wait for each other, so that two windows with one file bring it once. */
export async function importPatients(services: Services, scope: Scope, rows: readonly ImportRow[], checkOnly: boolean): Promise<Results> {
  const day = today(services)
  const fields = rows.flatMap(({ patient }, at): FieldProblem[] => {
    const message = birthDateProblem(patient.dob, day)
    return message === null ? [] : [{ path: `body.rows.${at}.patient.dob`, message }]
  })
  if (fields.length > 0) throw new Refusal('request-invalid', { fields })
  if (checkOnly) return (await judge(services.db.pool, scope.store_id, rows)).map(told)
  return await services.db.write([`patients:${scope.store_id}`], async (writing) => {
    const judged = await judge(writing.trx, scope.store_id, rows)
    await write(services, scope, writing, judged)
    return judged.map((row) => (row.verdict === 'new' ? { verdict: 'imported', id_patient: row.id } : told(row)))
  })
}

type Judged = { id: string; hash: string; patient: PatientInput; verdict: 'new' | 'already-there' | 'same-person' }

function told({ verdict, id }: Judged): Results[number] {
  return { verdict, id_patient: verdict === 'new' ? null : id }
}

const comparedFields = [
  'id',
  'first_name',
  'last_name',
  'pref',
  'dob',
  'phone',
  'phone_home',
  'cell_work',
  'street_address',
  'address_line_2',
  'city',
] as const

async function judge(db: Writing['trx'] | Services['db']['pool'], storeId: number, rows: readonly ImportRow[]): Promise<Judged[]> {
  const asked = rows.map(({ source_id, patient }) => ({
    patient,
    hash: createHash('sha256').update(rowIdentity(source_id, patient)).digest('hex'),
  }))
  const undated = rows.filter(({ patient }) => patient.dob === null)
  const dates = rows.flatMap(({ patient }) => patient.dob ?? [])
  const keys = undated.map(({ patient }) => searchColumns(patient).sort_key)
  const phones = undated.flatMap(({ patient }) => patient.phone ?? [])
  const before = await db
    .selectFrom('patient_imports')
    .select(['row_hash', 'id_patient'])
    .where('store_id', '=', storeId)
    .where(
      'row_hash',
      'in',
      asked.map(({ hash }) => hash),
    )
    .execute()
  const alike = await db
    .selectFrom('patients')
    .select([...comparedFields])
    .where('store_id', '=', storeId)
    .where((eb) =>
      eb.or([
        eb('dob', '=', eb.fn.any(eb.val(dates))),
        // Without a birth date whoever is alike is written the same way, or has the number.
        eb.and([eb('dob', 'is', null), eb.or([eb('sort_key', '=', eb.fn.any(eb.val(keys))), eb('phone', '=', eb.fn.any(eb.val(phones)))])]),
      ]),
    )
    .execute()
  const imported = new Map(before.map(({ row_hash, id_patient }) => [row_hash, id_patient]))
  return asked.map(({ patient, hash }) => {
    const known = imported.get(hash)
    if (known !== undefined) return { id: known, hash, patient, verdict: 'already-there' }
    const same = alike.find((row) => isOnFile(patient, row))
    if (same) return { id: same.id, hash, patient, verdict: 'same-person' }
    const id = uuidv7()
    // Whoever stands twice in one batch is written once.
    imported.set(hash, id)
    alike.push({ ...patient, id })
    return { id, hash, patient, verdict: 'new' }
  })
}

async function write(services: Services, scope: Scope, { trx, revision }: Writing, judged: readonly Judged[]): Promise<void> {
  const fresh = judged.filter(({ verdict }) => verdict === 'new')
  if (fresh.length === 0) return
  const at = new Date(services.clock.now()).toISOString()
  const storeId = scope.store_id
  const made = { storeId, createdAt: at, createdBy: scope.id_user, revision: revision(`patients:${storeId}`) }
  const values: Insertable<PatientTable>[] = []
  for (const { id, patient } of fresh) {
    values.push({ ...patientRow(services, id, patient, made), pcp_id: await standingPcp(trx, patient.pcp_id) })
  }
  await withKnownReferences(() => trx.insertInto('patients').values(values).execute())
  await trx
    .insertInto('patient_imports')
    .values(fresh.map(({ id, hash }) => ({ store_id: storeId, row_hash: hash, id_patient: id })))
    .execute()
  const who = { at, by: scope, store_id: storeId, device_id: tabletOf(scope), action: 'patient.import' }
  await auditAll(
    trx,
    fresh.map(({ id, patient }) => ({ ...who, id_patient: id, detail: namesOfGiven(patient) })),
  )
}
