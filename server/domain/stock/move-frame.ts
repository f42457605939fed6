import type { Updateable } from 'kysely'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import type { Writing } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { FrameWithNames } from '#server/domain/stock/frame-rows.ts'
import { historyRow } from '#server/domain/stock/history-row.ts'

/** The author and the time. */
export type MovedBy = { id_user: number; name: string; at: string }

/**
 * Changes a piece's state and writes its row of history with version, revision and both ends of the move.
 * @param after the new state; the store may be left out when it stays the same
 * @param told the action, and its note or number
 */
export async function moveFrame(
  { trx, revision }: Writing,
  by: MovedBy,
  frame: FrameWithNames,
  after: { status: InventoryStatus } & Pick<
    Updateable<Schema['frames']>,
    'store_id' | 'removed_reason' | 'board_location' | 'last_seen_at'
  >,
  told: { action: string; extra: string },
): Promise<void> {
  await trx
    .updateTable('frames')
    .set({ ...after, version: frame.version + 1, changed_at: by.at, revision: revision('chain') })
    .where('id_inventory', '=', frame.id_inventory)
    .execute()
  const row = historyRow({
    id_inventory: frame.id_inventory,
    action: told.action,
    before: frame,
    after: { status: after.status, store_id: after.store_id ?? frame.store_id },
    at: by.at,
    by: { id_user: by.id_user, rep: by.name, device_id: null },
    extra: told.extra,
  })
  await trx.insertInto('frame_history').values(row).execute()
}
