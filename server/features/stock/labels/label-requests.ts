import { type Kysely, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { Refusal } from '#contract/core/errors.ts'
import { type LabelRequest, mostLabels } from '#contract/stock/labels.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { defineUseCase } from '#server/platform/http/use-case.ts'
import type { Services } from '#server/platform/services.ts'
import { assertTheirs, framesOf } from '#server/domain/stock/find-frame.ts'
import { selectFrames, toFrame } from '#server/domain/stock/frame-rows.ts'

/** The waiting requests of a store, oldest first. A piece that goes to another store waits there. */
export async function waitingRequests(db: Kysely<Schema>, storeId: number): Promise<{ requests: LabelRequest[]; total: number }> {
  const waiting = selectFrames(db)
    .innerJoin('label_request', 'label_request.id_inventory', 'frames.id_inventory')
    .where('frames.store_id', '=', storeId)
    .where('label_request.state', '=', 'waiting')
  const { total } = await waiting
    .clearSelect()
    .select((expr) => expr.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await waiting
    .select(['label_request.id_request', 'label_request.asked_by', 'label_request.asked_at'])
    .orderBy('label_request.asked_at')
    .orderBy('label_request.id_request')
    .limit(mostLabels)
    .execute()
  const requests = rows.map((row) => ({ id_request: row.id_request, frame: toFrame(row), asked_by: row.asked_by, asked_at: row.asked_at }))
  return { requests, total: Number(total) }
}

/**
 * Requests labels for pieces. A waiting piece keeps its one request. A label that was printed since the request counts
 * as done. The first request has the id of the command. Tablets mirror no requests, so no revision is raised. `added`
 * is the number of new requests.
 * @throws Refusal frame-unknown, store-foreign
 */
export const requestLabels = defineUseCase('label.request', {
  permission: 'frame.label',
  scopes: () => [],
  asked: ({ id_inventory }): { items: readonly number[] } => ({ items: [id_inventory] }),
  apply: async ({ writing: { trx }, id, actor, body, capturedAt }) => {
    // Locks in the order of the numbers, so that two equal calls at once wait for each other in one order.
    const frames = await framesOf(trx, actor, body.items)
    const printedSince = await trx
      .selectFrom('label_request')
      .select('id_inventory')
      .where('id_inventory', '=', sql<number>`any(${[...body.items]}::int[])`)
      .where('state', '=', 'printed')
      .where('settled_at', '>', capturedAt)
      .execute()
    const printed = new Set(printedSince.map(({ id_inventory }) => id_inventory))
    const rows = frames
      .filter(({ id_inventory }) => !printed.has(id_inventory))
      .map(({ id_inventory }, place) => ({
        id_request: place === 0 ? id : uuidv7(),
        id_inventory,
        asked_by: actor.name,
        asked_at: capturedAt,
        settled_by: null,
        settled_at: null,
      }))
    if (rows.length === 0) return { rows: [], added: 0 }
    const added = await trx
      .insertInto('label_request')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id_request')
      .execute()
    return { rows: [], added: added.length }
  },
})

/** Returns how many of them waited before. @throws Refusal label-request-unknown, store-foreign */
export async function settleRequests(
  services: Services,
  scope: Scope,
  ids: readonly string[],
  outcome: 'printed' | 'withdrawn',
): Promise<number> {
  return await services.db.pool.transaction().execute(async (trx) => {
    const wanted = sql<string>`any(${[...ids]}::uuid[])`
    const asked = await trx
      .selectFrom('label_request')
      .innerJoin('frames', 'frames.id_inventory', 'label_request.id_inventory')
      .innerJoin('stores', 'stores.store_id', 'frames.store_id')
      .select(['label_request.id_request', 'frames.store_id', 'stores.store_name'])
      .where('label_request.id_request', '=', wanted)
      .execute()
    if (asked.length < new Set(ids.map((id) => id.toLowerCase())).size) throw new Refusal('label-request-unknown')
    await assertTheirs(trx, scope, asked)
    const settled = await trx
      .updateTable('label_request')
      .set({ state: outcome, settled_by: scope.name, settled_at: new Date(services.clock.now()).toISOString() })
      .where('id_request', '=', wanted)
      .where('state', '=', 'waiting')
      .returning('id_request')
      .execute()
    return settled.length
  })
}
