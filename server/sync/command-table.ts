import type { CommandKind } from '#contract/sync/commands.ts'
import { countCommands } from '#server/features/counts/count-sheets/commands.ts'
import { inventoryCommands } from '#server/features/stock/inventory/commands.ts'
import { labelCommands } from '#server/features/stock/labels/commands.ts'
import { patientCommands } from '#server/features/patients/patients/commands.ts'
import { receivingCommands } from '#server/features/receiving/store-invoices/commands.ts'
import { transferCommands } from '#server/features/stock/transfers/commands.ts'
import type { CommandEntries } from '#server/platform/http/command-applier.ts'
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
