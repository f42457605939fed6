import { type Kysely, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { Refusal } from '#contract/core/errors.ts'
import { type LabelRequest, mostLabels } from '#contract/stock/labels.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { CommandApplier } from '#server/platform/http/command-applier.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'
import { assertTheirs, framesOf } from '#server/domain/stock/find-frame.ts'
import { selectFrames, toFrame } from '#server/domain/stock/frame-rows.ts'

/** The pieces of a store that wait, the longest first. A piece that goes to another store waits there. */
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

/** Returns how many of the pieces did not wait before. @throws Refusal frame-unknown, store-foreign */
export async function requestLabels(services: Services, scope: Scope, items: readonly number[]): Promise<number> {
  return await services.db.reads.transaction().execute(async (trx) => {
    // By their number: two people who ask for the same at once wait for each other in one order.
    const frames = await framesOf(trx, scope, items)
    const asked_at = new Date(services.clock.now()).toISOString()
    const rows = frames.map(({ id_inventory }) => ({
      id_request: uuidv7(),
      id_inventory,
      asked_by: scope.name,
      asked_at,
      settled_by: null,
      settled_at: null,
    }))
    const added = await trx
      .insertInto('label_request')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id_request')
      .execute()
    return added.length
  })
}

/**
 * The same by a command, which may have waited for a connection. A piece that waits goes on waiting once; one whose label came out since it was
 * asked for has what was asked for. @throws Refusal frame-unknown, store-foreign
 */
export const requestLabelLater: CommandApplier<'label.request'> = async ({ writing: { trx }, command, body, author, capturedAt }) => {
  if (command.store_id === null) {
    throw new Refusal('request-invalid', { fields: [{ path: 'store_id', message: 'a label is asked for in a store' }] })
  }
  const { id_inventory } = body
  await framesOf(trx, { id_user: author.id_user, store_id: command.store_id }, [id_inventory])
  const printedSince = await trx
    .selectFrom('label_request')
    .select('id_request')
    .where('id_inventory', '=', id_inventory)
    .where('state', '=', 'printed')
    .where('settled_at', '>', capturedAt)
    .executeTakeFirst()
  if (printedSince) return { rows: [] }
  await trx
    .insertInto('label_request')
    .values({
      id_request: command.id,
      id_inventory,
      asked_by: author.name,
      asked_at: capturedAt,
      settled_by: null,
      settled_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { rows: [] }
}

/** Returns how many of them waited until now. @throws Refusal label-request-unknown, store-foreign */
export async function settleRequests(
  services: Services,
  scope: Scope,
  ids: readonly string[],
  outcome: 'printed' | 'withdrawn',
): Promise<number> {
  return await services.db.reads.transaction().execute(async (trx) => {
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
