import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { lockTime } from '#contract/settings/lock-time.ts'

/** A whole number in a range. Every wrong value gets the same sentence. */
function wholeNumber(min: number, max: number) {
  const message = `Enter a whole number from ${min} to ${max}`
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message))
}

/** How a store counts, and what users may do with its frames. Everyone who works there gets it with their home info. */
export const inventorySettings = v.object({
  /** Which inventory-control actions a status allows: see `contract/stock/control-rules.ts`. */
  control_preset: v.picklist(['practice', 'specification']),
  /** True: new counts are blind unless their author says otherwise. */
  blind_counts: v.boolean(),
  /** Below this share of expected frames counted, closing a sheet warns. */
  coverage_percent: wholeNumber(50, 100),
  /** The longest mean time between two keys of a scanner. A hand types slower. */
  scan_gap_ms: wholeNumber(10, 120),
})
export type InventorySettings = v.InferOutput<typeof inventorySettings>

/** After how many idle minutes the tablets of a store lock. */
export const securitySettings = v.object({ lock_minutes: wholeNumber(1, lockTime.longest) })
export type SecuritySettings = v.InferOutput<typeof securitySettings>

export const cylinderNotations = ['minus', 'plus'] as const
export type CylinderNotation = (typeof cylinderNotations)[number]

/** How a store writes prescriptions. Lengths and powers are whole thousandths, as in a prescription. */
export const opticalSettings = v.object({
  /** Shown, typed and printed so. Prescriptions are always stored in minus cylinder. */
  cylinder_notation: v.picklist(cylinderNotations, 'must be one of the choices'),
  /** The step between two legal powers of glasses. */
  power_step: v.picklist([250, 125], 'must be one of the choices'),
  /**
   * True: prescriptions hold as long as the law of the store's state says. The months below are then the state's, and
   * sent ones do not count.
   */
  expiry_by_state: v.optional(v.boolean(), false),
  /** How long a prescription holds unless the doctor says otherwise. */
  spectacle_expiry_months: wholeNumber(6, 60),
  /** In the US at least a year (16 CFR 315.6); a shorter one needs a medical reason in the prescription itself. */
  contact_lens_expiry_months: wholeNumber(12, 60),
  /** The vertex distance of a new prescription of glasses. */
  vertex_distance: v.pipe(
    v.number('Enter a distance from 5 to 20 mm, in steps of 0.5'),
    v.check((given) => given >= 5000 && given <= 20_000 && given % 500 === 0, 'Enter a distance from 5 to 20 mm, in steps of 0.5'),
  ),
})
export type OpticalSettings = v.InferOutput<typeof opticalSettings>

/** The optical settings of a store with the state of its address, which is null while nobody has entered it. */
export const storeOpticalSettings = v.object({ ...opticalSettings.entries, state: v.nullable(v.string()) })
export type StoreOpticalSettings = v.InferOutput<typeof storeOpticalSettings>

/** The settings until someone chooses others. */
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
  securitySettings: endpoint({
    method: 'GET',
    path: '/api/settings/security',
    summary: 'After how many idle minutes the tablets of the store one works in lock',
    access: 'signed-in',
    response: securitySettings,
  }),
  changeSecuritySettings: endpoint({
    method: 'PUT',
    path: '/api/settings/security',
    summary: 'Changes that for every tablet of the store',
    access: 'settings.security',
    body: securitySettings,
    response: securitySettings,
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
    summary: 'Changes that for everyone in the store; existing prescriptions stay unchanged',
    access: 'settings.optical',
    body: opticalSettings,
    response: storeOpticalSettings,
  }),
} as const
