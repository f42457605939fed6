import { sql, type Kysely, type RawBuilder } from 'kysely'
import { controlActions } from '#contract/stock/control-rules.ts'
import type { FrameRecord } from '#contract/stock/frames.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { type FrameWithNames, toFrame } from '#server/domain/stock/frame-rows.ts'

/** Actions whose `extra` is a user's note. Counts and receipts write other texts there. */
const notedActions = Object.values(controlActions).map((action) => action.label)

/** Returns the whole record, with costs for users who may see them. */
export async function frameRecordOf(db: Kysely<Schema>, row: FrameWithNames, scope: Pick<Scope, 'permissions'>): Promise<FrameRecord> {
  const notes = await db
    .selectFrom('frame_history')
    .select(['at', 'rep as by', 'extra as text'])
    .where('id_inventory', '=', row.id_inventory)
    .where('action', 'in', notedActions)
    .where('extra', '<>', '')
    .where('id_count_sheet', 'is', null)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(50)
    .execute()
  const photo =
    row.id_model === null
      ? undefined
      : await db.selectFrom('model_photos').select('id_photo').where('id_model', '=', row.id_model).executeTakeFirst()
  const maySeeCost = scope.permissions.has('frame.see-cost')
  return {
    ...toFrame(row),
    store: row.store_name,
    note: row.note,
    notes,
    id_model: row.id_model,
    id_photo: photo?.id_photo ?? null,
    item_list_cost: maySeeCost ? row.item_list_cost : null,
    item_discount: maySeeCost ? row.item_discount : null,
    item_net: maySeeCost ? row.item_net : null,
  }
}

/** `%` and `_` match literally. */
export function containing(text: string): RawBuilder<string> {
  return sql<string>`${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`
}
