import { beginTransfer, putOnTransfer } from '#server/features/stock/transfers/draft-transfer.ts'
import { sendTransfer } from '#server/features/stock/transfers/move-transfer.ts'
import type { CommandEntries } from '#server/platform/http/command-applier.ts'

/** The work on transfers that a tablet can do offline. */
export const transferCommands: CommandEntries<'transfer.begin' | 'transfer.put' | 'transfer.send'> = {
  'transfer.begin': beginTransfer,
  'transfer.put': putOnTransfer,
  'transfer.send': sendTransfer,
}
