import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { TransferDraft } from '#contract/transfers.ts'
import type { Schema } from '#server/db/schema.ts'
import { findTransfer } from '#server/features/transfers/read-transfers.ts'
import type { Scope } from '#server/http/scope.ts'
import type { Services } from '#server/services.ts'
import { selectFrames } from '#server/stock/frame-rows.ts'

/** A draft from the person's store; under the same id it is written once. @throws Refusal key-reused, and as `assertFits` */
export async function createTransfer(services: Services, scope: Scope, id: string, { items, ...draft }: TransferDraft): Promise<void> {
  await services.db.reads.transaction().execute(async (trx) => {
    await assertFits(trx, scope, { ...draft, items })
    const made = await trx
      .insertInto('transfers')
      .values({
        ...draft,
        id_transfer: id,
        from_store_id: scope.store_id,
        status: 'draft',
        created_by: scope.name,
        created_at: new Date(services.clock.now()).toISOString(),
        sent_by: null,
        sent_at: null,
        closed_at: null,
      })
      .onConflict((conflict) => conflict.column('id_transfer').doNothing())
      .returning('id_transfer')
      .executeTakeFirst()
    if (made) return await writeItems(trx, id, items)
    const known = await trx.selectFrom('transfers').selectAll().where('id_transfer', '=', id).executeTakeFirstOrThrow()
    const isSame = known.from_store_id === scope.store_id && known.to_store_id === draft.to_store_id && known.reason === draft.reason
    if (!isSame) throw new Refusal('key-reused')
  })
}

/** @throws Refusal transfer-unknown, transfer-changed, transfer-not-allowed, and as `assertFits` */
export async function changeTransfer(
  services: Services,
  scope: Scope,
  id: string,
  { items, version, ...draft }: TransferDraft & { version: number },
): Promise<void> {
  await services.db.reads.transaction().execute(async (trx) => {
    await trx.selectFrom('transfers').select('version').where('id_transfer', '=', id).forUpdate().execute()
    const transfer = await findTransfer(trx, scope, id)
    if (transfer.from_store_id !== scope.store_id)
      throw new Refusal('store-foreign', { message: `Only ${transfer.from_store} changes this draft` })
    if (transfer.status !== 'draft') throw new Refusal('transfer-not-allowed', { message: `The transfer is ${transfer.status} already` })
    if (transfer.version !== version) throw new Refusal('transfer-changed', { details: { version: transfer.version } })
    await assertFits(trx, scope, { ...draft, items })
    await trx
      .updateTable('transfers')
      .set({ ...draft, version: version + 1 })
      .where('id_transfer', '=', id)
      .execute()
    await trx.deleteFrom('transfer_lines').where('id_transfer', '=', id).execute()
    await writeItems(trx, id, items)
  })
}

async function writeItems(trx: Kysely<Schema>, id: string, items: readonly number[]): Promise<void> {
  if (items.length === 0) return
  const rows = items.map((id_inventory, place) => ({
    id_transfer: id,
    id_inventory,
    place,
    state: 'listed' as const,
    sent_status: null,
    received_by: null,
    received_at: null,
  }))
  await trx.insertInto('transfer_lines').values(rows).execute()
}

/** @throws Refusal store-unknown, request-invalid, frame-unknown, store-foreign */
async function assertFits(
  db: Kysely<Schema>,
  scope: Scope,
  { to_store_id, items }: Pick<TransferDraft, 'to_store_id' | 'items'>,
): Promise<void> {
  if (to_store_id === scope.store_id) {
    throw new Refusal('request-invalid', { fields: [{ path: 'body.to_store_id', message: 'must be another store' }] })
  }
  const goal = await db.selectFrom('stores').select('store_id').where('store_id', '=', to_store_id).executeTakeFirst()
  if (!goal) throw new Refusal('store-unknown')
  const frames = await selectFrames(db)
    .where('frames.id_inventory', '=', sql<number>`any(${[...items]}::int[])`)
    .execute()
  if (frames.length < items.length) throw new Refusal('frame-unknown')
  const foreign = frames.find((frame) => frame.store_id !== scope.store_id)
  if (foreign) throw new Refusal('store-foreign', { message: `${foreign.sku} belongs to ${foreign.store_name}` })
}
