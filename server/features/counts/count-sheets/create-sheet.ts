import { sql, type Transaction } from 'kysely'
import { type CountScope, wholeStore } from '#contract/counts/count-sheets.ts'
import { expectedStatuses } from '#contract/counts/counting.ts'
import { Refusal } from '#contract/core/errors.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { appliedSheet } from '#server/features/counts/count-sheets/change-sheet.ts'
import type { Actor, Apply } from '#server/platform/http/use-case.ts'
import { readStoreSettings } from '#server/domain/people/store-settings.ts'

/**
 * Makes a sheet and freezes its expected frames: those of the store that match its scope now. A sheet from offline
 * keeps its time of making, and expects the frames that the server has when it arrives.
 */
export const createSheet: Apply<'count.create'> = async ({ writing, body, actor, capturedAt, receivedAt }) => {
  const { trx } = writing
  const storeId = actor.store_id
  const taken = await trx
    .selectFrom('count_sheets')
    .select('id_count_sheet')
    .where('id_count_sheet', '=', body.id_count_sheet)
    .executeTakeFirst()
  if (taken) throw new Refusal('key-reused')

  const revision = writing.revision(`store:${storeId}`)
  await trx
    .insertInto('count_sheets')
    .values({
      id_count_sheet: body.id_count_sheet,
      store_id: storeId,
      scope: JSON.stringify({ ...wholeStore, ...body.scope }),
      notes: body.notes,
      blind: body.blind || (await mustBeBlind(trx, storeId, actor)),
      phase: 'counting',
      expected_count: 0,
      created_at: capturedAt,
      created_by: actor.id_user,
      snapshot_at: receivedAt,
      walk: 1,
      walk_started_at: capturedAt,
      walk_starts: JSON.stringify([capturedAt]),
      revision,
    })
    .execute()
  const expected = await takeSnapshot(trx, body.id_count_sheet, storeId, body.scope, revision)
  if (expected === 0) throw new Refusal('count-scope-empty')
  await trx.updateTable('count_sheets').set({ expected_count: expected }).where('id_count_sheet', '=', body.id_count_sheet).execute()

  return await appliedSheet({ writing }, { id_count_sheet: body.id_count_sheet, store_id: storeId })
}

/** In a store that counts blind, a user who may not see the numbers cannot make a sheet that shows them. */
async function mustBeBlind(trx: Transaction<Schema>, storeId: number, actor: Actor): Promise<boolean> {
  if (actor.permissions.has('count.see-expected-while-blind')) return false
  return (await readStoreSettings(trx, storeId)).blind_counts
}

/** Copies the frames of the scope into the sheet in one statement, and returns their number. */
async function takeSnapshot(trx: Transaction<Schema>, id: string, storeId: number, scope: CountScope, revision: number): Promise<number> {
  const statuses = scope.statuses.length > 0 ? scope.statuses : expectedStatuses
  const result = await trx
    .insertInto('count_items')
    .columns([
      'id_count_sheet',
      'id_inventory',
      'store_id',
      'sku',
      'serial',
      'upc',
      'brand_id',
      'brand_name',
      'title_product',
      'title_variant',
      'size_lens_width',
      'size_bridge_width',
      'size_temple_length',
      'pb_selling_price',
      'status',
      'board_location',
      'last_seen_at',
      'revision',
    ])
    .expression((eb) => {
      let frames = eb
        .selectFrom('frames')
        .innerJoin('brands', 'brands.brand_id', 'frames.brand_id')
        .select([
          sql<string>`${id}::uuid`.as('id_count_sheet'),
          'frames.id_inventory',
          'frames.store_id',
          'frames.sku',
          'frames.serial',
          'frames.upc',
          'frames.brand_id',
          'brands.name',
          'frames.title_product',
          'frames.title_variant',
          'frames.size_lens_width',
          'frames.size_bridge_width',
          'frames.size_temple_length',
          'frames.pb_selling_price',
          'frames.status',
          'frames.board_location',
          'frames.last_seen_at',
          sql<number>`${revision}::bigint`.as('revision'),
        ])
        .where('frames.store_id', '=', storeId)
        .where('frames.deleted_at', 'is', null)
        .where('frames.status', 'in', statuses)
      if (scope.brand_ids.length > 0) frames = frames.where('frames.brand_id', '=', sql<number>`any(${scope.brand_ids}::int[])`)
      if (scope.vendor_ids.length > 0) frames = frames.where('frames.vendor_id', '=', sql<number>`any(${scope.vendor_ids}::int[])`)
      if (scope.price_min_cents !== null) frames = frames.where('frames.pb_selling_price', '>=', scope.price_min_cents)
      if (scope.price_max_cents !== null) frames = frames.where('frames.pb_selling_price', '<=', scope.price_max_cents)
      return frames
    })
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0)
}
