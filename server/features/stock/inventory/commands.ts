import { changeFrameState } from '#server/features/stock/inventory/change-state.ts'
import type { CommandEntries } from '#server/platform/http/command-applier.ts'

/** The work on frames that a tablet also does without a connection. */
export const inventoryCommands: CommandEntries<'frame.change-state'> = { 'frame.change-state': changeFrameState }
