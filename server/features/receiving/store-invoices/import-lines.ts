import type { Kysely } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import { mostInvoiceLines } from '#contract/receiving/store-invoices.ts'
import { type KeptUpc, keptUpc, notAUpc } from '#contract/stock/stock-codes.ts'
import type { FileLine } from '#contract/receiving/vendor-files.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { assertHere } from '#server/domain/people/assert-here.ts'
import { assertOpen, type Step, onInvoice, record, settle } from '#server/features/receiving/store-invoices/on-invoice.ts'
import { linesOf, writeLines } from '#server/features/receiving/store-invoices/invoice-lines.ts'
import { findVendorInvoice, seesCosts } from '#server/features/receiving/store-invoices/read-invoices.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'
import { findModel, findProduct, standingModel, modelsWithUpcs } from '#server/domain/stock/standing-model.ts'

type Result = { verdict: 'new' | 'imported' | 'already-there' | 'left-out'; why: string | null }
type NoUpc = { upc: null; gtin: null }
/** The model of a row: known, new in the library, or none that could be received. */
type Named =
  | { kind: 'known'; key: string; id_model: number; learns: KeptUpc | null }
  | { kind: 'new'; key: string; brand_id: number; upc: KeptUpc | NoUpc }
  | { kind: 'left-out'; why: string }

/**
 * Adds the lines of the paper from a vendor's file. A model's quantity is the sum over its rows, so the same file again
 * changes nothing. @throws Refusal vendor-invoice-not-allowed, and as `onInvoice`
 */
export async function importLines(
  services: Services,
  scope: Scope,
  id: string,
  rows: readonly FileLine[],
  checkOnly: boolean,
): Promise<Result[]> {
  if (checkOnly) {
    const { pool } = services.db
    const invoice = await findVendorInvoice(pool, scope, id)
    assertHere(scope, invoice)
    assertOpen(invoice)
    const named = await namedBy(pool, invoice.vendor_id, rows)
    return await compared(pool, scope, invoice.id_vendor_invoice, rows, named, 'new')
  }
  let results: Result[] = []
  await onInvoice(services, scope, id, undefined, async (step) => {
    assertOpen(step.invoice)
    const { trx } = step.writing
    const named = await madeKnown(step, rows, await namedBy(trx, step.invoice.vendor_id, rows))
    results = await compared(trx, scope, step.invoice.id_vendor_invoice, rows, named, 'imported')
    const wanted = wantedOf(rows, named)
    const before = await linesOf(trx, step.invoice.id_vendor_invoice)
    const costsOf = ({ list_cost, discount_pct }: Wanted) =>
      seesCosts(scope) && list_cost !== null ? { costs: { list_cost, discount_pct } } : {}
    const lines = [
      ...before.map(({ id_model, qty_invoiced }) => {
        const given = wanted.get(String(id_model))
        return given ? { id_model, qty_invoiced: given.quantity, ...costsOf(given) } : { id_model, qty_invoiced }
      }),
      ...[...wanted]
        .filter(([key]) => !before.some(({ id_model }) => String(id_model) === key))
        .map(([key, given]) => ({ id_model: Number(key), qty_invoiced: given.quantity, ...costsOf(given) })),
    ]
    if (lines.length > mostInvoiceLines) {
      throw new Refusal('vendor-invoice-not-allowed', { message: `A vendor invoice can have at most ${mostInvoiceLines} lines` })
    }
    if (!(await writeLines(step, lines))) return
    await record(
      trx,
      step,
      step.invoice.id_vendor_invoice,
      'Imported',
      `${results.filter(({ verdict }) => verdict === 'imported').length} rows`,
    )
    await settle(step)
  })
  return results
}

/** Finds the model of each row, by its UPC or by brand, product, color and size. */
async function namedBy(db: Kysely<Schema>, vendorId: number, rows: readonly FileLine[]): Promise<Named[]> {
  const upcs = rows.map(({ upc }) => (upc === null || upc.trim() === '' ? ({ upc: null, gtin: null } as const) : keptUpc(upc)))
  const gtins = upcs.flatMap((upc) => upc?.gtin ?? [])
  const byGtin = await modelsWithUpcs(db, gtins)
  const brands = await db.selectFrom('brands').select(['brand_id', 'name', 'vendor_id']).orderBy('brand_id').execute()
  const named: Named[] = []
  /** The UPC of each model in the file. */
  const inFile = new Map<string, string | null>()
  for (const [at, row] of rows.entries()) {
    const upc = upcs[at]
    if (!upc) {
      named.push({ kind: 'left-out', why: notAUpc })
      continue
    }
    const byUpc = upc.gtin === null ? undefined : byGtin.get(upc.gtin)
    if (upc.gtin !== null && byUpc !== undefined) {
      named.push({ kind: 'known', key: String(byUpc), id_model: byUpc, learns: null })
      continue
    }
    const sameName = brands.filter(({ name }) => name.toLowerCase() === row.brand.toLowerCase())
    const brand = sameName.find(({ vendor_id }) => vendor_id === vendorId) ?? sameName[0]
    if (row.brand === '' || row.title_product === '') {
      const why = upc.gtin === null ? 'It has no UPC and no brand and model' : 'No model has this UPC, and the row has no brand and model'
      named.push({ kind: 'left-out', why })
    } else if (!brand) {
      named.push({ kind: 'left-out', why: `The library has no brand ${row.brand}` })
    } else {
      const known = await standing(db, brand.brand_id, row)
      const key = JSON.stringify(keyOf(row)).toLowerCase()
      // A model has one UPC. A row with another UPC is another model, but has the same names.
      const other = known?.gtin ?? inFile.get(key) ?? upc.gtin
      if (upc.gtin !== null && other !== upc.gtin) {
        named.push({ kind: 'left-out', why: 'Another UPC has this model, color and size' })
        continue
      }
      inFile.set(key, upc.gtin ?? other)
      const learns = known?.gtin === null && upc.gtin !== null ? upc : null
      if (known) named.push({ kind: 'known', key: String(known.id_model), id_model: known.id_model, learns })
      else named.push({ kind: 'new', key, brand_id: brand.brand_id, upc })
    }
  }
  return named
}

const keyOf = ({ brand, title_product, title_variant, eye, bridge, temple }: FileLine) => [
  brand,
  title_product,
  title_variant,
  eye,
  bridge,
  temple,
]

async function standing(db: Kysely<Schema>, brandId: number, row: FileLine): Promise<{ id_model: number; gtin: string | null } | null> {
  const id_product = await findProduct(db, brandId, row.title_product)
  if (id_product === null) return null
  const { title_variant, eye, bridge, temple } = row
  const id_model = await findModel(db, { id_product, title_variant, eye, bridge, temple })
  if (id_model === null) return null
  return await db.selectFrom('models').select(['id_model', 'gtin']).where('id_model', '=', id_model).executeTakeFirstOrThrow()
}

/** Adds new models to the library, and gives the file's UPC to models without one. */
async function madeKnown(
  { writing, actor, at }: Pick<Step, 'writing' | 'actor' | 'at'>,
  rows: readonly FileLine[],
  named: readonly Named[],
): Promise<Named[]> {
  const by = { at, id_user: actor.id_user, rep: actor.name, store_id: actor.store_id }
  const made = new Map<string, number>()
  const all: Named[] = []
  for (const [nth, one] of named.entries()) {
    const row = rows[nth]
    if (one.kind !== 'new' || !row) {
      if (one.kind === 'known' && one.learns) {
        await writing.trx
          .updateTable('models')
          .set((expr) => ({ ...one.learns, version: expr('version', '+', 1), changed_at: at }))
          .where('id_model', '=', one.id_model)
          .where('gtin', 'is', null)
          .execute()
        const who = { at, id_user: actor.id_user, rep: actor.name, store_id: actor.store_id }
        const place = { brand_id: null, id_product: null, id_model: one.id_model }
        await writing.trx
          .insertInto('library_history')
          .values({ ...who, ...place, action: 'model.change', detail: 'upc' })
          .execute()
      }
      all.push(one)
      continue
    }
    const known = made.get(one.key)
    const id_model = known ?? (await standingModel(writing.trx, addedOf(row, one.brand_id, seesCosts(actor)), one.upc, by)).id_model
    made.set(one.key, id_model)
    all.push({ kind: 'known', key: String(id_model), id_model, learns: null })
  }
  return all
}

function addedOf(row: FileLine, brand_id: number, withCosts: boolean) {
  return {
    brand_id,
    title_product: row.title_product,
    title_variant: row.title_variant,
    size_lens_width: row.eye,
    size_bridge_width: row.bridge,
    size_temple_length: row.temple,
    upc: row.upc,
    item_list_cost: withCosts ? row.list_cost : null,
    item_discount: withCosts ? row.discount_pct : null,
    pb_selling_price: null,
    board_location: null,
    quantity: 1,
  }
}

type Wanted = { quantity: number; list_cost: number | null; discount_pct: number | null }

/** Sums up the rows of each model. Its cost is that of its last row. */
function wantedOf(rows: readonly FileLine[], named: readonly Named[]): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>()
  for (const [nth, one] of named.entries()) {
    const row = rows[nth]
    if (one.kind === 'left-out' || !row) continue
    const before = wanted.get(one.key)
    const { list_cost, discount_pct } = row.list_cost === null && before ? before : row
    wanted.set(one.key, { quantity: (before?.quantity ?? 0) + row.quantity, list_cost, discount_pct })
  }
  return wanted
}

/** Returns the verdict on each row, compared with the lines of the invoice. */
async function compared(
  db: Kysely<Schema>,
  scope: Scope,
  idVendorInvoice: string,
  rows: readonly FileLine[],
  named: readonly Named[],
  fresh: 'new' | 'imported',
): Promise<Result[]> {
  const wanted = wantedOf(rows, named)
  const lines = new Map((await linesOf(db, idVendorInvoice)).map((line) => [String(line.id_model), line]))
  return named.map((one) => {
    if (one.kind === 'left-out') return { verdict: 'left-out', why: one.why }
    const line = lines.get(one.key)
    const given = wanted.get(one.key)
    const costsSame =
      !seesCosts(scope) ||
      !given ||
      given.list_cost === null ||
      (given.list_cost === line?.list_cost && given.discount_pct === line.discount_pct)
    const isThere = line !== undefined && given !== undefined && line.qty_invoiced === given.quantity && costsSame
    return { verdict: isThere ? 'already-there' : fresh, why: null }
  })
}

export async function vendorColumns(db: Kysely<Schema>, vendorId: number): Promise<Record<string, string>> {
  const kept = await db.selectFrom('vendor_columns').select('columns').where('vendor_id', '=', vendorId).executeTakeFirst()
  return kept?.columns ?? {}
}

/** @throws Refusal vendor-unknown */
export async function saveVendorColumns(services: Services, vendorId: number, columns: Record<string, string>): Promise<void> {
  const { pool } = services.db
  const vendor = await pool.selectFrom('vendors').select('vendor_id').where('vendor_id', '=', vendorId).executeTakeFirst()
  if (!vendor) throw new Refusal('vendor-unknown')
  const changed_at = new Date(services.clock.now()).toISOString()
  const kept = { columns: JSON.stringify(columns), changed_at }
  await pool
    .insertInto('vendor_columns')
    .values({ vendor_id: vendorId, ...kept })
    .onConflict((conflict) => conflict.column('vendor_id').doUpdateSet(kept))
    .execute()
}
