import { type Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { FrameWithNames } from '#server/domain/stock/frame-rows.ts'

type By = { id_user: number; name: string; at: string }

/** Adds a row to a return's timeline, which only grows. */
export async function recordReturn(trx: Transaction<Schema>, by: By, returnId: string, action: string, detail = ''): Promise<void> {
  await trx
    .insertInto('vendor_return_history')
    .values({ return_id: returnId, at: by.at, id_user: by.id_user, rep: by.name, action, detail })
    .execute()
}

/**
 * Adds a piece that a user set aside for its vendor to the store's draft for that vendor, or begins a draft. So nobody
 * forgets the piece in a drawer. A piece on an open return stays on that return.
 */
export async function joinVendorReturn(trx: Transaction<Schema>, by: By, frame: FrameWithNames, taken: InventoryStatus): Promise<void> {
  const onOne = await trx
    .selectFrom('vendor_return_lines as line')
    .innerJoin('vendor_returns as back', 'back.return_id', 'line.return_id')
    .where('line.id_inventory', '=', frame.id_inventory)
    .where('back.status', 'not in', ['closed', 'ra_denied'])
    .select('back.return_id')
    .executeTakeFirst()
  if (onOne) {
    await trx
      .updateTable('vendor_return_lines')
      .set({ taken_status: taken })
      .where('return_id', '=', onOne.return_id)
      .where('id_inventory', '=', frame.id_inventory)
      .execute()
    return
  }
  const draft = await trx
    .selectFrom('vendor_returns')
    .where('store_id', '=', frame.store_id)
    .where('vendor_id', '=', frame.vendor_id)
    .where('status', '=', 'draft')
    .orderBy('number', 'desc')
    .select(['return_id', 'version'])
    .executeTakeFirst()
  const return_id = draft?.return_id ?? uuidv7()
  if (draft) {
    await trx
      .updateTable('vendor_returns')
      .set({ version: draft.version + 1 })
      .where('return_id', '=', return_id)
      .execute()
  } else {
    await trx
      .insertInto('vendor_returns')
      .values({
        return_id,
        store_id: frame.store_id,
        vendor_id: frame.vendor_id,
        status: 'draft',
        reason: taken === 'Defective' ? 'defective' : 'stock balance',
        note: '',
        created_by: by.name,
        created_at: by.at,
        since: by.at,
      })
      .execute()
    await recordReturn(trx, by, return_id, 'Begun')
  }
  const last = await trx
    .selectFrom('vendor_return_lines')
    .where('return_id', '=', return_id)
    .select((line) => line.fn.max('place').as('place'))
    .executeTakeFirst()
  await trx
    .insertInto('vendor_return_lines')
    .values({
      return_id,
      id_inventory: frame.id_inventory,
      place: Number(last?.place ?? -1) + 1,
      cost_cents: frame.item_net,
      taken_status: taken,
    })
    .execute()
  await recordReturn(trx, by, return_id, 'Frame added', frame.sku)
}
