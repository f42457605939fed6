import { type Kysely, sql } from 'kysely'
import type { ParsedRequestOf } from '#contract/core/endpoint.ts'
import { Refusal } from '#contract/core/errors.ts'
import {
  receiptPageSize,
  type StoreInvoice,
  type StoreInvoiceCard,
  type storeInvoiceEndpoints,
  type VendorInvoiceCard,
} from '#contract/receiving/store-invoices.ts'
import { totalsCheck } from '#contract/receiving/vendor-invoice-rules.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'
import { searchedWords } from '#server/domain/stock/library-search.ts'

/** Vendor invoices with the sums of their pieces and lines. Deleted ones are left out. */
export function selectCards(db: Kysely<Schema>) {
  return db
    .selectFrom('vendor_invoices as invoice')
    .innerJoin('store_invoices as receipt', 'receipt.invoice_id', 'invoice.invoice_id')
    .innerJoin('stores', 'stores.store_id', 'receipt.store_id')
    .innerJoin('vendors', 'vendors.vendor_id', 'invoice.vendor_id')
    .leftJoin('vendor_contacts as contact', 'contact.id_vendor_contact', 'invoice.id_vendor_contact')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('frames')
          .whereRef('frames.id_vendor_invoice', '=', 'invoice.id_vendor_invoice')
          .where('frames.deleted_at', 'is', null)
          .select([
            sql<number>`count(*)`.as('pieces'),
            sql<number>`count(*) filter (where item_net is null)`.as('missing_costs'),
            sql<number>`count(*) filter (where pb_selling_price is null)`.as('missing_prices'),
            sql<number>`coalesce(sum(item_net), 0)`.as('subtotal_cents'),
          ])
          .as('came'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('vendor_invoice_lines as line')
          .whereRef('line.id_vendor_invoice', '=', 'invoice.id_vendor_invoice')
          .select([
            sql<number | null>`sum(qty_invoiced)`.as('invoiced'),
            // Null while no line of the paper is entered: then no piece is extra.
            sql<number>`coalesce(case when sum(qty_invoiced) is not null then sum(greatest(0, (select count(*) from frames
              where frames.id_vendor_invoice = line.id_vendor_invoice and frames.id_model = line.id_model and frames.deleted_at is null)
              - coalesce(qty_invoiced, 0))) end, 0)`.as('extra'),
            sql<number>`count(*) filter (where qty_invoiced <> (select count(*) from frames where frames.id_vendor_invoice = line.id_vendor_invoice
              and frames.id_model = line.id_model and frames.deleted_at is null))`.as('lines_off'),
          ])
          .as('paper'),
      (join) => join.onTrue(),
    )
    .where('invoice.deleted_at', 'is', null)
    .selectAll('invoice')
    .select([
      'receipt.number',
      'receipt.store_id',
      'stores.store_name as store',
      'vendors.name as vendor',
      'contact.name as contact',
      'came.pieces',
      'came.missing_costs',
      'came.missing_prices',
      'came.subtotal_cents',
      'paper.invoiced',
      'paper.lines_off',
      'paper.extra',
    ])
}
export type CardRow = Awaited<ReturnType<ReturnType<typeof selectCards>['executeTakeFirstOrThrow']>>

export function toCard(row: CardRow, withCosts: boolean): VendorInvoiceCard {
  const { deleted_at: _, shipping_cents, tax_cents, discount_cents, total_cents, subtotal_cents, missing_costs, ...told } = row
  const amounts = { shipping_cents, tax_cents, discount_cents, total_cents }
  return { ...told, totals: withCosts ? { ...amounts, missing_costs, ...totalsCheck(amounts, subtotal_cents) } : null }
}

type Asker = Pick<Scope, 'id_user' | 'store_id'>

/** @throws Refusal vendor-invoice-unknown, also for an invoice of a store that is not the user's */
export async function findVendorInvoice(db: Kysely<Schema>, scope: Asker, id: string): Promise<CardRow> {
  const row = await selectCards(db).where('invoice.id_vendor_invoice', '=', id.toLowerCase()).executeTakeFirst()
  if (!row || !(await isTheirs(db, scope, row.store_id))) throw new Refusal('vendor-invoice-unknown')
  return row
}

async function isTheirs(db: Kysely<Schema>, scope: Asker, storeId: number): Promise<boolean> {
  return storeId === scope.store_id || (await storesOf(db, scope.id_user)).includes(storeId)
}

function selectStoreCards(db: Kysely<Schema>) {
  return db
    .selectFrom('store_invoices as receipt')
    .innerJoin('stores', 'stores.store_id', 'receipt.store_id')
    .where('receipt.deleted_at', 'is', null)
    .select([
      'receipt.invoice_id',
      'receipt.number',
      'receipt.store_id',
      'stores.store_name as store',
      'receipt.created_by',
      'receipt.created_at',
      sql<number>`(select count(*) from vendor_invoices held where held.invoice_id = receipt.invoice_id and held.deleted_at is null)`.as(
        'invoices',
      ),
      sql<number>`(select count(*) from vendor_invoices held where held.invoice_id = receipt.invoice_id and held.deleted_at is null
        and held.status not in ('posted', 'paid', 'void'))`.as('open'),
      sql<number>`(select count(*) from vendor_invoices held join frames on frames.id_vendor_invoice = held.id_vendor_invoice
        where held.invoice_id = receipt.invoice_id and held.deleted_at is null and frames.deleted_at is null)`.as('pieces'),
      sql<string[]>`(select coalesce(jsonb_agg(distinct vendors.name), '[]') from vendor_invoices held join vendors using (vendor_id)
        where held.invoice_id = receipt.invoice_id and held.deleted_at is null)`.as('vendors'),
    ])
}

/** @throws Refusal store-invoice-unknown, also for an invoice of a store that is not the user's */
export async function findStoreInvoice(db: Kysely<Schema>, scope: Scope, id: string): Promise<StoreInvoiceCard> {
  const row = await selectStoreCards(db).where('receipt.invoice_id', '=', id.toLowerCase()).executeTakeFirst()
  if (!row || !(await isTheirs(db, scope, row.store_id))) throw new Refusal('store-invoice-unknown')
  return row
}

/** Returns a store invoice with its vendor invoices, in the order of entry. @throws Refusal store-invoice-unknown */
export async function readStoreInvoice(db: Kysely<Schema>, scope: Scope, id: string): Promise<StoreInvoice> {
  const receipt = await findStoreInvoice(db, scope, id)
  const rows = await selectCards(db)
    .where('invoice.invoice_id', '=', receipt.invoice_id)
    .orderBy('invoice.created_at')
    .orderBy('invoice.id_vendor_invoice')
    .execute()
  return { ...receipt, vendor_invoices: rows.map((row) => toCard(row, seesCosts(scope))) }
}

export const seesCosts = (actor: Pick<Scope, 'permissions'>) => actor.permissions.has('frame.see-cost')

type Filters = ParsedRequestOf<typeof storeInvoiceEndpoints.listReceipts>['query']

/**
 * One page of a store's vendor invoices, or of the store invoices with such vendor invoices. @throws Refusal
 * store-foreign
 */
export async function listReceipts(db: Kysely<Schema>, scope: Scope, filters: Filters) {
  const { tab, page } = filters
  const storeId = filters.store_id ?? scope.store_id
  if (!(await isTheirs(db, scope, storeId))) throw new Refusal('store-foreign')
  const found = passing(db, storeId, filters, seesCosts(scope))
  const offset = (page - 1) * receiptPageSize
  if (tab === 'vendors') {
    const [rows, { total }] = await Promise.all([
      found
        .orderBy('number', 'desc')
        .orderBy('created_at', 'desc')
        .orderBy('id_vendor_invoice')
        .limit(receiptPageSize)
        .offset(offset)
        .execute(),
      found
        .clearSelect()
        .select(sql<number>`count(*)`.as('total'))
        .executeTakeFirstOrThrow(),
    ])
    return {
      vendor_invoices: rows.map((row) => toCard(row, seesCosts(scope))),
      store_invoices: [],
      page,
      page_size: receiptPageSize,
      total,
    }
  }
  const holders = selectStoreCards(db)
    .where('receipt.store_id', '=', storeId)
    .$if(isNarrowed(filters), (query) => query.where('receipt.invoice_id', 'in', found.clearSelect().select('invoice_id')))
  const [store_invoices, { total }] = await Promise.all([
    holders.orderBy('receipt.number', 'desc').limit(receiptPageSize).offset(offset).execute(),
    holders
      .clearSelect()
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { vendor_invoices: [], store_invoices, page, page_size: receiptPageSize, total }
}

function isNarrowed({ vendor_id, status, from, to, difference, search }: Filters): boolean {
  return [vendor_id, status, from, to, difference].some((filter) => filter !== undefined) || searchedWords(search).length > 0
}

function passing(db: Kysely<Schema>, storeId: number, filters: Filters, withCosts: boolean) {
  const { vendor_id, status, from, to, difference } = filters
  const day = sql<string>`coalesce(invoice_date, created_at::date)`
  let found = db
    .selectFrom(selectCards(db).as('card'))
    .selectAll()
    .where('store_id', '=', storeId)
    .$if(vendor_id !== undefined, (query) => query.where('vendor_id', '=', vendor_id ?? 0))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'draft'))
    .$if(from !== undefined, (query) => query.where(day, '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where(day, '<=', to ?? ''))
    // The same rule as `differencesOf`.
    .$if(difference !== undefined, (query) =>
      query.where('pieces', '>', 0).where(
        sql<boolean>`(lines_off > 0${
          withCosts
            ? sql` or missing_costs > 0 or total_cents is null
          or subtotal_cents + shipping_cents + tax_cents - discount_cents <> total_cents`
            : sql``
        })`,
      ),
    )
  for (const { like } of searchedWords(filters.search)) {
    found = found.where((where) =>
      where.or([
        where('vendor_invoice_no', 'ilike', like),
        where('po_no', 'ilike', like),
        where('vendor', 'ilike', like),
        where(sql<string>`number::text`, 'like', like),
      ]),
    )
  }
  return found
}
