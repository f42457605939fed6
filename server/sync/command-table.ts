import type { CommandKind } from '#contract/sync/commands.ts'
import { countCommands } from '#server/features/count-sheets/commands.ts'
import { inventoryCommands } from '#server/features/inventory/commands.ts'
import { labelCommands } from '#server/features/labels/commands.ts'
import { patientCommands } from '#server/features/patients/commands.ts'
import { receivingCommands } from '#server/features/store-invoices/commands.ts'
import { transferCommands } from '#server/features/transfers/commands.ts'
import type { CommandEntries } from '#server/http/command-applier.ts'
import { discardCommand } from '#server/sync/discard-command.ts'
import { punchCommands } from '#server/sync/punch-commands.ts'

/** What each command does. The server does not compile while one has no meaning. */
export const commandTable: CommandEntries<CommandKind> = {
  ...countCommands,
  ...inventoryCommands,
  ...labelCommands,
  ...patientCommands,
  ...receivingCommands,
  ...transferCommands,
  ...punchCommands,
  'command.discard': discardCommand,
}
