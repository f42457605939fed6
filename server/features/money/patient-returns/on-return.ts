import type { Kysely } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import type { Writing } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { findPatientReturn, type ReturnRow } from '#server/features/money/patient-returns/read-patient-returns.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { audit } from '#server/domain/patients/audit.ts'
import { assertHere } from '#server/domain/people/assert-here.ts'
import type { Services } from '#server/platform/services.ts'

export type Step = { writing: Writing; scope: Scope; at: string; back: ReturnRow }

/**
 * Does `work` on a pending return, in one transaction with its consequences and the patient's audit. Of two users at
 * the same time, one succeeds.
 * @throws Refusal patient-return-unknown, store-foreign, patient-return-settled, patient-return-changed
 */
export async function onReturn(
  services: Services,
  scope: Scope,
  id: string,
  version: number,
  action: `return.${string}`,
  work: (step: Step) => Promise<void>,
): Promise<void> {
  const at = new Date(services.clock.now()).toISOString()
  await services.db.write(['chain'], async (writing) => {
    const back = await findPatientReturn(writing.trx, scope, id)
    assertHere(scope, back)
    if (back.status !== 'pending') {
      throw new Refusal('patient-return-settled', { message: `The return is already ${back.status}`, details: { status: back.status } })
    }
    if (back.version !== version) throw new Refusal('patient-return-changed', { details: { version: back.version } })
    await work({ writing, scope, at, back })
    await auditReturn(writing.trx, scope, { id_patient: back.id_patient, at }, action)
  })
}

export async function auditReturn(
  trx: Kysely<Schema>,
  scope: Scope,
  { id_patient, at }: { id_patient: string; at: string },
  action: `return.${string}`,
): Promise<void> {
  await audit(trx, { id_patient, at, by: scope, store_id: scope.store_id, device_id: tabletOf(scope), action, detail: 'invoices' })
}
