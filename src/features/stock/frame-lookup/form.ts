import { controlActions, controlNote, controlRefusal, type ControlPreset } from '#contract/stock/control-rules.ts'
import { errorCatalog } from '#contract/core/errors.ts'
import type { ControlFlag, Frame, InventoryStatus } from '#contract/stock/frames.ts'
import { controlFlags } from '#contract/stock/frames.ts'

export type ControlOption = { value: ControlFlag; label: string; hint?: string; disabled: boolean }

/** Returns the seven options for a frame in this status. An impossible one stays visible and says why. */
export function controlOptions(status: InventoryStatus, preset: ControlPreset): ControlOption[] {
  return controlFlags.map((flag) => {
    const refusal = controlRefusal(flag, status, preset)
    const needsNote = controlActions[flag].noteRequired ? 'Add a note' : undefined
    const hint = refusal ?? needsNote
    return { value: flag, label: controlActions[flag].label, disabled: refusal !== null, ...(hint && { hint }) }
  })
}

export type EditErrors = { action?: string; note?: string }

/** Returns the problems of an edit before it is sent, or an empty object. */
export function editErrors(action: ControlFlag | null, note: string, status: InventoryStatus, preset: ControlPreset): EditErrors {
  if (action === null) return { action: 'You must select an inventory control option' }
  const refusal = controlRefusal(action, status, preset)
  if (refusal !== null) return { action: refusal }
  if (controlActions[action].noteRequired && controlNote(note) === undefined) return { note: errorCatalog['control-note-missing'].message }
  return {}
}

/** Returns the body of the call: the chosen flag, a note if there is one, and the version that the user saw. */
export function editBody(frame: Pick<Frame, 'id_inventory' | 'version'>, action: ControlFlag, note: string) {
  const text = controlNote(note)
  const flag: Partial<Record<ControlFlag, true>> = { [action]: true }
  return { inventory_id: frame.id_inventory, ...flag, version: frame.version, ...(text !== undefined && { note: text }) }
}

export type FieldChange = { label: string; before: string; after: string }

const comparedFields: { label: string; of: (frame: Frame, storeName: (id: number) => string) => string }[] = [
  { label: 'Status', of: (frame) => frame.status },
  { label: 'Store', of: (frame, storeName) => storeName(frame.store_id) },
  { label: 'Store tag', of: (frame) => frame.sku },
  { label: 'Serial / F#', of: (frame) => frame.serial },
  { label: 'UPC', of: (frame) => frame.upc ?? 'none' },
  { label: 'Brand', of: (frame) => frame.brand_name },
  { label: 'Model', of: (frame) => frame.title_product },
  { label: 'Color', of: (frame) => frame.title_variant },
  { label: 'Place', of: (frame) => frame.board_location ?? 'none' },
]

/** Returns another user's changes between two reads of the same frame. */
export function changesBetween(before: Frame, after: Frame, storeName: (id: number) => string): FieldChange[] {
  return comparedFields
    .map(({ label, of }) => ({ label, before: of(before, storeName), after: of(after, storeName) }))
    .filter((change) => change.before !== change.after)
}
