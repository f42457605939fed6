import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'

/** A whole number in a range; one sentence says what is wanted, whatever was given. */
function wholeNumber(min: number, max: number) {
  const message = `Enter a whole number from ${min} to ${max}`
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message))
}

/** How a store counts, and what may be done with its frames. Everyone who works there is told with their home info. */
export const inventorySettings = v.object({
  /** Which inventory-control actions a status allows: see `contract/stock/control-rules.ts`. */
  control_preset: v.picklist(['practice', 'specification']),
  /** Whether new counts are blind unless their maker says otherwise. */
  blind_counts: v.boolean(),
  /** Below this share of expected frames counted, closing a sheet warns. */
  coverage_percent: wholeNumber(50, 100),
  /** Mean time between two keys up to which they come from a scanner; a hand types slower. */
  scan_gap_ms: wholeNumber(10, 120),
})
export type InventorySettings = v.InferOutput<typeof inventorySettings>

export const cylinderNotations = ['minus', 'plus'] as const
export type CylinderNotation = (typeof cylinderNotations)[number]

/** How a store writes prescriptions. Lengths and powers are whole thousandths, as in a prescription. */
export const opticalSettings = v.object({
  /** Shown, typed and printed so; prescriptions are kept in minus cylinder whatever is chosen. */
  cylinder_notation: v.picklist(cylinderNotations, 'must be one of the choices'),
  /** Between two legal powers of glasses. */
  power_step: v.picklist([250, 125], 'must be one of the choices'),
  /** Whether prescriptions hold as long as the state of the store has it; the months below are then that time, whatever is sent. */
  expiry_by_state: v.optional(v.boolean(), false),
  /** How long a prescription holds unless the doctor says otherwise. */
  spectacle_expiry_months: wholeNumber(6, 60),
  /** In the US at least a year (16 CFR 315.6); a shorter one needs a medical reason in the prescription itself. */
  contact_lens_expiry_months: wholeNumber(12, 60),
  /** What a new prescription of glasses begins with. */
  vertex_distance: v.pipe(
    v.number('Enter a distance from 5 to 20 mm, in steps of 0.5'),
    v.check((given) => given >= 5000 && given <= 20_000 && given % 500 === 0, 'Enter a distance from 5 to 20 mm, in steps of 0.5'),
  ),
})
export type OpticalSettings = v.InferOutput<typeof opticalSettings>

/** The same as a store has it, with its state: the one of its address, null while nobody has entered it. */
export const storeOpticalSettings = v.object({ ...opticalSettings.entries, state: v.nullable(v.string()) })
export type StoreOpticalSettings = v.InferOutput<typeof storeOpticalSettings>

/** Until someone chooses otherwise. */
export const usualOpticalSettings: OpticalSettings = {
  cylinder_notation: 'minus',
  power_step: 250,
  expiry_by_state: true,
  spectacle_expiry_months: 24,
  contact_lens_expiry_months: 12,
  vertex_distance: 13_000,
}

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
  opticalSettings: endpoint({
    method: 'GET',
    path: '/api/settings/optical',
    summary: 'How the store one works in writes prescriptions',
    access: 'signed-in',
    response: storeOpticalSettings,
    cached: 'reference',
  }),
  changeOpticalSettings: endpoint({
    method: 'PUT',
    path: '/api/settings/optical',
    summary: 'Changes that for everyone in the store; prescriptions that exist stay as they are',
    access: 'settings.optical',
    body: opticalSettings,
    response: storeOpticalSettings,
  }),
} as const
