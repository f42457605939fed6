import { settingsEndpoints } from '#contract/settings/settings.ts'
import type { InventorySettings } from '#contract/settings/settings.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'

type SettingsDevice = Pick<Device, 'call' | 'session'>

/** Reads the store's settings from the server. Without a connection the session keeps its copy. */
export async function readSettings(device: SettingsDevice): Promise<Failure | null> {
  return await keep(device, () => device.call(settingsEndpoints.inventorySettings, {}))
}

/** Changes the settings for everyone in the store. Returns null, or why it failed. Nothing is queued. */
export async function saveSettings(device: SettingsDevice, settings: InventorySettings): Promise<Failure | null> {
  return await keep(device, () => device.call(settingsEndpoints.changeInventorySettings, { body: settings }))
}

/**
 * Stores the server's answer in the session, which holds the settings for the whole app. Skips it when the user has
 * switched stores meanwhile.
 */
async function keep({ session }: SettingsDevice, ask: () => Promise<Outcome<InventorySettings>>): Promise<Failure | null> {
  const store = session.state.getState().home?.store_id
  const answer = await ask()
  if (!answer.ok) return answer.failure
  const { home } = session.state.getState()
  if (home && home.store_id === store) await session.updateHome({ ...home, store_settings: answer.value })
  return null
}
