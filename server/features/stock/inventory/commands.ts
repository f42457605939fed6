import { changeFrameStateLater } from '#server/features/stock/inventory/change-state.ts'
import type { CommandEntries } from '#server/platform/http/command-applier.ts'

/** What the commands of a frame's lane do. */
export const inventoryCommands: CommandEntries<'frame.change-state'> = {
  'frame.change-state': { permission: 'frame.change-state', scopes: () => ['chain'], apply: changeFrameStateLater },
}
