import type { Insertable } from 'kysely'
import { type FieldProblem, Refusal } from '#contract/core/errors.ts'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import { isOnFile } from '#contract/patients/patient-likeness.ts'
import { birthDateProblem, type PatientInput } from '#contract/patients/patient.ts'
import { type ImportRow, type importPatients as importCall, rowIdentity } from '#contract/patients/patient-import.ts'
import type { PatientTable } from '#server/platform/db/tables/patient-tables.ts'
import { namesOfGiven, patientRow, today, withKnownReferences } from '#server/domain/patients/save-patient.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { checkRows, type ImportKind, importRows } from '#server/domain/patients/import-rows.ts'
import { auditAll } from '#server/domain/patients/audit.ts'
import { searchColumns } from '#server/domain/patients/patient-row.ts'
import { standingPcp } from '#server/domain/patients/standing-pcp.ts'
import type { Services } from '#server/platform/services.ts'

type Results = ResponseOf<typeof importCall>['results']

/**
 * Imports one batch of a file in one transaction. Writers of a store's patients take turns, so that two windows with
 * one file import it once.
 */
export async function importPatients(services: Services, scope: Scope, rows: readonly ImportRow[], checkOnly: boolean): Promise<Results> {
  const day = today(services)
  const fields = rows.flatMap(({ patient }, at): FieldProblem[] => {
    const message = birthDateProblem(patient.dob, day)
    return message === null ? [] : [{ path: `body.rows.${at}.patient.dob`, message }]
  })
  if (fields.length > 0) throw new Refusal('request-invalid', { fields })
  const kind = patientImport(services, scope)
  const results = checkOnly
    ? await checkRows(services.db.pool, kind, rows)
    : await services.db.write([`patients:${scope.store_id}`], (writing) => importRows(writing, kind, rows))
  return results.map(({ verdict, id }) => ({ verdict, id_patient: id }))
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
type Compared = Pick<PatientInput, Exclude<(typeof comparedFields)[number], 'id'>> & { id: string }

function patientImport(services: Services, scope: Scope): ImportKind<ImportRow, Compared> {
  const storeId = scope.store_id
  return {
    identity: ({ source_id, patient }) => rowIdentity(source_id, patient),
    async brought(db, hashes) {
      const rows = await db
        .selectFrom('patient_imports')
        .select(['row_hash', 'id_patient'])
        .where('store_id', '=', storeId)
        .where('row_hash', 'in', hashes)
        .execute()
      return rows.map(({ row_hash, id_patient }) => ({ hash: row_hash, id: id_patient }))
    },
    async alike(db, rows) {
      const undated = rows.filter(({ patient }) => patient.dob === null)
      const dates = rows.flatMap(({ patient }) => patient.dob ?? [])
      const keys = undated.map(({ patient }) => searchColumns(patient).sort_key)
      const phones = undated.flatMap(({ patient }) => patient.phone ?? [])
      return await db
        .selectFrom('patients')
        .select([...comparedFields])
        .where('store_id', '=', storeId)
        .where((eb) =>
          eb.or([
            eb('dob', '=', eb.fn.any(eb.val(dates))),
            // Without a birth date, the spelling of the name or the phone number decides.
            eb.and([
              eb('dob', 'is', null),
              eb.or([eb('sort_key', '=', eb.fn.any(eb.val(keys))), eb('phone', '=', eb.fn.any(eb.val(phones)))]),
            ]),
          ]),
        )
        .execute()
    },
    isSame: ({ patient }, listed) => isOnFile(patient, listed),
    idOf: ({ id }) => id,
    listedAs: ({ patient }, id) => ({ ...patient, id }),
    async write({ trx, revision }, fresh) {
      const at = new Date(services.clock.now()).toISOString()
      const made = { storeId, createdAt: at, createdBy: scope.id_user, revision: revision(`patients:${storeId}`) }
      const values: Insertable<PatientTable>[] = []
      for (const { id, row } of fresh) {
        values.push({ ...patientRow(services, id, row.patient, made), pcp_id: await standingPcp(trx, row.patient.pcp_id) })
      }
      await withKnownReferences(() => trx.insertInto('patients').values(values).execute())
      await trx
        .insertInto('patient_imports')
        .values(fresh.map(({ id, hash }) => ({ store_id: storeId, row_hash: hash, id_patient: id })))
        .execute()
      const who = { at, by: scope, store_id: storeId, device_id: tabletOf(scope), action: 'patient.import' }
      await auditAll(
        trx,
        fresh.map(({ id, row }) => ({ ...who, id_patient: id, detail: namesOfGiven(row.patient) })),
      )
    },
  }
}
