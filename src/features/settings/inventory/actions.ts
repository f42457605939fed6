import { settingsEndpoints } from '#contract/settings/settings.ts'
import type { InventorySettings } from '#contract/settings/settings.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'

type SettingsDevice = Pick<Device, 'call' | 'session'>

/** Asks the server how the store's settings are now. Without a network, what the session knows stays. */
export async function readSettings(device: SettingsDevice): Promise<Failure | null> {
  return await keep(device, () => device.call(settingsEndpoints.inventorySettings, {}))
}

/** Changes them for everyone in the store. Null when it is done; nothing is queued for later. */
export async function saveSettings(device: SettingsDevice, settings: InventorySettings): Promise<Failure | null> {
  return await keep(device, () => device.call(settingsEndpoints.changeInventorySettings, { body: settings }))
}

/** The session holds the settings for the whole app: what the server answers is kept there, unless the store was switched meanwhile. */
async function keep({ session }: SettingsDevice, ask: () => Promise<Outcome<InventorySettings>>): Promise<Failure | null> {
  const store = session.state.getState().home?.store_id
  const answer = await ask()
  if (!answer.ok) return answer.failure
  const { home } = session.state.getState()
  if (home && home.store_id === store) await session.updateHome({ ...home, store_settings: answer.value })
  return null
}
