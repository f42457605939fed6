import type { Transaction } from 'kysely'
import { gtin14, normaliseCode } from '#contract/core/codes.ts'
import type { ParsedRequestOf } from '#contract/core/endpoint.ts'
import { Refusal } from '#contract/core/errors.ts'
import type { ReceivedPiece, storeInvoiceEndpoints } from '#contract/receiving/store-invoices.ts'
import { keptUpc, notAUpc } from '#contract/stock/stock-codes.ts'
import { takesPieces, whatToConfirm } from '#contract/receiving/vendor-invoice-rules.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import {
  assertHere,
  type Deed,
  type Doer,
  notAllowed,
  onInvoice,
  record,
  settle,
} from '#server/features/receiving/store-invoices/invoice-deed.ts'
import { lineFor, linesOf } from '#server/features/receiving/store-invoices/invoice-lines.ts'
import { findVendorInvoice, seesCosts } from '#server/features/receiving/store-invoices/read-invoices.ts'
import { toPiece } from '#server/features/receiving/store-invoices/view-invoice.ts'
import type { CommandApplier } from '#server/platform/http/command-applier.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'
import { selectFrames } from '#server/domain/stock/frame-rows.ts'
import { insertPieces } from '#server/domain/stock/new-pieces.ts'
import { learnUpc, modelWithUpc } from '#server/domain/stock/standing-model.ts'

type Received = ParsedRequestOf<typeof storeInvoiceEndpoints.receivePieces>['body']

/**
 * Pieces of one model, in stock from now on at what their line costs and the price book sells them for. The same request again answers with
 * the pieces it made, and makes none. @throws Refusal vendor-invoice-not-allowed, model-unknown, piece-known, piece-to-confirm, key-reused, and as `onInvoice`
 */
export async function receivePieces(
  services: Services,
  scope: Scope,
  id: string,
  { receive_id, code, id_model, learn, quantity, confirmed }: Received,
): Promise<{ pieces: ReceivedPiece[]; warning: string | null }> {
  let warning: string | null = null
  await onInvoice(services, scope, id, undefined, async (deed) => {
    warning = await receive(deed, { receive_id, code: code ?? null, id_model: id_model ?? null, learn: learn ?? null, quantity, confirmed })
  })
  const { reads } = services.db
  const rows = await selectFrames(reads).where('frames.add_id', '=', receive_id.toLowerCase()).orderBy('frames.id_inventory').execute()
  return { pieces: rows.map((row) => toPiece(row, seesCosts(scope))), warning }
}

/**
 * The same by a command, which may have waited for a connection: the pieces are in stock since they were scanned. @throws Refusal as above
 */
export const receivePiecesLater: CommandApplier<'vendor-invoice.receive'> = async ({ writing, command, body, author, capturedAt }) => {
  if (command.store_id === null) {
    throw new Refusal('request-invalid', { fields: [{ path: 'store_id', message: 'pieces are received in a store' }] })
  }
  const by: Doer = { id_user: author.id_user, name: author.name, store_id: command.store_id }
  const invoice = await findVendorInvoice(writing.trx, by, body.id_vendor_invoice)
  assertHere(by, invoice)
  await receive({ writing, scope: by, at: capturedAt, invoice }, body)
  return { rows: [] }
}

type Asked = {
  receive_id: string
  code: string | null
  id_model: number | null
  learn: string | null
  quantity: number
  confirmed: boolean
}

/** Returns what the person should know of the pieces, in words. */
async function receive(deed: Deed, { receive_id, code, id_model, learn, quantity, confirmed }: Asked): Promise<string | null> {
  const { invoice, writing, at, scope } = deed
  const { trx } = writing
  const addId = receive_id.toLowerCase()
  if (await wasReceived(deed, addId)) return null
  if (!takesPieces(invoice.status)) throw notAllowed(invoice.status)
  const model = await findModel(trx, id_model ?? (await modelOf(trx, code ?? '')))
  if (!confirmed) await assertExpected(deed, model, quantity)
  // Pieces have the UPC of their label, which may be another one of their model's.
  const label = keptUpc(learn ?? code ?? '')
  if (learn !== null) {
    if (!label) throw new Refusal('request-invalid', { fields: [{ path: 'body.learn', message: notAUpc }] })
    const isNew = await learnUpc(trx, model, label, { at, id_user: scope.id_user, rep: scope.name, store_id: scope.store_id })
    if (isNew) await record(trx, deed, invoice.id_vendor_invoice, 'UPC learned', `${label.upc} is ${model.title_product}`)
  }
  const line = await lineFor(deed, model.id_model)
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
  await insertPieces(writing, piece, quantity, { at, id_user: scope.id_user, rep: scope.name, action: 'Received', extra })
  await record(trx, deed, invoice.id_vendor_invoice, 'Received', `${quantity} × ${named.title_product}`)
  await settle(deed)
  return warningOf(invoice, model, line)
}

/** @throws Refusal piece-to-confirm, with what a person must confirm */
async function assertExpected(
  { writing: { trx }, invoice }: Deed,
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

/** Whether this request was answered before; also when its pieces were taken off again since. @throws Refusal key-reused */
async function wasReceived({ writing: { trx }, invoice }: Deed, addId: string): Promise<boolean> {
  const known = await trx.selectFrom('frames').select('id_vendor_invoice').where('add_id', '=', addId).executeTakeFirst()
  if (!known) return false
  if (known.id_vendor_invoice !== invoice.id_vendor_invoice) throw new Refusal('key-reused')
  return true
}

/** The model that a code names: by its UPC. The tag of a piece names none: nothing becomes two by being scanned twice. */
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
