import { countSheetEndpoints, type CountDevice } from '#contract/counts/count-sheets.ts'
import { inventoryEndpoints } from '#contract/stock/frames.ts'
import type { Device } from '#src/sync/device/device.ts'
import { loadReference } from '#src/sync/device/load-reference.ts'
import type { Named } from './scope-words.ts'

// What an open sheet asks the server for by itself and can do without: fetched when it asks.

/** The tablets that work on a sheet; null when the server does not tell. */
export async function askPresence(device: Device, idCountSheet: string, signal: AbortSignal): Promise<CountDevice[] | null> {
  const outcome = await device.call(countSheetEndpoints.viewCountSheet, { params: { id: idCountSheet } }, { signal })
  return outcome.ok ? outcome.value.devices : null
}

/** All vendors; null when the server does not tell. */
export async function askVendors(device: Device, signal: AbortSignal): Promise<Named[] | null> {
  const outcome = await loadReference(device, inventoryEndpoints.vendors, { signal })
  return outcome.ok ? outcome.value.vendors : null
}
