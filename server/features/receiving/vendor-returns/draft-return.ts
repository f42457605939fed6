import { sql, type Transaction } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import { takesPieces, whyNotReturned } from '#contract/returns/vendor-return-rules.ts'
import type { VendorReturnInput } from '#contract/returns/vendor-returns.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { linesOf } from '#server/features/receiving/vendor-returns/read-returns.ts'
import { notAllowed, onReturn, putBack, record } from '#server/features/receiving/vendor-returns/on-return.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'
import { type FrameWithNames, selectFrames } from '#server/domain/stock/frame-rows.ts'

/** Makes a draft in the user's store, once for each id. @throws Refusal key-reused, vendor-unknown, and as `fitting` */
export async function createVendorReturn(
  services: Services,
  scope: Scope,
  id: string,
  { items, vendor_id, ...draft }: VendorReturnInput & { vendor_id: number },
): Promise<void> {
  const at = new Date(services.clock.now()).toISOString()
  await services.db.write(['chain'], async (writing) => {
    const { trx } = writing
    const known = await trx.selectFrom('vendor_returns').selectAll().where('return_id', '=', id).executeTakeFirst()
    if (known) {
      const isSame = known.store_id === scope.store_id && known.vendor_id === vendor_id && known.created_by === scope.name
      if (!isSame) throw new Refusal('key-reused')
      return
    }
    const vendor = await trx.selectFrom('vendors').select('vendor_id').where('vendor_id', '=', vendor_id).executeTakeFirst()
    if (!vendor) throw new Refusal('vendor-unknown')
    const frames = await fitting(trx, { return_id: id, vendor_id, store_id: scope.store_id }, items)
    await trx
      .insertInto('vendor_returns')
      .values({
        ...draft,
        return_id: id,
        store_id: scope.store_id,
        vendor_id,
        status: 'draft',
        created_by: scope.name,
        created_at: at,
        since: at,
      })
      .execute()
    await writeLines(trx, id, frames)
    await record({ writing, scope, at }, id, 'Begun')
  })
}

/**
 * Changes the content of a return, until it is shipped.
 * @throws Refusal as `onReturn`, vendor-return-not-allowed, and as `fitting`
 */
export async function changeVendorReturn(
  services: Services,
  scope: Scope,
  id: string,
  version: number,
  { items, reason, note }: VendorReturnInput,
): Promise<void> {
  await onReturn(services, scope, id, version, async (step) => {
    const { back, writing } = step
    const { trx } = writing
    if (!takesPieces(back.status)) throw notAllowed(back)
    const before = await linesOf(trx, back.return_id)
    const left = before.filter(({ id_inventory }) => !items.includes(id_inventory))
    const known = new Map(before.map((line) => [line.id_inventory, line]))
    const fresh = await fitting(
      trx,
      back,
      items.filter((one) => !known.has(one)),
    )
    const byId = new Map(fresh.map((frame) => [frame.id_inventory, frame]))
    await putBack(step, left)
    await trx.deleteFrom('vendor_return_lines').where('return_id', '=', back.return_id).execute()
    const rows = items.map((id_inventory, place) => {
      const { cost_cents, taken_status } = known.get(id_inventory) ?? {
        cost_cents: byId.get(id_inventory)?.item_net ?? null,
        taken_status: null,
      }
      return { return_id: back.return_id, id_inventory, place, cost_cents, taken_status }
    })
    if (rows.length > 0) await trx.insertInto('vendor_return_lines').values(rows).execute()
    await trx
      .updateTable('vendor_returns')
      .set({ reason, note, version: version + 1 })
      .where('return_id', '=', back.return_id)
      .execute()
    for (const { sku } of fresh) await record(step, back.return_id, 'Frame added', sku)
    for (const { frame } of left) await record(step, back.return_id, 'Frame taken off', frame.sku)
  })
}

/** @throws Refusal as `onReturn`, vendor-return-not-allowed */
export async function deleteVendorReturn(services: Services, scope: Scope, id: string, version: number): Promise<void> {
  await onReturn(services, scope, id, version, async (step) => {
    const { back, writing } = step
    if (back.status !== 'draft') throw notAllowed(back)
    await putBack(step, await linesOf(writing.trx, back.return_id))
    await writing.trx.deleteFrom('vendor_returns').where('return_id', '=', back.return_id).execute()
  })
}

/**
 * Returns the frames, when all are in this store, of this vendor, and on no other return.
 * @throws Refusal frame-unknown, return-piece-elsewhere
 */
async function fitting(
  trx: Transaction<Schema>,
  back: { return_id: string; vendor_id: number; store_id: number },
  items: readonly number[],
): Promise<FrameWithNames[]> {
  const asked = sql<number>`any(${[...items]}::int[])`
  const frames = await selectFrames(trx).where('frames.id_inventory', '=', asked).execute()
  if (frames.length < items.length) throw new Refusal('frame-unknown')
  const spoken = await trx
    .selectFrom('vendor_return_lines as line')
    .innerJoin('vendor_returns as other', 'other.return_id', 'line.return_id')
    .where('line.id_inventory', '=', asked)
    .where('other.return_id', '<>', back.return_id)
    .where('other.status', 'not in', ['closed', 'ra_denied'])
    .select(['line.id_inventory', 'other.number'])
    .execute()
  const otherOf = new Map(spoken.map(({ id_inventory, number }) => [id_inventory, number]))
  const wrong = frames.flatMap((frame) => {
    const why = whyNot(frame, back, otherOf.get(frame.id_inventory))
    return why === null ? [] : [{ id: frame.id_inventory, why: `${frame.sku}${why}` }]
  })
  if (wrong.length > 0) {
    throw new Refusal('return-piece-elsewhere', {
      message: wrong
        .slice(0, 5)
        .map(({ why }) => why)
        .join(', '),
      details: { ids: wrong.map(({ id }) => id) },
    })
  }
  const placeOf = new Map(items.map((id, place) => [id, place]))
  return frames.toSorted((a, b) => (placeOf.get(a.id_inventory) ?? 0) - (placeOf.get(b.id_inventory) ?? 0))
}

/** The end of a message, after the tag of a frame that cannot be on the return. Null when it can. */
function whyNot(frame: FrameWithNames, back: { vendor_id: number; store_id: number }, other: number | undefined): string | null {
  if (other !== undefined) return ` is on return ${other}`
  if (frame.store_id !== back.store_id) return ` is in ${frame.store_name}`
  const why = whyNotReturned(frame, back)
  return why === null ? null : `: ${why}`
}

async function writeLines(trx: Transaction<Schema>, return_id: string, frames: readonly FrameWithNames[]): Promise<void> {
  if (frames.length === 0) return
  const rows = frames.map(({ id_inventory, item_net }, place) => ({
    return_id,
    id_inventory,
    place,
    cost_cents: item_net,
    taken_status: null,
  }))
  await trx.insertInto('vendor_return_lines').values(rows).execute()
}
