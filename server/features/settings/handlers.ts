import type { InventorySettings } from '#contract/settings.ts'
import type { HandlersOf } from '#server/http/handler.ts'
import type { Scope } from '#server/http/scope.ts'
import { readStoreSettings } from '#server/people/store-settings.ts'
import type { Services } from '#server/services.ts'

/** The rules of a store, read by everyone who works there and changed by its managers. */
export const settingsHandlers: HandlersOf<'inventorySettings' | 'changeInventorySettings'> = {
  async inventorySettings({ services, scope }) {
    return await readStoreSettings(services.db.reads, scope.store_id)
  },

  async changeInventorySettings({ services, scope, body }) {
    return await changeSettings(services, scope, body)
  },
}

/** The raised revision tells the store's tablets at once. What a newer server keeps beside these settings stays. */
async function changeSettings(services: Services, scope: Scope, change: InventorySettings): Promise<InventorySettings> {
  return await services.db.writing([`settings:${scope.store_id}`], async ({ trx }) => {
    const store = await trx.selectFrom('stores').select('settings').where('store_id', '=', scope.store_id).executeTakeFirstOrThrow()
    const settings = JSON.stringify({ ...store.settings, ...change })
    await trx.updateTable('stores').set({ settings }).where('store_id', '=', scope.store_id).execute()
    return change
  })
}
