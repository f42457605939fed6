import { defineUseCase } from '#server/platform/http/use-case.ts'
import { auditView, delivererOf } from '#server/domain/patients/audit.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'

/** Audits a look at a record that a tablet opened from its own mirror. */
export const viewPatient = defineUseCase('patient.view', {
  permission: 'patient.read',
  scopes: () => [],
  apply: async ({ writing, body, actor, deliverer, capturedAt }) => {
    const { id } = await findPatient(writing.trx, actor, body.id_patient)
    await auditView(writing.trx, {
      id_patient: id,
      at: capturedAt,
      by: actor,
      deliveredBy: delivererOf(actor, deliverer),
      store_id: actor.store_id,
      device_id: actor.device_id,
      action: 'patient.view',
      detail: body.part,
      reason: body.reason,
      offline: body.offline,
    })
    return { rows: [] }
  },
})
