import { beginTransferLater, putOnTransferLater } from '#server/features/stock/transfers/draft-transfer.ts'
import { sendTransferLater } from '#server/features/stock/transfers/move-transfer.ts'
import type { CommandEntries } from '#server/platform/http/command-applier.ts'

/** What is put into a box without waiting for a connection. Tablets mirror no drafts: only what leaves raises a revision. */
export const transferCommands: CommandEntries<'transfer.begin' | 'transfer.put' | 'transfer.send'> = {
  'transfer.begin': { permission: 'frame.transfer', scopes: () => [], apply: beginTransferLater },
  'transfer.put': { permission: 'frame.transfer', scopes: () => [], apply: putOnTransferLater },
  'transfer.send': { permission: 'frame.transfer', scopes: () => ['chain'], apply: sendTransferLater },
}
