import type { Kysely, Transaction } from 'kysely'
import { gtin14, normaliseCode } from '#contract/core/codes.ts'
import { Refusal } from '#contract/core/errors.ts'
import type { ReceivedPiece } from '#contract/receiving/store-invoices.ts'
import { keptUpc, notAUpc } from '#contract/stock/stock-codes.ts'
import { takesPieces, whatToConfirm } from '#contract/receiving/vendor-invoice-rules.ts'
import type { CommandBody } from '#contract/sync/commands.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { assertHere } from '#server/domain/people/assert-here.ts'
import { type Step, notAllowed, record, settle } from '#server/features/receiving/store-invoices/on-invoice.ts'
import { lineFor, linesOf } from '#server/features/receiving/store-invoices/invoice-lines.ts'
import { findVendorInvoice, seesCosts } from '#server/features/receiving/store-invoices/read-invoices.ts'
import { toPiece } from '#server/features/receiving/store-invoices/view-invoice.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { defineUseCase } from '#server/platform/http/use-case.ts'
import { selectFrames } from '#server/domain/stock/frame-rows.ts'
import { insertPieces } from '#server/domain/stock/new-pieces.ts'
import { learnUpc, modelWithUpc } from '#server/domain/stock/standing-model.ts'

/**
 * Receives pieces of one model. They are in stock since the scan, with the cost of their line and the selling price of
 * the price book. The same request again adds no more. `warning` is a note for the user about the pieces.
 * @throws Refusal vendor-invoice-unknown, store-foreign, vendor-invoice-not-allowed, model-unknown, piece-known,
 * piece-to-confirm, key-reused
 */
export const receivePieces = defineUseCase('vendor-invoice.receive', {
  permission: 'vendor-invoice.write',
  scopes: () => ['chain'],
  apply: async ({ writing, actor, body, capturedAt }) => {
    const invoice = await findVendorInvoice(writing.trx, actor, body.id_vendor_invoice)
    assertHere(actor, invoice)
    return { rows: [], warning: await receive({ writing, actor, at: capturedAt, invoice }, body) }
  },
})

/** The pieces of a request. */
export async function piecesOf(db: Kysely<Schema>, scope: Scope, receiveId: string): Promise<ReceivedPiece[]> {
  const rows = await selectFrames(db).where('frames.add_id', '=', receiveId.toLowerCase()).orderBy('frames.id_inventory').execute()
  return rows.map((row) => toPiece(row, seesCosts(scope)))
}

type Asked = Omit<CommandBody<'vendor-invoice.receive'>, 'id_vendor_invoice'>

/** Returns a note for the user about the pieces. */
async function receive(step: Step, { receive_id, code, id_model, learn, quantity, confirmed }: Asked): Promise<string | null> {
  const { invoice, writing, at, actor } = step
  const { trx } = writing
  const addId = receive_id.toLowerCase()
  if (await wasReceived(step, addId)) return null
  if (!takesPieces(invoice.status)) throw notAllowed(invoice.status)
  const model = await findModel(trx, id_model ?? (await modelOf(trx, code ?? '')))
  if (!confirmed) await assertExpected(step, model, quantity)
  // Pieces have the UPC of their label, which may be another one of their model's.
  const label = keptUpc(learn ?? code ?? '')
  if (learn !== null) {
    if (!label) throw new Refusal('request-invalid', { fields: [{ path: 'body.learn', message: notAUpc }] })
    const isNew = await learnUpc(trx, model, label, { at, id_user: actor.id_user, rep: actor.name, store_id: actor.store_id })
    if (isNew) await record(trx, step, invoice.id_vendor_invoice, 'UPC learned', `${label.upc} is ${model.title_product}`)
  }
  const line = await lineFor(step, model.id_model)
  const extra = `Receipt ${invoice.number}, invoice ${invoice.vendor_invoice_no}`
  const { selling_price, ...named } = model
  const piece = {
    ...named,
    ...label,
    store_id: invoice.store_id,
    item_list_cost: line.list_cost,
    item_discount: line.discount_pct,
    item_net: line.net_cost,
    pb_selling_price: selling_price,
    board_location: null,
    note: null,
    receipt_number: String(invoice.number),
    add_id: addId,
    id_vendor_invoice: invoice.id_vendor_invoice,
  }
  await insertPieces(writing, piece, quantity, { at, id_user: actor.id_user, rep: actor.name, action: 'Received', extra })
  await record(trx, step, invoice.id_vendor_invoice, 'Received', `${quantity} × ${named.title_product}`)
  await settle(step)
  return warningOf(invoice, model, line)
}

/** @throws Refusal piece-to-confirm, with the point that a user must confirm */
async function assertExpected(
  { writing: { trx }, invoice }: Step,
  { id_model, title_product, vendor_id }: Awaited<ReturnType<typeof findModel>>,
  quantity: number,
): Promise<void> {
  const lines = await linesOf(trx, invoice.id_vendor_invoice)
  const hasPaper = lines.some(({ qty_invoiced }) => qty_invoiced !== null)
  const line = lines.find((one) => one.id_model === id_model)
  const { here } = await trx
    .selectFrom('frames')
    .select((expr) => expr.fn.countAll<number>().as('here'))
    .where('id_vendor_invoice', '=', invoice.id_vendor_invoice)
    .where('id_model', '=', id_model)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const arriving = { qty_invoiced: line?.qty_invoiced ?? (hasPaper ? 0 : null), here: Number(here), quantity }
  const asks = whatToConfirm(arriving, vendor_id === invoice.vendor_id ? null : invoice.vendor)
  if (asks.length > 0) throw new Refusal('piece-to-confirm', { message: `${asks.join('. ')}.`, details: { asks, title_product } })
}

/**
 * Returns whether the server did this request before, even when its pieces were taken off since. @throws Refusal
 * key-reused
 */
async function wasReceived({ writing: { trx }, invoice }: Step, addId: string): Promise<boolean> {
  const known = await trx.selectFrom('frames').select('id_vendor_invoice').where('add_id', '=', addId).executeTakeFirst()
  if (!known) return false
  if (known.id_vendor_invoice !== invoice.id_vendor_invoice) throw new Refusal('key-reused')
  return true
}

/** Finds the model by its UPC. The tag of a piece names no model, so a second scan of it makes no second piece. */
async function modelOf(trx: Transaction<Schema>, typed: string): Promise<number> {
  const gtin = gtin14(typed)
  const named = gtin === null ? null : await modelWithUpc(trx, gtin)
  if (named !== null) return named
  const code = normaliseCode(typed)
  const piece = await selectFrames(trx)
    .where((where) => where.or([where('frames.sku', '=', code), where('frames.serial', '=', code)]))
    .executeTakeFirst()
  if (piece) {
    throw new Refusal('piece-known', {
      message: `${code} is already in stock: ${piece.status}, ${piece.store_name}. Nothing was received.`,
      details: { id_model: piece.id_model, title_product: piece.title_product },
    })
  }
  throw new Refusal('model-unknown', {
    message: gtin === null ? `No match for ${code}` : `No model in the library has the UPC ${code}`,
    fields: [{ path: 'body.code', message: 'No model has this code' }],
  })
}

async function findModel(trx: Transaction<Schema>, idModel: number) {
  const model = await trx
    .selectFrom('models')
    .innerJoin('products', 'products.id_product', 'models.id_product')
    .innerJoin('brands', 'brands.brand_id', 'products.brand_id')
    .select([
      'models.id_model',
      'models.upc',
      'models.gtin',
      'models.title_variant',
      'models.eye as size_lens_width',
      'models.bridge as size_bridge_width',
      'models.temple as size_temple_length',
      'models.selling_price',
      'products.title as title_product',
      'brands.brand_id',
      'brands.vendor_id',
    ])
    .where('models.id_model', '=', idModel)
    .executeTakeFirst()
  if (!model) throw new Refusal('model-unknown')
  return model
}

function warningOf(
  invoice: { vendor_id: number; vendor: string },
  model: { vendor_id: number; selling_price: number | null },
  line: { qty_invoiced: number | null },
): string | null {
  const told = [
    line.qty_invoiced === 0 && 'Not on this invoice.',
    model.vendor_id !== invoice.vendor_id && `${invoice.vendor} doesn’t carry this brand.`,
    model.selling_price === null && 'No selling price yet.',
  ].filter((words) => words !== false)
  return told.length === 0 ? null : told.join(' ')
}
