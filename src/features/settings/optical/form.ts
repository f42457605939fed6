import * as v from 'valibot'
import { opticalSettings, type OpticalSettings } from '#contract/settings/settings.ts'

/** The values of the form, all as text. */
export type OpticalForm = Record<keyof OpticalSettings, string>

const { cylinder_notation, power_step, spectacle_expiry_months, contact_lens_expiry_months, vertex_distance } = opticalSettings.entries

/**
 * Reads the text of a field as a number of the contract, times `scale`. The contract's own words refuse any other text.
 */
const typedNumber = (scale: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.transform((typed) => (/^\d+([.,]\d+)?$/.test(typed) ? Number(typed.replace(',', '.')) * scale : Number.NaN)),
  )

/** The contract's rules, for typed values. */
export const opticalForm = v.object({
  cylinder_notation,
  power_step: v.pipe(v.string(), v.transform(Number), power_step),
  expiry_by_state: v.pipe(
    v.string(),
    v.transform((typed) => typed === 'yes'),
  ),
  spectacle_expiry_months: v.pipe(typedNumber(1), spectacle_expiry_months),
  contact_lens_expiry_months: v.pipe(typedNumber(1), contact_lens_expiry_months),
  vertex_distance: v.pipe(typedNumber(1000), vertex_distance),
})

export function formOf(settings: OpticalSettings): OpticalForm {
  return {
    cylinder_notation: settings.cylinder_notation,
    power_step: String(settings.power_step),
    expiry_by_state: settings.expiry_by_state ? 'yes' : 'no',
    spectacle_expiry_months: String(settings.spectacle_expiry_months),
    contact_lens_expiry_months: String(settings.contact_lens_expiry_months),
    vertex_distance: (settings.vertex_distance / 1000).toFixed(1),
  }
}
