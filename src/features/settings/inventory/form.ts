import * as v from 'valibot'
import { inventorySettings, type InventorySettings } from '#contract/settings/settings.ts'
import { readAs } from '#src/sync/device/read-as.ts'

/** What the form holds while it is filled in: numbers as they are typed. */
export type SettingsForm = {
  control_preset: InventorySettings['control_preset']
  blind_counts: boolean
  coverage_percent: string
  scan_gap_ms: string
}

/** A field's text as the number that the contract wants; an empty field is none. */
const typedNumber = v.pipe(
  v.string(),
  v.trim(),
  v.transform((typed) => (/^\d+$/.test(typed) ? Number(typed) : Number.NaN)),
)

const { control_preset, blind_counts, coverage_percent, scan_gap_ms } = inventorySettings.entries

/** The contract's own rules, for what people type. */
export const settingsForm = v.object({
  control_preset,
  blind_counts,
  coverage_percent: v.pipe(typedNumber, coverage_percent),
  scan_gap_ms: v.pipe(typedNumber, scan_gap_ms),
})

/** What was typed and not saved; null for what another version of the app kept. */
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
