import { type Kysely, sql } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import { type Prescription, wholeRx } from '#contract/rx/prescription.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { StoreSettings } from '#server/platform/db/tables/people-tables.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'
import { personName } from '#server/domain/people/person-name.ts'
import { letterheadOf } from '#server/domain/people/store-settings.ts'
import type { Services } from '#server/platform/services.ts'

export function selectRx(db: Kysely<Schema>) {
  return db
    .selectFrom('prescriptions as rx')
    .leftJoin('users as signer', 'signer.id_user', 'rx.signed_by')
    .leftJoin('users as maker', 'maker.id_user', 'rx.created_by')
    .leftJoin('patient_files as scan', 'scan.id_file', 'rx.id_scan')
    .leftJoin('users as withdrawer', 'withdrawer.id_user', 'rx.withdrawn_by')
    .innerJoin('patients', 'patients.id', 'rx.id_patient')
    .innerJoin('stores', 'stores.store_id', 'patients.store_id')
    .selectAll('rx')
    .select([
      sql<string | null>`${personName('signer')}`.as('signer_name'),
      sql<string | null>`${personName('maker')}`.as('maker_name'),
      sql<string | null>`${personName('withdrawer')}`.as('withdrawer_name'),
      sql<StoreSettings['letterhead'] | null>`stores.settings -> 'letterhead'`.as('store_letterhead'),
      'scan.filename as scan_name',
    ])
}

type RxRow = Awaited<ReturnType<ReturnType<typeof selectRx>['executeTakeFirstOrThrow']>>

export function prescriptionOf(found: RxRow, scope: Scope): Prescription {
  const { content, signer_name, maker_name, withdrawer_name, store_letterhead, ...rest } = found
  const { withdrawn_at, withdrawn_by: _, withdrawn_reason, moved: __, id_scan, scan_name, ...row } = rest
  const withdrawn = withdrawn_at === null ? null : { at: withdrawn_at, by: withdrawer_name, reason: withdrawn_reason ?? '' }
  const scan =
    id_scan !== null && scan_name !== null && scope.permissions.has('file.read') ? { id_file: id_scan, filename: scan_name } : null
  const letterhead = letterheadOf({ letterhead: store_letterhead ?? undefined })
  return { ...row, ...wholeRx(content), signed_by: signer_name, created_by: maker_name, withdrawn, scan, letterhead }
}

export async function findRx(db: Kysely<Schema>, scope: Scope, id: string): Promise<Prescription> {
  const row = await selectRx(db).where('rx.id_rx', '=', id).executeTakeFirst()
  if (!row) throw new Refusal('rx-unknown')
  await findPatient(db, scope, row.id_patient)
  return prescriptionOf(row, scope)
}

/** Returns the prescription, locked until the transaction ends. Users who sign for one patient take turns. */
export async function lockRx(trx: Kysely<Schema>, scope: Scope, id: string) {
  const found = await trx.selectFrom('prescriptions').select('id_patient').where('id_rx', '=', id).executeTakeFirst()
  if (!found) throw new Refusal('rx-unknown')
  await findPatient(trx, scope, found.id_patient)
  const rows = await trx
    .selectFrom('prescriptions')
    .selectAll()
    .where('id_patient', '=', found.id_patient)
    .orderBy('id_rx')
    .forUpdate()
    .execute()
  const row = rows.find(({ id_rx }) => id_rx === id.toLowerCase())
  if (!row) throw new Refusal('rx-unknown')
  return { ...row, content: wholeRx(row.content) }
}

/** `lockRx` for a draft. @throws Refusal rx-signed */
export async function lockDraft(trx: Kysely<Schema>, scope: Scope, id: string) {
  const row = await lockRx(trx, scope, id)
  if (row.status !== 'draft') throw new Refusal('rx-signed')
  return row
}

export function nowOf(services: Services): string {
  return new Date(services.clock.now()).toISOString()
}

/** The fields of an audit row for the patient, the time and the user. */
export function told(services: Services, scope: Scope, idPatient: string) {
  return { id_patient: idPatient, at: nowOf(services), by: scope, store_id: scope.store_id, device_id: tabletOf(scope) }
}
