import type { Kysely } from 'kysely'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import { statusOf, type TransferLineState } from '#contract/stock/transfers.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/** The state of a transfer line after its piece left transit with this status. */
function lineStateOf(status: InventoryStatus): TransferLineState {
  if (status === 'Missing' || status === 'Removed') return 'lost'
  return status === 'Defective' ? 'damaged' : 'received'
}

/** Ends the transfer lines of pieces that left transit in any way. */
export async function endTransit(
  trx: Kysely<Schema>,
  pieces: readonly { id_inventory: number; status: InventoryStatus }[],
  by: { rep: string; at: string },
): Promise<void> {
  for (const piece of pieces) await endTransitOf(trx, piece, by)
}

async function endTransitOf(
  trx: Kysely<Schema>,
  piece: { id_inventory: number; status: InventoryStatus },
  by: { rep: string; at: string },
): Promise<void> {
  const line = await trx
    .updateTable('transfer_lines')
    .set({ state: lineStateOf(piece.status), received_by: by.rep, received_at: by.at })
    .where('id_inventory', '=', piece.id_inventory)
    .where('state', '=', 'in transit')
    .returning('id_transfer')
    .executeTakeFirst()
  if (line) await settleTransfer(trx, line.id_transfer, by.at)
}

/** Sets the status of a transfer from its lines. */
export async function settleTransfer(trx: Kysely<Schema>, idTransfer: string, at: string): Promise<void> {
  const lines = await trx.selectFrom('transfer_lines').select('state').where('id_transfer', '=', idTransfer).execute()
  const status = statusOf(lines.map(({ state }) => state))
  const isClosed = status !== 'sent' && status !== 'partly received'
  await trx
    .updateTable('transfers')
    .set((expr) => ({ status, closed_at: isClosed ? at : null, version: expr('version', '+', 1) }))
    .where('id_transfer', '=', idTransfer)
    .execute()
}
