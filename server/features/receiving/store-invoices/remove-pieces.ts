import { sql, type Kysely } from 'kysely'
import { normaliseCode } from '#contract/core/codes.ts'
import { Refusal } from '#contract/core/errors.ts'
import { whyPieceStays } from '#contract/receiving/vendor-invoice-rules.ts'
import type { Writing } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { assertHere } from '#server/domain/people/assert-here.ts'
import { assertOpen, notAllowed, onInvoice, record, settle } from '#server/features/receiving/store-invoices/on-invoice.ts'
import { findStoreInvoice, findVendorInvoice, seesCosts, toCard } from '#server/features/receiving/store-invoices/read-invoices.ts'
import { toPiece } from '#server/features/receiving/store-invoices/view-invoice.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'
import { type FrameWithNames, selectFrames } from '#server/domain/stock/frame-rows.ts'
import { historyRow } from '#server/domain/stock/history-row.ts'

/**
 * Takes a piece off its invoice and out of the stock. Returns the vendor invoice's id.
 * @throws Refusal frame-unknown, piece-in-use, and as `onInvoice`
 */
export async function removePiece(services: Services, scope: Scope, typed: string, invoiceId: string): Promise<string> {
  const { pool } = services.db
  const holder = await findStoreInvoice(pool, scope, invoiceId)
  const sku = normaliseCode(typed)
  const found = await selectFrames(pool)
    .innerJoin('vendor_invoices', 'vendor_invoices.id_vendor_invoice', 'frames.id_vendor_invoice')
    .where('vendor_invoices.invoice_id', '=', holder.invoice_id)
    .where('frames.sku', '=', sku)
    .select('vendor_invoices.id_vendor_invoice as held_by')
    .executeTakeFirst()
  if (!found) throw new Refusal('frame-unknown', { message: `This receipt has no frame ${sku}` })
  await onInvoice(services, scope, found.held_by, undefined, async (step) => {
    const { writing, invoice } = step
    assertOpen(invoice)
    const [piece] = await removableOf(writing.trx, invoice, (frames) => frames.where('frames.id_inventory', '=', found.id_inventory))
    // Someone else took it off a moment ago.
    if (!piece) return
    await takeOut(writing, scope, step.at, [piece], `Removed from receipt ${invoice.number}`)
    await dropEmptyLine(writing, invoice.id_vendor_invoice, piece.id_model)
    await record(writing.trx, step, invoice.id_vendor_invoice, 'Taken off', piece.sku)
    await settle(step)
  })
  return found.held_by
}

/** Deletes a line without an invoiced quantity when its last piece goes. */
async function dropEmptyLine({ trx }: Writing, idVendorInvoice: string, idModel: number | null): Promise<void> {
  await trx
    .deleteFrom('vendor_invoice_lines as line')
    .where('line.id_vendor_invoice', '=', idVendorInvoice)
    .where('line.id_model', '=', idModel)
    .where(sql<boolean>`coalesce(line.qty_invoiced, 0) = 0`)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('frames')
            .select('frames.id_inventory')
            .whereRef('frames.id_vendor_invoice', '=', 'line.id_vendor_invoice')
            .whereRef('frames.id_model', '=', 'line.id_model')
            .where('frames.deleted_at', 'is', null),
        ),
      ),
    )
    .execute()
}

/**
 * Deletes one vendor invoice, or a store invoice with all its vendor invoices: with all pieces, or not at all. A paid
 * one cannot be deleted.
 * @throws Refusal store-invoice-unknown, store-foreign, vendor-invoice-changed, vendor-invoice-not-allowed,
 * piece-in-use
 */
export async function deleteInvoice(services: Services, scope: Scope, id: string, version: number | undefined): Promise<void> {
  const at = new Date(services.clock.now()).toISOString()
  await services.db.write(['chain'], async (writing) => {
    const { trx } = writing
    const one = await trx
      .selectFrom('vendor_invoices')
      .select('id_vendor_invoice')
      .where('id_vendor_invoice', '=', id.toLowerCase())
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    const holder = one ? null : await findStoreInvoice(trx, scope, id)
    if (holder) assertHere(scope, holder)
    const held = await trx
      .selectFrom('vendor_invoices')
      .select('id_vendor_invoice')
      .where('deleted_at', 'is', null)
      .$if(one !== undefined, (query) => query.where('id_vendor_invoice', '=', one?.id_vendor_invoice ?? ''))
      .$if(holder !== null, (query) => query.where('invoice_id', '=', holder?.invoice_id ?? ''))
      .execute()
    for (const { id_vendor_invoice } of held) {
      const invoice = await findVendorInvoice(trx, scope, id_vendor_invoice)
      assertHere(scope, invoice)
      if (one && version !== undefined && version !== invoice.version) {
        throw new Refusal('vendor-invoice-changed', { details: { version: invoice.version } })
      }
      if (invoice.status === 'paid') throw notAllowed('paid')
      const pieces = await removableOf(trx, invoice, (frames) => frames)
      await takeOut(writing, scope, at, pieces, `Receipt ${invoice.number} was deleted`)
      await trx
        .updateTable('vendor_invoices')
        .set({ deleted_at: at, version: invoice.version + 1 })
        .where('id_vendor_invoice', '=', id_vendor_invoice)
        .execute()
      await record(trx, { actor: scope, at }, id_vendor_invoice, 'Deleted')
    }
    if (holder) await trx.updateTable('store_invoices').set({ deleted_at: at }).where('invoice_id', '=', holder.invoice_id).execute()
  })
}

/**
 * Returns a received piece with its invoice, and the reason when it cannot be taken off.
 * @throws Refusal frame-unknown, vendor-invoice-unknown
 */
export async function viewItem(db: Kysely<Schema>, scope: Scope, idInventory: number) {
  const [row] = await piecesOf(db, (frames) => frames.where('frames.id_inventory', '=', idInventory))
  if (!row?.id_vendor_invoice) throw new Refusal('frame-unknown', { message: 'No such frame was received' })
  const invoice = toCard(await findVendorInvoice(db, scope, row.id_vendor_invoice), seesCosts(scope))
  const isClosed = invoice.status === 'posted' || invoice.status === 'paid'
  const stays = isClosed ? `The vendor invoice is ${invoice.status}` : whyPieceStays(row, invoice)
  return { item: toPiece(row, seesCosts(scope)), vendor_invoice: invoice, stays }
}

type Frames = ReturnType<typeof selectFrames>

/** Pieces, each with a flag for being on an unsent transfer. */
async function piecesOf(db: Kysely<Schema>, only: (frames: Frames) => Frames): Promise<(FrameWithNames & { is_listed: boolean })[]> {
  return await only(selectFrames(db))
    .select(
      sql<boolean>`exists (select from transfer_lines where transfer_lines.id_inventory = frames.id_inventory and state = 'listed')`.as(
        'is_listed',
      ),
    )
    .execute()
}

/** Returns pieces of an invoice, when all of them can be removed. @throws Refusal piece-in-use */
async function removableOf(
  trx: Writing['trx'],
  invoice: { id_vendor_invoice: string; store_id: number },
  only: (frames: Frames) => Frames,
): Promise<FrameWithNames[]> {
  const pieces = await piecesOf(trx, (frames) => only(frames.where('frames.id_vendor_invoice', '=', invoice.id_vendor_invoice)))
  const reasons = pieces.flatMap((piece) => whyPieceStays(piece, invoice) ?? [])
  if (reasons.length > 0) {
    const more = reasons.length > 5 ? `, and ${reasons.length - 5} more` : ''
    throw new Refusal('piece-in-use', { message: `${reasons.slice(0, 5).join(', ')}${more}` })
  }
  return pieces
}

/** Removes pieces from the stock and from every tablet's list. Their history stays. */
async function takeOut(
  { trx, revision }: Writing,
  scope: Scope,
  at: string,
  pieces: readonly FrameWithNames[],
  extra: string,
): Promise<void> {
  if (pieces.length === 0) return
  await trx
    .updateTable('frames')
    .set((expr) => ({ deleted_at: at, changed_at: at, version: expr('version', '+', 1), revision: revision('chain') }))
    .where('id_inventory', '=', sql<number>`any(${pieces.map(({ id_inventory }) => id_inventory)}::int[])`)
    .execute()
  const by = { id_user: scope.id_user, rep: scope.name, device_id: null }
  const rows = pieces.map((piece) =>
    historyRow({
      id_inventory: piece.id_inventory,
      action: 'Taken out',
      before: piece,
      after: { status: 'Removed', store_id: piece.store_id },
      at,
      by,
      extra,
    }),
  )
  await trx.insertInto('frame_history').values(rows).execute()
}
