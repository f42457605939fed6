import { emptyLetterhead, type letterheadEndpoints } from '#contract/settings/letterhead.ts'
import type { settingsEndpoints } from '#contract/settings/settings.ts'
import type { SettingsAction, settingsChangeEndpoints } from '#contract/settings/settings-changes.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import type { StoreSettings } from '#server/platform/db/tables/people-tables.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import {
  letterheadOf,
  opticalSettingsOf,
  readLetterhead,
  readOpticalSettings,
  readSecuritySettings,
  readStoreSettings,
  securitySettingsOf,
  storeSettingsOf,
} from '#server/domain/people/store-settings.ts'
import { auditSettings, readSettingsChanges } from '#server/features/settings/settings/settings-audit.ts'
import type { Services } from '#server/platform/services.ts'

/** The settings of a store. Everyone who works there reads them, and its managers change them. */
export const settingsHandlers: HandlersOf<
  keyof typeof settingsEndpoints | keyof typeof letterheadEndpoints | keyof typeof settingsChangeEndpoints
> = {
  async inventorySettings({ services, scope }) {
    return await readStoreSettings(services.db.pool, scope.store_id)
  },

  async changeInventorySettings({ services, scope, body }) {
    await changeSettings(services, scope, 'inventory.edit', body)
    return body
  },

  async securitySettings({ services, scope }) {
    return await readSecuritySettings(services.db.pool, scope.store_id)
  },

  async changeSecuritySettings({ services, scope, body }) {
    await changeSettings(services, scope, 'security.edit', { security: body })
    return body
  },

  async opticalSettings({ services, scope }) {
    return await readOpticalSettings(services.db.pool, scope.store_id)
  },

  async changeOpticalSettings({ services, scope, body }) {
    await changeSettings(services, scope, 'optical.edit', { optical: body })
    return await readOpticalSettings(services.db.pool, scope.store_id)
  },

  async letterhead({ services, scope }) {
    return await readLetterhead(services.db.pool, scope.store_id)
  },

  async changeLetterhead({ services, scope, body }) {
    await changeSettings(services, scope, 'letterhead.edit', { letterhead: body })
    return body
  },

  async settingsChanges({ services, scope }) {
    return { changes: await readSettingsChanges(services.db.pool, scope.store_id) }
  },
}

type OfStore = Exclude<SettingsAction, 'provider.edit'>

/** The current values of the changed part of a store's settings. */
const partOf = {
  'inventory.edit': (settings: StoreSettings) => {
    const { blind_counts, control_preset, coverage_percent, scan_gap_ms } = storeSettingsOf(settings)
    return { blind_counts, control_preset, coverage_percent, scan_gap_ms }
  },
  'optical.edit': (settings: StoreSettings) => {
    const { state: _, ...optical } = opticalSettingsOf(settings)
    return optical
  },
  'security.edit': (settings: StoreSettings) => securitySettingsOf(settings),
  'letterhead.edit': (settings: StoreSettings) => letterheadOf(settings) ?? emptyLetterhead,
} satisfies Record<OfStore, (settings: StoreSettings) => Parameters<typeof auditSettings>[3]['before']>

/**
 * Changes settings and raises their revision, which updates the store's tablets at once. Settings of a newer server
 * stay.
 */
async function changeSettings(services: Services, scope: Scope, action: OfStore, change: Partial<StoreSettings>): Promise<void> {
  await services.db.write([`settings:${scope.store_id}`], async ({ trx }) => {
    const store = await trx.selectFrom('stores').select('settings').where('store_id', '=', scope.store_id).executeTakeFirstOrThrow()
    const settings = { ...store.settings, ...change }
    const [before, after] = [store.settings, settings].map((each) => ({ ...partOf[action](each) }))
    await auditSettings(trx, services, scope, { action, before: before!, after: after! })
    await trx
      .updateTable('stores')
      .set({ settings: JSON.stringify(settings) })
      .where('store_id', '=', scope.store_id)
      .execute()
  })
}
