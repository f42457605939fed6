import { sql, type Kysely, type RawBuilder } from 'kysely'
import { normaliseCode } from '#contract/codes.ts'
import { controlActions } from '#contract/control-rules.ts'
import type { FrameRecord } from '#contract/frames.ts'
import { Refusal } from '#contract/errors.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Scope } from '#server/http/scope.ts'
import { type FrameWithNames, selectFrames, toFrame } from '#server/stock/frame-rows.ts'

/** The frame that a person or a scanner means: by serial, then by store tag, then by its number. Throws `frame-unknown`. */
export async function findFrame(db: Kysely<Schema>, typed: string): Promise<FrameWithNames> {
  const code = normaliseCode(typed)
  const id = /^[1-9]\d{0,9}$/.test(code) && Number(code) <= 2_147_483_647 ? Number(code) : 0
  const found = await selectFrames(db)
    .where((where) => where.or([where('frames.serial', '=', code), where('frames.sku', '=', code), where('frames.id_inventory', '=', id)]))
    .execute()
  const frame = found.find((one) => one.serial === code) ?? found.find((one) => one.sku === code) ?? found[0]
  if (!frame) throw new Refusal('frame-unknown')
  return frame
}

/** Actions whose `extra` is a person's note; what counts and receipts write there is none. */
const notedActions = Object.values(controlActions).map((action) => action.label)

/** The whole record, with costs for those who may see them. */
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
  const maySeeCost = scope.permissions.has('frame.see-cost')
  return {
    ...toFrame(row),
    store: row.store_name,
    note: row.note,
    notes,
    id_model: row.id_model,
    item_list_cost: maySeeCost ? row.item_list_cost : null,
    item_discount: maySeeCost ? row.item_discount : null,
    item_net: maySeeCost ? row.item_net : null,
  }
}

/** `%` and `_` mean themselves. */
export function containing(text: string): RawBuilder<string> {
  return sql<string>`${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`
}
