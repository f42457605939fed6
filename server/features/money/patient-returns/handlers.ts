import type { patientReturnEndpoints } from '#contract/returns/patient-returns.ts'
import { confirmReturn, denyReturn } from '#server/features/money/patient-returns/decide-return.ts'
import {
  findInvoice,
  listPatientReturns,
  readPatientReturn,
  returnableLines,
  returnsOfInvoice,
} from '#server/features/money/patient-returns/read-patient-returns.ts'
import { deleteReturn, requestReturn } from '#server/features/money/patient-returns/request-return.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { auditView } from '#server/domain/patients/audit.ts'
import type { Services } from '#server/platform/services.ts'

export const patientReturnHandlers: HandlersOf<keyof typeof patientReturnEndpoints> = {
  async listPatientReturns({ services, scope, query }) {
    return await listPatientReturns(services.db.pool, scope, query)
  },

  async listInvoiceReturns({ services, scope, params }) {
    const { pool } = services.db
    const { id_invoice, id_patient } = await findInvoice(pool, scope, params.id)
    await viewed(services, scope, id_patient)
    const [returns, lines] = await Promise.all([returnsOfInvoice(pool, scope, id_invoice), returnableLines(pool, id_invoice)])
    return { returns, lines }
  },

  async requestPatientReturn({ services, scope, params, body }) {
    await requestReturn(services, scope, params.id, body)
    return await readPatientReturn(services.db.pool, scope, body.return_id)
  },

  async readPatientReturn({ services, scope, params }) {
    const { pool } = services.db
    const back = await readPatientReturn(pool, scope, params.id)
    // An answer without the patient's name is no look at a patient.
    if (back.patient) await viewed(services, scope, back.patient.id_patient)
    return back
  },

  async confirmPatientReturn({ services, scope, params, body }) {
    await confirmReturn(services, scope, params.id, body)
    return await readPatientReturn(services.db.pool, scope, params.id)
  },

  async denyPatientReturn({ services, scope, params, body }) {
    await denyReturn(services, scope, params.id, body.version, body.reason)
    return await readPatientReturn(services.db.pool, scope, params.id)
  },

  async deletePatientReturn({ services, scope, params, query }) {
    await deleteReturn(services, scope, params.id, query.version)
    return { ok: true }
  },
}

async function viewed(services: Services, scope: Scope, id_patient: string): Promise<void> {
  await auditView(services.db.pool, {
    id_patient,
    at: new Date(services.clock.now()).toISOString(),
    by: scope,
    store_id: scope.store_id,
    device_id: tabletOf(scope),
    action: 'return.view',
    detail: 'invoices',
    reason: 'returns',
  })
}
