import { bookHistory, bookModels, bookProducts, bookTree } from '#server/features/stock/price-book/book-list.ts'
import { cancelPriceChange, listPriceChanges, planPrices, previewBook } from '#server/features/stock/price-book/plan-prices.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'

export const priceBookHandlers: HandlersOf<
  | 'bookVendorBrand'
  | 'bookProducts'
  | 'bookModels'
  | 'bookHistory'
  | 'previewBook'
  | 'planPrices'
  | 'listPriceChanges'
  | 'cancelPriceChange'
> = {
  async bookVendorBrand({ services }) {
    return await bookTree(services.db.pool)
  },

  async bookProducts({ services, query }) {
    return await bookProducts(services.db.pool, query)
  },

  async bookModels({ services, scope, query }) {
    return await bookModels(services.db.pool, query, scope.permissions.has('frame.see-cost'))
  },

  async bookHistory({ services, scope, params }) {
    return { history: await bookHistory(services.db.pool, params.id_model, scope.permissions.has('frame.see-cost')) }
  },

  async previewBook({ services, scope, body }) {
    return { rows: await previewBook(services.db.pool, scope, body.models, body.change) }
  },

  async planPrices({ services, scope, body }) {
    return await planPrices(services, scope, body)
  },

  async listPriceChanges({ services }) {
    return { changes: await listPriceChanges(services.db.pool) }
  },

  async cancelPriceChange({ services, scope, params }) {
    return await cancelPriceChange(services.db, scope, params.id, new Date(services.clock.now()).toISOString())
  },
}
