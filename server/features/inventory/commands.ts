import { changeFrameStateLater } from '#server/features/inventory/change-state.ts'
import type { CommandEntries } from '#server/http/command-applier.ts'

/** What the commands of a frame's lane do. */
export const inventoryCommands: CommandEntries<'frame.change-state'> = {
  'frame.change-state': { permission: 'frame.change-state', scopes: () => ['chain'], apply: changeFrameStateLater },
}
