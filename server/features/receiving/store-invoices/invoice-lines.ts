import { type Kysely, sql, type Transaction } from 'kysely'
import type { ParsedRequestOf } from '#contract/core/endpoint.ts'
import { Refusal } from '#contract/core/errors.ts'
import { mostInvoiceLines, type storeInvoiceEndpoints } from '#contract/receiving/store-invoices.ts'
import { netCost } from '#contract/stock/stock-money.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Step } from '#server/features/receiving/store-invoices/on-invoice.ts'
import { seesCosts } from '#server/features/receiving/store-invoices/read-invoices.ts'
import { historyRow } from '#server/domain/stock/history-row.ts'

type PaperLine = NonNullable<ParsedRequestOf<typeof storeInvoiceEndpoints.changeVendorInvoice>['body']['lines']>[number]
type Line = {
  id_model: number
  qty_invoiced: number | null
  list_cost: number | null
  discount_pct: number | null
  net_cost: number | null
}

export async function linesOf(db: Kysely<Schema>, idVendorInvoice: string): Promise<Line[]> {
  return await db
    .selectFrom('vendor_invoice_lines')
    .select(['id_model', 'qty_invoiced', 'list_cost', 'discount_pct', 'net_cost'])
    .where('id_vendor_invoice', '=', idVendorInvoice)
    .orderBy('place')
    .orderBy('id_model')
    .execute()
}

/** The costs from the price book, for lines without their own. */
async function bookedCosts(trx: Transaction<Schema>, ids: readonly number[]) {
  const models = await trx
    .selectFrom('models')
    .select(['id_model', 'list_cost', 'discount_pct'])
    .where('id_model', '=', sql<number>`any(${[...ids]}::int[])`)
    .execute()
  return new Map(models.map(({ id_model, ...costs }) => [id_model, costs]))
}

/**
 * Replaces the lines of the paper, in the given order. Received pieces get the cost of their line. Returns whether
 * anything changed. @throws Refusal permission-missing, model-unknown, request-invalid
 */
export async function writeLines(step: Step, wanted: readonly PaperLine[]): Promise<boolean> {
  const { writing, actor, invoice } = step
  const { trx } = writing
  if (wanted.some(({ costs }) => costs !== undefined) && !seesCosts(actor)) throw new Refusal('permission-missing')
  const before = new Map((await linesOf(trx, invoice.id_vendor_invoice)).map((line) => [line.id_model, line]))
  const booked = await bookedCosts(
    trx,
    wanted.map(({ id_model }) => id_model),
  )
  const lines: Line[] = wanted.map(({ id_model, qty_invoiced, costs }) => {
    const { list_cost, discount_pct } = costs ?? before.get(id_model) ?? booked.get(id_model) ?? { list_cost: null, discount_pct: null }
    return { id_model, qty_invoiced, list_cost, discount_pct, net_cost: netCost(list_cost, discount_pct) }
  })
  if (lines.some(({ id_model }) => !booked.has(id_model))) throw new Refusal('model-unknown')
  const isSame =
    before.size === lines.length && lines.every((line, at) => JSON.stringify(line) === JSON.stringify([...before.values()][at]))
  if (isSame) return false
  await refuseLostPieces(
    step,
    lines.map(({ id_model }) => id_model),
  )
  await trx.deleteFrom('vendor_invoice_lines').where('id_vendor_invoice', '=', invoice.id_vendor_invoice).execute()
  if (lines.length > 0) {
    const rows = lines.map((line, place) => ({ ...line, id_vendor_invoice: invoice.id_vendor_invoice, place }))
    await trx.insertInto('vendor_invoice_lines').values(rows).execute()
  }
  for (const line of lines) {
    const old = before.get(line.id_model)
    if (old && (old.list_cost !== line.list_cost || old.net_cost !== line.net_cost)) await recost(step, line)
  }
  return true
}

/** @throws Refusal request-invalid */
async function refuseLostPieces({ writing: { trx }, invoice }: Step, kept: readonly number[]): Promise<void> {
  const lost = await trx
    .selectFrom('frames')
    .select(['sku', 'title_product'])
    .where('id_vendor_invoice', '=', invoice.id_vendor_invoice)
    .where('deleted_at', 'is', null)
    .where('id_model', 'is not', null)
    .where('id_model', '<>', sql<number>`all(${[...kept]}::int[])`)
    .executeTakeFirst()
  if (!lost) return
  throw new Refusal('request-invalid', {
    fields: [{ path: 'body.lines', message: `${lost.title_product} has received frames. Remove them first` }],
  })
}

/** Gives the received pieces of a line its current cost. */
async function recost({ writing: { trx, revision }, actor, at, invoice }: Step, line: Line): Promise<void> {
  const changed = await trx
    .updateTable('frames')
    .set((expr) => ({
      item_list_cost: line.list_cost,
      item_discount: line.discount_pct,
      item_net: line.net_cost,
      version: expr('version', '+', 1),
      changed_at: at,
      revision: revision('chain'),
    }))
    .where('id_vendor_invoice', '=', invoice.id_vendor_invoice)
    .where('id_model', '=', line.id_model)
    .where('deleted_at', 'is', null)
    .returning(['id_inventory', 'status', 'store_id'])
    .execute()
  if (changed.length === 0) return
  const by = { id_user: actor.id_user, rep: actor.name, device_id: null }
  const extra = `Receipt ${invoice.number}, invoice ${invoice.vendor_invoice_no}`
  const rows = changed.map((piece) =>
    historyRow({ id_inventory: piece.id_inventory, action: 'Cost', before: piece, after: piece, at, by, extra }),
  )
  await trx.insertInto('frame_history').values(rows).execute()
}

/**
 * Returns the line for receiving pieces of a model. A new line is added when there is none, with the price book's cost.
 * @throws Refusal vendor-invoice-not-allowed
 */
export async function lineFor({ writing: { trx }, invoice }: Step, idModel: number): Promise<Line> {
  const lines = await linesOf(trx, invoice.id_vendor_invoice)
  const known = lines.find(({ id_model }) => id_model === idModel)
  if (known) return known
  if (lines.length >= mostInvoiceLines) {
    throw new Refusal('vendor-invoice-not-allowed', { message: `A vendor invoice can have at most ${mostInvoiceLines} lines` })
  }
  const costs = (await bookedCosts(trx, [idModel])).get(idModel) ?? { list_cost: null, discount_pct: null }
  const line: Line = {
    id_model: idModel,
    // When the paper's lines were entered, this model is not on the paper.
    qty_invoiced: lines.some(({ qty_invoiced }) => qty_invoiced !== null) ? 0 : null,
    ...costs,
    net_cost: netCost(costs.list_cost, costs.discount_pct),
  }
  await trx
    .insertInto('vendor_invoice_lines')
    .values({ ...line, id_vendor_invoice: invoice.id_vendor_invoice, place: lines.length })
    .execute()
  return line
}
