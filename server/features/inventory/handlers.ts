import { changeFrameState } from '#server/features/inventory/change-state.ts'
import { findFrame, frameRecordOf } from '#server/features/inventory/find-frame.ts'
import { historyOf } from '#server/features/inventory/frame-history.ts'
import { downloadFrames, listFrames } from '#server/features/inventory/frame-list.ts'
import type { HandlersOf } from '#server/http/handler.ts'

export const inventoryHandlers: HandlersOf<
  'lookUpFrame' | 'updateFrameState' | 'frameHistory' | 'brands' | 'vendors' | 'stores' | 'allFilters'
> = {
  async lookUpFrame({ services, scope, query }) {
    const { reads } = services.db
    return await frameRecordOf(reads, await findFrame(reads, query.sku), scope)
  },

  async updateFrameState({ services, scope, body }) {
    return await changeFrameState(services, scope, body)
  },

  async frameHistory({ services, query }) {
    const { reads } = services.db
    return await historyOf(reads, await findFrame(reads, query.sku))
  },

  async brands({ services }) {
    const rows = await services.db.reads.selectFrom('brands').selectAll().orderBy('name').orderBy('brand_id').execute()
    return { brands: rows.map(({ brand_id, name, vendor_id }) => ({ id: brand_id, name, vendor_id })) }
  },

  async vendors({ services }) {
    const rows = await services.db.reads.selectFrom('vendors').selectAll().orderBy('name').orderBy('vendor_id').execute()
    return { vendors: rows.map(({ vendor_id, name }) => ({ id: vendor_id, name })) }
  },

  async stores({ services }) {
    const stores = await services.db.reads
      .selectFrom('stores')
      .select(['store_id', 'store_name', 'short_name', 'is_warehouse'])
      .orderBy('is_warehouse')
      .orderBy('store_name')
      .orderBy('store_id')
      .execute()
    return { stores }
  },

  async allFilters({ services, scope, query, signal }) {
    if (query.output === 'csv') return downloadFrames(services, query, scope.permissions.has('frame.see-cost'), signal)
    return await listFrames(services.db.reads, query)
  },
}
