import { receivePieces } from '#server/features/receiving/store-invoices/receive-pieces.ts'
import type { CommandEntries } from '#server/platform/http/command-applier.ts'

/** The receiving work that a tablet can do offline. */
export const receivingCommands: CommandEntries<'vendor-invoice.receive'> = { 'vendor-invoice.receive': receivePieces }
