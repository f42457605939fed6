import type { letterheadEndpoints } from '#contract/letterhead.ts'
import type { settingsEndpoints } from '#contract/settings.ts'
import type { HandlersOf } from '#server/http/handler.ts'
import type { StoreSettings } from '#server/db/schema.ts'
import type { Scope } from '#server/http/scope.ts'
import { readLetterhead, readOpticalSettings, readStoreSettings } from '#server/people/store-settings.ts'
import type { Services } from '#server/services.ts'

/** The rules of a store, read by everyone who works there and changed by its managers. */
export const settingsHandlers: HandlersOf<keyof typeof settingsEndpoints | keyof typeof letterheadEndpoints> = {
  async inventorySettings({ services, scope }) {
    return await readStoreSettings(services.db.reads, scope.store_id)
  },

  async changeInventorySettings({ services, scope, body }) {
    await changeSettings(services, scope, body)
    return body
  },

  async opticalSettings({ services, scope }) {
    return await readOpticalSettings(services.db.reads, scope.store_id)
  },

  async changeOpticalSettings({ services, scope, body }) {
    await changeSettings(services, scope, { optical: body })
    return body
  },

  async letterhead({ services, scope }) {
    return await readLetterhead(services.db.reads, scope.store_id)
  },

  async changeLetterhead({ services, scope, body }) {
    await changeSettings(services, scope, { letterhead: body })
    return body
  },
}

/** The raised revision tells the store's tablets at once. What a newer server keeps beside these settings stays. */
async function changeSettings(services: Services, scope: Scope, change: Partial<StoreSettings>): Promise<void> {
  await services.db.writing([`settings:${scope.store_id}`], async ({ trx }) => {
    const store = await trx.selectFrom('stores').select('settings').where('store_id', '=', scope.store_id).executeTakeFirstOrThrow()
    const settings = JSON.stringify({ ...store.settings, ...change })
    await trx.updateTable('stores').set({ settings }).where('store_id', '=', scope.store_id).execute()
  })
}
