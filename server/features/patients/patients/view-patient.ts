import type { CommandApplier } from '#server/platform/http/command-applier.ts'
import { auditView, delivererOf } from '#server/domain/patients/audit.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'

/** A look at a record that a tablet opened from its own mirror. */
export const viewPatient: CommandApplier<'patient.view'> = async ({ writing, command, body, author, deliverer, capturedAt }) => {
  const { id } = await findPatient(writing.trx, author, body.id_patient)
  await auditView(writing.trx, {
    id_patient: id,
    at: capturedAt,
    by: author,
    deliveredBy: delivererOf(author, deliverer),
    store_id: command.store_id,
    device_id: command.device_id,
    action: 'patient.view',
    detail: body.part,
    reason: body.reason,
    offline: body.offline,
  })
  return { rows: [] }
}
