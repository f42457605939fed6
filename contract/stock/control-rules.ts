import type { ControlFlag, InventoryStatus } from '#contract/stock/frames.ts'
import { controlFlags } from '#contract/stock/frames.ts'

/** The seven inventory-control actions: their words, and what they make of a frame. */
export type ControlAction = {
  label: string
  to: InventoryStatus
  /** Why the frame left, when it did. */
  removedReason?: 'vendor_return' | 'other'
  noteRequired?: boolean
}

export const controlActions: Record<ControlFlag, ControlAction> = {
  state_defective: { label: 'Defective', to: 'Defective', noteRequired: true },
  state_remove: { label: 'Item is missing', to: 'Missing' },
  state_remove_other: { label: 'Remove (other)', to: 'Removed', removedReason: 'other', noteRequired: true },
  state_return_in_stock: { label: 'Found missing, return to stock', to: 'Ready for Sale' },
  state_return_vendor: { label: 'Return to vendor', to: 'Removed', removedReason: 'vendor_return' },
  state_in_stock: { label: 'Place into stock', to: 'Ready for Sale' },
  state_return_in_store_no_defect: { label: 'No longer defective', to: 'Ready for Sale' },
}

export type ControlPreset = 'practice' | 'specification'
type RuleTable = Partial<Record<InventoryStatus, readonly ControlFlag[]>>

/** What a stockroom needs. A status that is not listed allows all seven. */
const practice: RuleTable = {
  'Ready for Sale': ['state_defective', 'state_remove', 'state_remove_other', 'state_return_vendor'],
  Defective: ['state_return_in_store_no_defect', 'state_return_vendor', 'state_remove', 'state_remove_other'],
  Missing: ['state_return_in_stock', 'state_return_vendor', 'state_remove_other'],
  ICT: ['state_in_stock', 'state_remove', 'state_defective'],
  Removed: ['state_in_stock', 'state_return_in_stock', 'state_return_vendor'],
}

/** The sets as the specification lists them. */
const specification: RuleTable = {
  'Ready for Sale': ['state_return_in_stock', 'state_return_vendor', 'state_in_stock', 'state_return_in_store_no_defect'],
  Defective: ['state_defective', 'state_return_in_stock', 'state_return_vendor', 'state_in_stock'],
  Missing: ['state_defective', 'state_remove', 'state_remove_other', 'state_in_stock', 'state_return_in_store_no_defect'],
  ICT: controlFlags.filter((flag) => flag !== 'state_remove_other'),
  Removed: ['state_remove', 'state_remove_other', 'state_defective'],
}

const presets: Record<ControlPreset, RuleTable> = { practice, specification }

/** The actions that are possible for a frame in this state. */
export function allowedControls(status: InventoryStatus, preset: ControlPreset): readonly ControlFlag[] {
  return presets[preset][status] ?? controlFlags
}

/** Why an action is not possible, in words for the person; null when it is. */
export function controlRefusal(flag: ControlFlag, status: InventoryStatus, preset: ControlPreset): string | null {
  if (allowedControls(status, preset).includes(flag)) return null
  return `Not possible while the frame is ${status}`
}

/** Sold and On Hold frames belong to an invoice: the person is asked once more. */
export function needsConfirmation(status: InventoryStatus): boolean {
  return status === 'Sold' || status === 'On Hold'
}

/** The specification's rule for the note of an edit: quotes are taken out, and an empty note is not sent. */
export function controlNote(typed: string): string | undefined {
  const note = typed.replace(/['"]/g, '').trim()
  return note === '' ? undefined : note
}
