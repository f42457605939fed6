import type { storeInvoiceEndpoints } from '#contract/receiving/store-invoices.ts'
import type { vendorFileEndpoints } from '#contract/receiving/vendor-files.ts'
import { importLines, saveVendorColumns, vendorColumns } from '#server/features/receiving/store-invoices/import-lines.ts'
import { listReceipts, readStoreInvoice } from '#server/features/receiving/store-invoices/read-invoices.ts'
import { piecesOf, receivePieces } from '#server/features/receiving/store-invoices/receive-pieces.ts'
import { deleteInvoice, removePiece, viewItem } from '#server/features/receiving/store-invoices/remove-pieces.ts'
import { changeVendorInvoice, createInvoice, stepVendorInvoice } from '#server/features/receiving/store-invoices/save-invoice.ts'
import {
  invoiceVendors,
  removeVendorContact,
  saveVendorContact,
  takenNumber,
  vendorContacts,
} from '#server/features/receiving/store-invoices/vendors.ts'
import { readVendorInvoice } from '#server/features/receiving/store-invoices/view-invoice.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { runCommand } from '#server/platform/http/run-command.ts'

export const storeInvoiceHandlers: HandlersOf<keyof typeof storeInvoiceEndpoints | keyof typeof vendorFileEndpoints> = {
  async listReceipts({ services, scope, query }) {
    return await listReceipts(services.db.pool, scope, query)
  },

  async createInvoice({ services, scope, body }) {
    await createInvoice(services, scope, body)
    return await readStoreInvoice(services.db.pool, scope, body.invoice_id)
  },

  async viewInvoice({ services, scope, params }) {
    return await readStoreInvoice(services.db.pool, scope, params.id)
  },

  async deleteInvoice({ services, scope, params, query }) {
    await deleteInvoice(services, scope, params.id, query.version)
    return { ok: true }
  },

  async readVendorInvoice({ services, scope, params }) {
    return await readVendorInvoice(services.db.pool, scope, params.id)
  },

  async changeVendorInvoice({ services, scope, params, body }) {
    await changeVendorInvoice(services, scope, params.id, body)
    return await readVendorInvoice(services.db.pool, scope, params.id)
  },

  async stepVendorInvoice({ services, scope, params, body }) {
    await stepVendorInvoice(services, scope, params.id, body)
    return await readVendorInvoice(services.db.pool, scope, params.id)
  },

  async checkInvoiceNumber({ services, query }) {
    return { taken: await takenNumber(services.db.pool, query, query.except ?? null) }
  },

  async receivePieces(call) {
    const { services, scope, params, body } = call
    const { code = null, id_model = null, learn = null } = body
    const asked = { ...body, id_vendor_invoice: params.id, code, id_model, learn }
    const { warning = null } = await runCommand(call, receivePieces, () => asked)
    const { pool } = services.db
    const pieces = await piecesOf(pool, scope, body.receive_id)
    return { pieces, warning, vendor_invoice: await readVendorInvoice(pool, scope, params.id) }
  },

  async viewInvoiceItem({ services, scope, params }) {
    return await viewItem(services.db.pool, scope, params.id)
  },

  async deleteInvoiceItem({ services, scope, body }) {
    const id = await removePiece(services, scope, body.sku, body.invoice_id)
    return await readVendorInvoice(services.db.pool, scope, id)
  },

  async invoiceVendors({ services }) {
    return { vendors: await invoiceVendors(services.db.pool) }
  },

  async vendorContacts({ services, query }) {
    return { contacts: await vendorContacts(services.db.pool, query.vendor_id) }
  },

  async saveVendorContact({ services, body }) {
    return await saveVendorContact(services.db.pool, body)
  },

  async vendorColumns({ services, params }) {
    return { columns: await vendorColumns(services.db.pool, params.vendor_id) }
  },

  async saveVendorColumns({ services, params, body }) {
    await saveVendorColumns(services, params.vendor_id, body.columns)
    return body
  },

  async importInvoiceLines({ services, scope, params, body }) {
    return { results: await importLines(services, scope, params.id, body.rows, body.check_only) }
  },

  async removeVendorContact({ services, params }) {
    await removeVendorContact(services.db.pool, params.id)
    return { ok: true }
  },
}
