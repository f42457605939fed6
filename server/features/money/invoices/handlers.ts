import { invoicePageSize } from '#contract/money/invoices.ts'
import { patientBalance } from '#contract/money/invoice-money.ts'
import { listedInvoice, readInvoices } from '#server/features/money/invoices/read-invoices.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { tabletOf } from '#server/platform/http/scope.ts'
import { auditView } from '#server/domain/patients/audit.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'

/** A patient's invoices. */
export const invoiceHandlers: HandlersOf<'listInvoices' | 'listInvoiceStatuses'> = {
  async listInvoices({ services, scope, query }) {
    const { pool } = services.db
    const { id } = await findPatient(pool, scope, query.id_patient)
    await auditView(pool, {
      id_patient: id,
      at: new Date(services.clock.now()).toISOString(),
      by: scope,
      store_id: scope.store_id,
      device_id: tabletOf(scope),
      action: 'invoice.view',
      detail: 'invoices',
      reason: query.reason,
    })
    const invoices = await readInvoices(pool, id)
    const drafts = invoices.filter(({ status }) => status === 'draft')
    const from = (query.page - 1) * invoicePageSize
    return {
      invoices: invoices.slice(from, from + invoicePageSize).map(listedInvoice),
      total: invoices.length,
      page: query.page,
      balance: patientBalance(invoices),
      drafts: { count: drafts.length, total_cents: drafts.reduce((sum, { amounts }) => sum + amounts.total_cents, 0) },
    }
  },

  async listInvoiceStatuses() {
    return {
      statuses: [
        { key: 'draft', title: 'Draft' },
        { key: 'finalized', title: 'Finalized' },
        { key: 'void', title: 'Voided' },
      ],
    }
  },
}
