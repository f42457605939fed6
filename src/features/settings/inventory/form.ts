import * as v from 'valibot'
import { inventorySettings, type InventorySettings } from '#contract/settings/settings.ts'
import { readAs } from '#src/sync/device/read-as.ts'

/** The values of the form, with numbers as typed text. */
export type SettingsForm = {
  control_preset: InventorySettings['control_preset']
  blind_counts: boolean
  coverage_percent: string
  scan_gap_ms: string
}

/** Reads the text of a field as a number of the contract. An empty field is no number. */
const typedNumber = v.pipe(
  v.string(),
  v.trim(),
  v.transform((typed) => (/^\d+$/.test(typed) ? Number(typed) : Number.NaN)),
)

const { control_preset, blind_counts, coverage_percent, scan_gap_ms } = inventorySettings.entries

/** The contract's own rules, for typed values. */
export const settingsForm = v.object({
  control_preset,
  blind_counts,
  coverage_percent: v.pipe(typedNumber, coverage_percent),
  scan_gap_ms: v.pipe(typedNumber, scan_gap_ms),
})

/** Reads a draft. Returns null for one of another app version. */
export const readSettingsForm: (given: unknown) => SettingsForm | null = readAs(
  v.object({ control_preset, blind_counts: v.boolean(), coverage_percent: v.string(), scan_gap_ms: v.string() }),
)

export function formOf(settings: InventorySettings): SettingsForm {
  return { ...settings, coverage_percent: String(settings.coverage_percent), scan_gap_ms: String(settings.scan_gap_ms) }
}

export function sameSettings(a: InventorySettings, b: InventorySettings): boolean {
  return (
    a.control_preset === b.control_preset &&
    a.blind_counts === b.blind_counts &&
    a.coverage_percent === b.coverage_percent &&
    a.scan_gap_ms === b.scan_gap_ms
  )
}
