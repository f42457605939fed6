import { receivePiecesLater } from '#server/features/receiving/store-invoices/receive-pieces.ts'
import type { CommandEntries } from '#server/platform/http/command-applier.ts'

/** What is received without waiting for a connection. */
export const receivingCommands: CommandEntries<'vendor-invoice.receive'> = {
  'vendor-invoice.receive': { permission: 'vendor-invoice.write', scopes: () => ['chain'], apply: receivePiecesLater },
}
