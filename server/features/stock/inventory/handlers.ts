import { addFrames } from '#server/features/stock/inventory/add-frames.ts'
import { changePrice, changePrices, previewPrices } from '#server/features/stock/inventory/change-prices.ts'
import { askedOf, changeFrameState, readFrame } from '#server/features/stock/inventory/change-state.ts'
import { frameRecordOf } from '#server/features/stock/inventory/frame-record.ts'
import { historyOf } from '#server/features/stock/inventory/frame-history.ts'
import { downloadFrames, listFrames } from '#server/features/stock/inventory/frame-list.ts'
import { listModels, searchProducts } from '#server/features/stock/inventory/model-list.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { runCommand } from '#server/platform/http/run-command.ts'
import { noteSecurityEvent } from '#server/domain/people/security-log.ts'
import { findFrame } from '#server/domain/stock/find-frame.ts'

export const inventoryHandlers: HandlersOf<
  | 'lookUpFrame'
  | 'updateFrameState'
  | 'frameHistory'
  | 'brands'
  | 'vendors'
  | 'stores'
  | 'allFilters'
  | 'listModels'
  | 'searchProducts'
  | 'addFrames'
  | 'updatePrice'
  | 'previewPrices'
  | 'updatePrices'
> = {
  async lookUpFrame({ services, scope, query }) {
    const { pool } = services.db
    return await frameRecordOf(pool, await findFrame(pool, query.sku), scope)
  },

  async updateFrameState(call) {
    const { services, scope, body } = call
    await runCommand(call, changeFrameState, () => askedOf(body))
    const { pool } = services.db
    return await frameRecordOf(pool, await readFrame(pool, body.inventory_id), scope)
  },

  async frameHistory({ services, query }) {
    const { pool } = services.db
    return await historyOf(pool, await findFrame(pool, query.sku))
  },

  async brands({ services }) {
    const rows = await services.db.pool.selectFrom('brands').selectAll().orderBy('name').orderBy('brand_id').execute()
    return { brands: rows.map(({ brand_id, name, vendor_id }) => ({ id: brand_id, name, vendor_id })) }
  },

  async vendors({ services }) {
    const rows = await services.db.pool.selectFrom('vendors').selectAll().orderBy('name').orderBy('vendor_id').execute()
    return { vendors: rows.map(({ vendor_id, name }) => ({ id: vendor_id, name })) }
  },

  async stores({ services }) {
    const stores = await services.db.pool
      .selectFrom('stores')
      .select(['store_id', 'store_name', 'short_name', 'is_warehouse'])
      .orderBy('is_warehouse')
      .orderBy('store_name')
      .orderBy('store_id')
      .execute()
    return { stores }
  },

  async allFilters({ services, scope, query, signal }) {
    if (query.output === 'csv') {
      await noteSecurityEvent(services, { kind: 'exported', detail: 'data.csv' })
      return await downloadFrames(services, scope, query, signal)
    }
    return await listFrames(services.db.pool, query)
  },

  async listModels({ services, query }) {
    return await listModels(services.db.pool, query)
  },

  async searchProducts({ services, scope, query }) {
    return { products: await searchProducts(services.db.pool, query.query, scope.permissions.has('frame.see-cost')) }
  },

  async addFrames({ services, scope, body: { add_id, ...added } }) {
    const items = await addFrames(services, scope, add_id, added)
    const [item] = items
    if (!item) throw new Error('Nothing was added')
    return { item, items }
  },

  async updatePrice({ services, scope, params, body }) {
    return await changePrice(services, scope, { ...params, ...body, version: body.version })
  },

  async previewPrices({ services, scope, body }) {
    return { rows: await previewPrices(services.db.pool, scope, body.ids, body.change) }
  },

  async updatePrices({ services, scope, body }) {
    return { changed: await changePrices(services, scope, body.items) }
  },
}
