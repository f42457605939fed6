import type { Kysely } from 'kysely'
import type { ReceivedPiece, VendorInvoice } from '#contract/receiving/store-invoices.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { findVendorInvoice, seesCosts, toCard } from '#server/features/receiving/store-invoices/read-invoices.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { type FrameWithNames, selectFrames, toFrame } from '#server/domain/stock/frame-rows.ts'

export function toPiece(row: FrameWithNames, withCosts: boolean): ReceivedPiece {
  return { frame: toFrame(row), id_model: row.id_model, received_at: row.receipt_at, item_net: withCosts ? row.item_net : null }
}

/** A vendor invoice with its lines, pieces and history. @throws Refusal vendor-invoice-unknown */
export async function readVendorInvoice(db: Kysely<Schema>, scope: Scope, id: string): Promise<VendorInvoice> {
  const withCosts = seesCosts(scope)
  const row = await findVendorInvoice(db, scope, id)
  const [lines, pieces, history] = await Promise.all([
    db
      .selectFrom('vendor_invoice_lines as line')
      .innerJoin('models', 'models.id_model', 'line.id_model')
      .innerJoin('products', 'products.id_product', 'models.id_product')
      .innerJoin('brands', 'brands.brand_id', 'products.brand_id')
      .where('id_vendor_invoice', '=', row.id_vendor_invoice)
      .select([
        'line.id_model',
        'line.qty_invoiced',
        'line.list_cost',
        'line.discount_pct',
        'line.net_cost',
        'brands.name as brand_name',
        'products.title as title_product',
        'models.title_variant',
        'models.eye as size_lens_width',
        'models.bridge as size_bridge_width',
        'models.temple as size_temple_length',
        'models.upc',
        'models.selling_price',
      ])
      .orderBy('line.place')
      .orderBy('line.id_model')
      .execute(),
    selectFrames(db)
      .where('frames.id_vendor_invoice', '=', row.id_vendor_invoice)
      .orderBy('frames.receipt_at', 'desc')
      .orderBy('frames.id_inventory', 'desc')
      .execute(),
    db
      .selectFrom('vendor_invoice_history')
      .where('id_vendor_invoice', '=', row.id_vendor_invoice)
      .select(['at', 'rep', 'action', 'detail'])
      .orderBy('id', 'desc')
      .limit(100)
      .execute(),
  ])
  const here = new Map<number | null, number>()
  for (const { id_model } of pieces) here.set(id_model, (here.get(id_model) ?? 0) + 1)
  return {
    ...toCard(row, withCosts),
    lines: lines.map(({ list_cost, discount_pct, net_cost, ...line }) => ({
      ...line,
      qty_received: here.get(line.id_model) ?? 0,
      costs: withCosts ? { list_cost, discount_pct, net_cost } : null,
    })),
    received: pieces.map((piece) => toPiece(piece, withCosts)),
    history,
  }
}
