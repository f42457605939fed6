import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'

/** A whole number in a range; one sentence says what is wanted, whatever was given. */
function wholeNumber(min: number, max: number) {
  const message = `Enter a whole number from ${min} to ${max}`
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message))
}

/** How a store counts, and what may be done with its frames. Everyone who works there is told with their home info. */
export const inventorySettings = v.object({
  /** Which inventory-control actions a status allows: see `contract/control-rules.ts`. */
  control_preset: v.picklist(['practice', 'specification']),
  /** Whether new counts are blind unless their maker says otherwise. */
  blind_counts: v.boolean(),
  /** Below this share of expected frames counted, closing a sheet warns. */
  coverage_percent: wholeNumber(50, 100),
  /** Mean time between two keys up to which they come from a scanner; a hand types slower. */
  scan_gap_ms: wholeNumber(10, 120),
})
export type InventorySettings = v.InferOutput<typeof inventorySettings>

export const settingsEndpoints = {
  inventorySettings: endpoint({
    method: 'GET',
    path: '/api/settings/inventory',
    summary: 'The rules of inventory and counting of the store one works in',
    access: 'signed-in',
    response: inventorySettings,
  }),
  changeInventorySettings: endpoint({
    method: 'PUT',
    path: '/api/settings/inventory',
    summary: 'Changes them for everyone in the store',
    access: 'settings.inventory',
    body: inventorySettings,
    response: inventorySettings,
  }),
} as const
