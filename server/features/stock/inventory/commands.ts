import { changeFrameState } from '#server/features/stock/inventory/change-state.ts'
import type { CommandEntries } from '#server/platform/http/command-applier.ts'

/** The inventory work that a tablet can do offline. */
export const inventoryCommands: CommandEntries<'frame.change-state'> = { 'frame.change-state': changeFrameState }
