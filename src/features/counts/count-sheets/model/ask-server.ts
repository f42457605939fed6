import { countSheetEndpoints, type CountDevice } from '#contract/counts/count-sheets.ts'
import { inventoryEndpoints } from '#contract/stock/frames.ts'
import type { Device } from '#src/sync/device/device.ts'
import { loadReference } from '#src/sync/device/load-reference.ts'
import type { Named } from './scope-words.ts'

// Requests of an open sheet that it can do without. This code loads at the first request.

/** Returns the tablets that work on a sheet, or null without an answer. */
export async function askPresence(device: Device, idCountSheet: string, signal: AbortSignal): Promise<CountDevice[] | null> {
  const outcome = await device.call(countSheetEndpoints.viewCountSheet, { params: { id: idCountSheet } }, { signal })
  return outcome.ok ? outcome.value.devices : null
}

/** Returns all vendors, or null without an answer. */
export async function askVendors(device: Device, signal: AbortSignal): Promise<Named[] | null> {
  const outcome = await loadReference(device, inventoryEndpoints.vendors, { signal })
  return outcome.ok ? outcome.value.vendors : null
}
