import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import { mostTransferred, type TransferCard, type TransferDraft, whyNotTransferred } from '#contract/stock/transfers.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { findTransfer } from '#server/features/stock/transfers/read-transfers.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { type Actor, defineUseCase } from '#server/platform/http/use-case.ts'
import type { Services } from '#server/platform/services.ts'
import { selectFrames } from '#server/domain/stock/frame-rows.ts'

type Begun = TransferDraft & { id_transfer: string; from_store_id?: number | undefined }

/**
 * Begins a draft, once for each id. Tablets mirror no drafts, so no revision is raised. A draft leaves the actor's
 * store; only one that corrects a count may ask another store for frames found here, and that store sends it.
 * @throws Refusal key-reused, store-foreign, and as `assertFits`
 */
export const beginTransfer = defineUseCase('transfer.begin', {
  permission: 'frame.transfer',
  scopes: () => [],
  asked: (body): Begun => ({ ...body, carrier: '', tracking: '', items: [] }),
  apply: async ({ writing: { trx }, actor, body: { id_transfer, items, from_store_id = actor.store_id, ...draft }, capturedAt }) => {
    const id = id_transfer.toLowerCase()
    const isAsked = draft.reason === 'count correction' && draft.to_store_id === actor.store_id
    if (from_store_id !== actor.store_id && !isAsked)
      throw new Refusal('store-foreign', { message: 'Another store can be asked only for frames that a count found here' })
    await assertFits(trx, { store_id: from_store_id }, draft, items)
    const made = await trx
      .insertInto('transfers')
      .values({
        ...draft,
        id_transfer: id,
        from_store_id,
        status: 'draft',
        created_by: actor.name,
        created_at: capturedAt,
        sent_by: null,
        sent_at: null,
        closed_at: null,
      })
      .onConflict((conflict) => conflict.column('id_transfer').doNothing())
      .returning('id_transfer')
      .executeTakeFirst()
    if (made) await writeItems(trx, id, items)
    else {
      const known = await trx.selectFrom('transfers').selectAll().where('id_transfer', '=', id).executeTakeFirstOrThrow()
      const isSame = known.from_store_id === from_store_id && known.to_store_id === draft.to_store_id && known.reason === draft.reason
      if (!isSame) throw new Refusal('key-reused')
    }
    return { rows: [] }
  },
})

/**
 * Adds a piece to a draft, or removes one. A repeated call changes nothing. Other users' changes of the draft are no
 * conflict.
 * @throws Refusal transfer-unknown, store-foreign, transfer-not-allowed, and as `assertFits`
 */
export const putOnTransfer = defineUseCase('transfer.put', {
  permission: 'frame.transfer',
  scopes: () => [],
  apply: async ({ writing: { trx }, actor, body }) => {
    const { id_inventory, on } = body
    await trx.selectFrom('transfers').select('version').where('id_transfer', '=', body.id_transfer.toLowerCase()).forUpdate().execute()
    const transfer = await findTransfer(trx, actor, body.id_transfer)
    assertFromHere(transfer, actor)
    const { id_transfer } = transfer
    const lines = await trx.selectFrom('transfer_lines').select(['id_inventory', 'place']).where('id_transfer', '=', id_transfer).execute()
    if (lines.some((line) => line.id_inventory === id_inventory) === on) return { rows: [] }
    assertDraft(transfer)
    if (on) {
      if (lines.length >= mostTransferred)
        throw new Refusal('transfer-not-allowed', { message: `A transfer can have at most ${mostTransferred} frames` })
      await assertFits(trx, actor, transfer, [id_inventory])
      await writeItems(trx, id_transfer, [id_inventory], 1 + Math.max(-1, ...lines.map(({ place }) => place)))
    } else {
      await trx.deleteFrom('transfer_lines').where('id_transfer', '=', id_transfer).where('id_inventory', '=', id_inventory).execute()
    }
    await trx
      .updateTable('transfers')
      .set({ version: transfer.version + 1 })
      .where('id_transfer', '=', id_transfer)
      .execute()
    return { rows: [] }
  },
})

/** @throws Refusal transfer-not-allowed */
export function assertDraft({ status }: Pick<TransferCard, 'status'>): void {
  if (status !== 'draft') throw new Refusal('transfer-not-allowed', { message: `The transfer is ${status} already` })
}

/** @throws Refusal store-foreign */
export function assertFromHere(
  { from_store_id, from_store }: Pick<TransferCard, 'from_store_id' | 'from_store'>,
  { store_id }: Pick<Actor, 'store_id'>,
): void {
  if (from_store_id !== store_id) throw new Refusal('store-foreign', { message: `Only ${from_store} can change this draft` })
}

/** @throws Refusal transfer-unknown, transfer-changed, transfer-not-allowed, and as `assertFits` */
export async function changeTransfer(
  services: Services,
  scope: Scope,
  id: string,
  { items, version, ...draft }: TransferDraft & { version: number },
): Promise<void> {
  await services.db.pool.transaction().execute(async (trx) => {
    await trx.selectFrom('transfers').select('version').where('id_transfer', '=', id).forUpdate().execute()
    const transfer = await findTransfer(trx, scope, id)
    assertFromHere(transfer, scope)
    assertDraft(transfer)
    if (transfer.version !== version) throw new Refusal('transfer-changed', { details: { version: transfer.version } })
    const before = await trx.selectFrom('transfer_lines').select('id_inventory').where('id_transfer', '=', id).execute()
    // Frames that were on the draft are not checked, so a user can still save it after one was sold.
    const known = new Set(before.map(({ id_inventory }) => id_inventory))
    await assertFits(
      trx,
      scope,
      draft,
      items.filter((one) => !known.has(one)),
    )
    await trx
      .updateTable('transfers')
      .set({ ...draft, version: version + 1 })
      .where('id_transfer', '=', id)
      .execute()
    await trx.deleteFrom('transfer_lines').where('id_transfer', '=', id).execute()
    await writeItems(trx, id, items)
  })
}

async function writeItems(trx: Kysely<Schema>, id: string, items: readonly number[], from = 0): Promise<void> {
  if (items.length === 0) return
  const rows = items.map((id_inventory, place) => ({
    id_transfer: id,
    id_inventory,
    place: from + place,
    state: 'listed' as const,
    sent_status: null,
    received_by: null,
    received_at: null,
  }))
  await trx.insertInto('transfer_lines').values(rows).execute()
}

/**
 * Checks that a draft may go to its store, and that these frames may be on it.
 * @throws Refusal store-unknown, request-invalid, frame-unknown, store-foreign, transfer-piece-elsewhere
 */
async function assertFits(
  db: Kysely<Schema>,
  actor: Pick<Actor, 'store_id'>,
  draft: Pick<TransferDraft, 'to_store_id' | 'reason'>,
  added: readonly number[],
): Promise<void> {
  if (draft.to_store_id === actor.store_id) {
    throw new Refusal('request-invalid', { fields: [{ path: 'body.to_store_id', message: 'must be another store' }] })
  }
  const destination = await db.selectFrom('stores').select('store_id').where('store_id', '=', draft.to_store_id).executeTakeFirst()
  if (!destination) throw new Refusal('store-unknown')
  const frames = await selectFrames(db)
    .where('frames.id_inventory', '=', sql<number>`any(${[...added]}::int[])`)
    .execute()
  if (frames.length < added.length) throw new Refusal('frame-unknown')
  const foreign = frames.find((frame) => frame.store_id !== actor.store_id)
  if (foreign) throw new Refusal('store-foreign', { message: `${foreign.sku} belongs to ${foreign.store_name}` })
  const staying = frames.flatMap((frame) => {
    const why = whyNotTransferred(frame, draft)
    return why === null ? [] : [{ id: frame.id_inventory, why: `${frame.sku}: ${why}` }]
  })
  if (staying.length > 0) throw pieceElsewhere(staying)
}

/** @returns the refusal with the ids of all frames, and the first five in words */
export function pieceElsewhere(pieces: readonly { id: number; why: string }[]): Refusal {
  const named = pieces.slice(0, 5).map(({ why }) => why)
  const more = pieces.length > 5 ? `, and ${pieces.length - 5} more` : ''
  return new Refusal('transfer-piece-elsewhere', { message: `${named.join(', ')}${more}`, details: { ids: pieces.map(({ id }) => id) } })
}
