import { receivePieces } from '#server/features/receiving/store-invoices/receive-pieces.ts'
import type { CommandEntries } from '#server/platform/http/command-applier.ts'

/** The work of receiving that a tablet also does without a connection. */
export const receivingCommands: CommandEntries<'vendor-invoice.receive'> = { 'vendor-invoice.receive': receivePieces }
