import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { lockTime } from '#contract/settings/lock-time.ts'
import { emptyLetterhead, letterhead, type Letterhead } from '#contract/settings/letterhead.ts'
import {
  inventorySettings,
  opticalSettings,
  securitySettings,
  type SecuritySettings,
  type StoreOpticalSettings,
  usualOpticalSettings,
} from '#contract/settings/settings.ts'
import { monthsByState } from '#contract/rx/rx-expiry.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { StoreSettings } from '#server/platform/db/tables/people-tables.ts'

/** A store's count settings until a user changes them. */
export const defaultStoreSettings: StoreSettings = {
  blind_counts: false,
  control_preset: 'practice',
  coverage_percent: 85,
  scan_gap_ms: 35,
}

const { blind_counts, control_preset, coverage_percent, scan_gap_ms } = inventorySettings.entries
const stored = v.object({
  blind_counts: v.fallback(blind_counts, defaultStoreSettings.blind_counts),
  control_preset: v.fallback(control_preset, defaultStoreSettings.control_preset),
  coverage_percent: v.fallback(coverage_percent, defaultStoreSettings.coverage_percent),
  scan_gap_ms: v.fallback(scan_gap_ms, defaultStoreSettings.scan_gap_ms),
})

/** Reads `stores.settings` of any server version. A missing or invalid setting gets its default. */
export function storeSettingsOf(settings: unknown): StoreSettings {
  return v.parse(stored, typeof settings === 'object' && settings !== null ? settings : {})
}

/** The settings that the store uses now. */
export async function readStoreSettings(db: Kysely<Schema>, storeId: number): Promise<StoreSettings> {
  const store = await db.selectFrom('stores').select('settings').where('store_id', '=', storeId).executeTakeFirstOrThrow()
  return storeSettingsOf(store.settings)
}

const { entries } = opticalSettings
const storedOptical = v.object({
  cylinder_notation: v.fallback(entries.cylinder_notation, usualOpticalSettings.cylinder_notation),
  power_step: v.fallback(entries.power_step, usualOpticalSettings.power_step),
  // Stores that chose months before this setting existed keep their months.
  expiry_by_state: v.fallback(entries.expiry_by_state, false),
  spectacle_expiry_months: v.fallback(entries.spectacle_expiry_months, usualOpticalSettings.spectacle_expiry_months),
  contact_lens_expiry_months: v.fallback(entries.contact_lens_expiry_months, usualOpticalSettings.contact_lens_expiry_months),
  vertex_distance: v.fallback(entries.vertex_distance, usualOpticalSettings.vertex_distance),
})

/** A store's settings for prescriptions. A missing or invalid setting gets its default. */
export async function readOpticalSettings(db: Kysely<Schema>, storeId: number): Promise<StoreOpticalSettings> {
  const store = await db.selectFrom('stores').select('settings').where('store_id', '=', storeId).executeTakeFirstOrThrow()
  return opticalSettingsOf(store.settings)
}

export function opticalSettingsOf(settings: Pick<StoreSettings, 'optical' | 'letterhead'>): StoreOpticalSettings {
  const chosen = settings.optical ? v.parse(storedOptical, settings.optical) : usualOpticalSettings
  const state = letterheadOf(settings)?.state ?? null
  if (!chosen.expiry_by_state) return { ...chosen, state }
  return {
    ...chosen,
    spectacle_expiry_months: monthsByState('spectacle', state),
    contact_lens_expiry_months: monthsByState('contact_lens', state),
    state,
  }
}

/** When a store's tablets lock. A missing or invalid setting gets its default. */
export function securitySettingsOf(settings: Pick<StoreSettings, 'security'>): SecuritySettings {
  const read = v.safeParse(securitySettings, settings.security)
  return read.success ? read.output : { lock_minutes: lockTime.usual }
}

/** When the store's tablets lock. */
export async function readSecuritySettings(db: Kysely<Schema>, storeId: number): Promise<SecuritySettings> {
  const store = await db.selectFrom('stores').select('settings').where('store_id', '=', storeId).executeTakeFirstOrThrow()
  return securitySettingsOf(store.settings)
}

/** The letterhead in a store's settings. Null when it is missing or invalid. */
export function letterheadOf(settings: Pick<StoreSettings, 'letterhead'>): Letterhead | null {
  const read = v.safeParse(letterhead, settings.letterhead)
  return read.success ? read.output : null
}

/** A store's address, phone and fax. */
export async function readLetterhead(db: Kysely<Schema>, storeId: number): Promise<Letterhead> {
  const store = await db.selectFrom('stores').select('settings').where('store_id', '=', storeId).executeTakeFirstOrThrow()
  return letterheadOf(store.settings) ?? emptyLetterhead
}
