import type { vendorReturnEndpoints } from '#contract/returns/vendor-returns.ts'
import { changeVendorReturn, createVendorReturn, deleteVendorReturn } from '#server/features/receiving/vendor-returns/draft-return.ts'
import { listVendorReturns, readVendorReturn } from '#server/features/receiving/vendor-returns/read-returns.ts'
import { stepVendorReturn } from '#server/features/receiving/vendor-returns/step-return.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'

export const vendorReturnHandlers: HandlersOf<keyof typeof vendorReturnEndpoints> = {
  async listVendorReturns({ services, scope, query }) {
    return await listVendorReturns(services.db.pool, scope, query)
  },

  async createVendorReturn({ services, scope, body: { return_id, ...draft } }) {
    await createVendorReturn(services, scope, return_id.toLowerCase(), draft)
    return await readVendorReturn(services.db.pool, scope, return_id)
  },

  async readVendorReturn({ services, scope, params }) {
    return await readVendorReturn(services.db.pool, scope, params.id)
  },

  async changeVendorReturn({ services, scope, params, body: { version, ...input } }) {
    await changeVendorReturn(services, scope, params.id, version, input)
    return await readVendorReturn(services.db.pool, scope, params.id)
  },

  async stepVendorReturn({ services, scope, params, body }) {
    await stepVendorReturn(services, scope, params.id, body.version, body.do)
    return await readVendorReturn(services.db.pool, scope, params.id)
  },

  async deleteVendorReturn({ services, scope, params, query }) {
    await deleteVendorReturn(services, scope, params.id, query.version)
    return { ok: true }
  },
}
