import type { Updateable } from 'kysely'
import type { ParsedRequestOf } from '#contract/endpoint.ts'
import type { changeConsent } from '#contract/messages.ts'
import type { PatientTable } from '#server/db/schema.ts'
import { type Scope, tabletOf } from '#server/http/scope.ts'
import { audit } from '#server/patients/audit.ts'
import { findPatient } from '#server/patients/patient-access.ts'
import type { Services } from '#server/services.ts'

type Said = ParsedRequestOf<typeof changeConsent>['body']

/** Writes down what a patient said about being written to, each part of it with its own audit row. What is so already stays as it is. */
export async function writeConsent(services: Services, scope: Scope, idPatient: string, said: Said): Promise<void> {
  const { store_id: storeId } = await findPatient(services.db.reads, scope, idPatient)
  const at = new Date(services.clock.now()).toISOString()
  await services.db.writing([`patients:${storeId}`], async ({ trx, revision }) => {
    const row = await findPatient(trx, scope, idPatient)
    const update: Updateable<PatientTable> = {}
    const done: { action: string; detail: string }[] = []
    for (const channel of ['sms', 'email'] as const) {
      const agrees = said[`${channel}_consent`]
      const column = `${channel}_consent_at` as const
      if (agrees === undefined || agrees === (row[column] !== null)) continue
      update[column] = agrees ? at : null
      done.push({ action: agrees ? 'consent.give' : 'consent.withdraw', detail: channel })
    }
    if (said.preferred_contact !== undefined && said.preferred_contact !== row.preferred_contact) {
      update.preferred_contact = said.preferred_contact
      done.push({ action: 'patient.edit', detail: 'preferred_contact' })
    }
    if (done.length === 0) return
    await trx
      .updateTable('patients')
      .set({ ...update, version: row.version + 1, revision: revision(`patients:${storeId}`) })
      .where('id', '=', row.id)
      .execute()
    for (const act of done) {
      const who = { id_patient: row.id, at, by: scope, store_id: scope.store_id, device_id: tabletOf(scope) }
      await audit(trx, { ...who, ...act, reason: said.how })
    }
  })
}
