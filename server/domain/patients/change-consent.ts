import type { Updateable } from 'kysely'
import type { ParsedRequestOf } from '#contract/core/endpoint.ts'
import type { changeConsent } from '#contract/patients/messages.ts'
import type { Writing } from '#server/platform/db/database.ts'
import type { PatientTable } from '#server/platform/db/tables/patient-tables.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { audit, type AuditRow } from '#server/domain/patients/audit.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'
import type { PatientRow } from '#server/domain/patients/patient-row.ts'
import type { Services } from '#server/platform/services.ts'

type Said = ParsedRequestOf<typeof changeConsent>['body']
/** `hipaa_ack`: the patient has read the notice of privacy practices. It cannot be taken back. */
type Agreed = Omit<Said, 'how'> & { hipaa_ack?: boolean }

/** Writes down what a patient told a user about getting messages. */
export async function writeConsent(services: Services, scope: Scope, idPatient: string, { how, ...said }: Said): Promise<void> {
  const { store_id: storeId } = await findPatient(services.db.pool, scope, idPatient)
  const at = new Date(services.clock.now()).toISOString()
  await services.db.write([`patients:${storeId}`], async (writing) => {
    const row = await findPatient(writing.trx, scope, idPatient)
    await putConsent(writing, row, said, { at, by: scope, store_id: scope.store_id, device_id: tabletOf(scope), reason: how })
  })
}

/**
 * Writes each changed part with its own audit row, in a transaction that raises the patient's store. Unchanged parts
 * get neither.
 */
export async function putConsent(
  { trx, revision }: Writing,
  row: PatientRow,
  said: Agreed,
  told: Pick<AuditRow, 'at' | 'by' | 'store_id' | 'device_id' | 'reason'>,
): Promise<void> {
  const update: Updateable<PatientTable> = {}
  const done: { action: string; detail: string }[] = []
  for (const channel of ['sms', 'email'] as const) {
    const agrees = said[`${channel}_consent`]
    const column = `${channel}_consent_at` as const
    if (agrees === undefined || agrees === (row[column] !== null)) continue
    update[column] = agrees ? told.at : null
    done.push({ action: agrees ? 'consent.give' : 'consent.withdraw', detail: channel })
  }
  if (said.hipaa_ack === true && row.hipaa_ack_at === null) {
    update.hipaa_ack_at = told.at.slice(0, 10)
    done.push({ action: 'patient.edit', detail: 'hipaa_ack_at' })
  }
  if (said.preferred_contact !== undefined && said.preferred_contact !== row.preferred_contact) {
    update.preferred_contact = said.preferred_contact
    done.push({ action: 'patient.edit', detail: 'preferred_contact' })
  }
  if (done.length === 0) return
  await trx
    .updateTable('patients')
    .set({ ...update, version: row.version + 1, revision: revision(`patients:${row.store_id}`) })
    .where('id', '=', row.id)
    .execute()
  for (const act of done) await audit(trx, { id_patient: row.id, ...told, ...act })
}
