import * as v from 'valibot'
import { day, keptDay } from '#contract/core/day.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import { pageOf, pageQuery } from '#contract/core/page.ts'
import { frame } from '#contract/stock/frame.ts'
import { cents, code, done, instant, requiredText, rowId, text, uuid } from '#contract/core/primitives.ts'
import { discountPct } from '#contract/stock/stock-money.ts'
import { mostReceived, vendorInvoiceStatuses, vendorInvoiceSteps } from '#contract/receiving/vendor-invoice-rules.ts'

/**
 * Deliveries of vendors to a store. A store invoice is one delivery, with a number for people. It holds vendor
 * invoices, and those hold the pieces received by them. The rules of totals and states are in
 * `vendor-invoice-rules.ts`.
 */

/** Rows to a page of the list. */
export const receiptPageSize = 50
/** Lines of one vendor's invoice. */
export const mostInvoiceLines = 500

const line = (most: number) => v.optional(v.pipe(text(most), v.trim()), '')

/** The amounts on the paper beside its lines; the total is null while the paper is not here. */
const amounts = v.object({ shipping_cents: cents, tax_cents: cents, discount_cents: cents, total_cents: v.nullable(cents) })

/**
 * The fields of a vendor invoice in its form. Only users who may see costs send `amounts`; without them the stored ones
 * stay.
 */
export const vendorInvoiceInput = v.object({
  vendor_id: rowId,
  id_vendor_contact: v.optional(v.nullable(uuid), null),
  vendor_invoice_no: requiredText(60),
  invoice_date: v.optional(v.nullable(day), null),
  received_date: v.optional(v.nullable(day), null),
  po_no: line(60),
  terms: line(120),
  due_date: v.optional(v.nullable(day), null),
  note: line(1000),
  amounts: v.optional(amounts),
})
export type VendorInvoiceInput = v.InferOutput<typeof vendorInvoiceInput>

const card = v.object({
  id_vendor_invoice: uuid,
  invoice_id: uuid,
  /** The number of the store invoice: people call the delivery by it, and its pieces carry it. */
  number: rowId,
  store_id: rowId,
  store: v.string(),
  vendor: v.string(),
  contact: v.nullable(v.string()),
  ...v.omit(vendorInvoiceInput, ['amounts']).entries,
  invoice_date: v.optional(v.nullable(keptDay), null),
  received_date: v.optional(v.nullable(keptDay), null),
  due_date: v.optional(v.nullable(keptDay), null),
  status: v.picklist(vendorInvoiceStatuses),
  pieces: v.number(),
  /** The pieces on the paper, as far as somebody entered them; null when nobody did. */
  invoiced: v.nullable(v.number()),
  lines_off: v.number(),
  /** Received pieces that the paper does not have, or has fewer of. Older apps stored no such number. */
  extra: v.optional(v.number(), 0),
  /** Pieces that nobody can sell yet. */
  missing_prices: v.number(),
  /** Null for users who may not see costs. */
  totals: v.nullable(
    v.object({
      ...amounts.entries,
      missing_costs: v.number(),
      subtotal_cents: v.number(),
      computed_cents: v.number(),
      out_by_cents: v.nullable(v.number()),
    }),
  ),
  /** Why a user posted it although pieces and paper disagreed. */
  posted_note: v.string(),
  paid_on: v.nullable(keptDay),
  paid_reference: v.string(),
  created_by: v.string(),
  created_at: instant,
  version: rowId,
})
export type VendorInvoiceCard = v.InferOutput<typeof card>

const costs = v.object({ list_cost: v.nullable(cents), discount_pct: v.nullable(discountPct) })

const invoiceLine = v.object({
  id_model: rowId,
  brand_name: v.string(),
  title_product: v.string(),
  title_variant: v.string(),
  size_lens_width: v.nullable(v.number()),
  size_bridge_width: v.nullable(v.number()),
  size_temple_length: v.nullable(v.number()),
  upc: v.nullable(v.string()),
  /** The price in the price book. */
  selling_price: v.nullable(cents),
  /** Null when nobody has entered the line of the paper: only the received pieces are known. */
  qty_invoiced: v.nullable(v.number()),
  qty_received: v.number(),
  /** Null for users who may not see costs. */
  costs: v.nullable(v.object({ ...costs.entries, net_cost: v.nullable(cents) })),
})

const piece = v.object({
  frame,
  id_model: v.nullable(rowId),
  received_at: v.nullable(instant),
  /** Null for users who may not see costs. */
  item_net: v.nullable(cents),
})
export type ReceivedPiece = v.InferOutput<typeof piece>

export const vendorInvoice = v.object({
  ...card.entries,
  lines: v.array(invoiceLine),
  /** Newest first. */
  received: v.array(piece),
  history: v.array(v.object({ at: instant, rep: v.string(), action: v.string(), detail: v.string() })),
})
export type VendorInvoice = v.InferOutput<typeof vendorInvoice>

const storeCard = v.object({
  invoice_id: uuid,
  number: rowId,
  store_id: rowId,
  store: v.string(),
  created_by: v.string(),
  created_at: instant,
  invoices: v.number(),
  /** Its vendor invoices that are neither posted, paid nor void. */
  open: v.number(),
  pieces: v.number(),
  /** By name. */
  vendors: v.array(v.string()),
})
export type StoreInvoiceCard = v.InferOutput<typeof storeCard>
export const storeInvoice = v.object({ ...storeCard.entries, vendor_invoices: v.array(card) })
export type StoreInvoice = v.InferOutput<typeof storeInvoice>

const contactInput = v.object({
  name: requiredText(120),
  role: line(60),
  email: line(254),
  phone: line(40),
})
const contact = v.object({ id_vendor_contact: uuid, vendor_id: rowId, ...contactInput.entries })
export type VendorContact = v.InferOutput<typeof contact>

/** A line of the paper. */
const paperLine = v.object({
  id_model: rowId,
  qty_invoiced: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0, 'must be 0 to 9999'), v.maxValue(9999, 'must be 0 to 9999'))),
  costs: v.optional(costs),
})

const number = v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/), v.transform(Number))
const params = v.object({ id: uuid })

export const storeInvoiceEndpoints = {
  listReceipts: endpoint({
    method: 'GET',
    path: '/api/invoice/receipt',
    summary: 'Vendor invoices, or the store invoices that hold them, of a store of the person’s; newest first, 50 a page',
    access: 'vendor-invoice.read',
    cached: 'recent',
    query: v.object({
      tab: v.optional(v.picklist(['vendors', 'stores']), 'vendors'),
      /** Without it, the store in which the user works. */
      store_id: v.optional(number),
      vendor_id: v.optional(number),
      status: v.optional(v.picklist(vendorInvoiceStatuses)),
      /** Days of the invoice, or of its entry while it has no date. */
      from: v.optional(day),
      to: v.optional(day),
      /** `1`: only invoices whose pieces and paper disagree. */
      difference: v.optional(v.literal('1')),
      /** A number of the store or vendor invoice, a purchase order, or a vendor. */
      search: v.optional(text(128)),
      page: pageQuery(),
    }),
    response: pageOf({ vendor_invoices: v.array(card), store_invoices: v.array(storeCard) }),
    refuses: ['store-foreign'],
  }),
  createInvoice: endpoint({
    method: 'POST',
    path: '/api/invoice/create',
    summary: 'A store invoice, or one more vendor invoice on it; the same ids again make nothing',
    access: 'vendor-invoice.write',
    body: v.object({
      invoice_id: uuid,
      vendor_invoice: v.optional(v.object({ id_vendor_invoice: uuid, ...vendorInvoiceInput.entries })),
    }),
    response: storeInvoice,
    refuses: ['key-reused', 'store-foreign', 'vendor-unknown', 'vendor-invoice-taken', 'vendor-invoice-unknown'],
  }),
  viewInvoice: endpoint({
    method: 'GET',
    path: '/api/invoice/view/{id}',
    summary: 'A store invoice with its vendor invoices',
    access: 'vendor-invoice.read',
    params,
    response: storeInvoice,
    refuses: ['store-invoice-unknown'],
  }),
  deleteInvoice: endpoint({
    method: 'DELETE',
    path: '/api/invoice/delete/{id}',
    summary:
      'Deletes a store invoice with all it holds, or one vendor invoice, and with it the pieces: all of them, or nothing where one was sold or moved',
    access: 'vendor-invoice.settle',
    params,
    query: v.object({ version: v.optional(number) }),
    response: done,
    refuses: ['store-invoice-unknown', 'vendor-invoice-changed', 'vendor-invoice-not-allowed', 'piece-in-use', 'store-foreign'],
  }),
  readVendorInvoice: endpoint({
    method: 'GET',
    path: '/api/invoice/vendor_invoice/{id}',
    summary: 'A vendor invoice with its lines and pieces',
    access: 'vendor-invoice.read',
    cached: 'recent',
    params,
    response: vendorInvoice,
    refuses: ['vendor-invoice-unknown'],
  }),
  changeVendorInvoice: endpoint({
    method: 'PUT',
    path: '/api/invoice/vendor_invoices/{id}',
    summary:
      'Changes what stands on a vendor invoice; with `lines`, also those of the paper. New costs reach the pieces that were received',
    access: 'vendor-invoice.write',
    params,
    body: v.object({
      version: rowId,
      ...vendorInvoiceInput.entries,
      lines: v.optional(
        v.pipe(
          v.array(paperLine),
          v.maxLength(mostInvoiceLines, `must be at most ${mostInvoiceLines}`),
          v.check((lines) => new Set(lines.map(({ id_model }) => id_model)).size === lines.length, 'names a model twice'),
        ),
      ),
    }),
    response: vendorInvoice,
    refuses: [
      'vendor-invoice-unknown',
      'vendor-invoice-changed',
      'vendor-invoice-not-allowed',
      'vendor-invoice-taken',
      'vendor-unknown',
      'model-unknown',
      'store-foreign',
    ],
    bodyLimit: 256 * 1024,
  }),
  stepVendorInvoice: endpoint({
    method: 'POST',
    path: '/api/invoice/vendor_invoices/{id}/step',
    summary: 'All is received, receive on, or void; posting and paying are for those who settle invoices',
    access: 'vendor-invoice.write',
    params,
    body: v.object({
      version: rowId,
      step: v.picklist(vendorInvoiceSteps),
      /** Required to post an invoice although pieces and paper disagree. */
      note: line(500),
      paid_on: v.optional(day),
      paid_reference: line(120),
    }),
    response: vendorInvoice,
    refuses: ['vendor-invoice-unknown', 'vendor-invoice-changed', 'vendor-invoice-not-allowed', 'store-foreign'],
  }),
  checkInvoiceNumber: endpoint({
    method: 'GET',
    path: '/api/invoice/vendor_invoice_no',
    summary: 'Whether a vendor’s invoice of this number was entered before',
    access: 'vendor-invoice.write',
    query: v.object({ vendor_id: number, vendor_invoice_no: requiredText(60), except: v.optional(uuid) }),
    response: v.object({ taken: v.nullable(v.string()) }),
  }),
  receivePieces: endpoint({
    method: 'POST',
    path: '/api/invoice/vendor_invoices/{id}/receive',
    summary:
      'Pieces of one model, by its UPC or number: each in stock from now on, with a store tag and an F# of its own. The same id again receives nothing',
    access: 'vendor-invoice.write',
    params,
    body: v.pipe(
      v.object({
        receive_id: uuid,
        code: v.optional(code),
        id_model: v.optional(rowId),
        /** The unknown UPC of the label. From now on it belongs to the chosen model. */
        learn: v.optional(code),
        quantity: v.optional(
          v.pipe(v.number(), v.integer(), v.minValue(1, 'must be 1 to 100'), v.maxValue(mostReceived, 'must be 1 to 100')),
          1,
        ),
        /**
         * False: the server refuses more pieces than the paper has, or another vendor's brand, until the user confirms.
         * Older apps do not ask.
         */
        confirmed: v.optional(v.boolean(), true),
      }),
      v.check(({ code: typed, id_model }) => (typed === undefined) !== (id_model === undefined), 'needs either a code or a model'),
      v.check(({ id_model, learn }) => learn === undefined || id_model !== undefined, 'a UPC is learned for a model'),
    ),
    response: v.object({
      pieces: v.array(piece),
      /** A warning about the pieces for the user, in words. */
      warning: v.nullable(v.string()),
      vendor_invoice: vendorInvoice,
    }),
    refuses: [
      'vendor-invoice-unknown',
      'vendor-invoice-not-allowed',
      'model-unknown',
      'piece-known',
      'piece-to-confirm',
      'upc-taken',
      'key-reused',
      'store-foreign',
    ],
  }),
  viewInvoiceItem: endpoint({
    method: 'GET',
    path: '/api/invoice/view-item/{id}',
    summary: 'A received piece by its number, with the invoice it came by',
    access: 'vendor-invoice.read',
    params: v.object({ id: number }),
    response: v.object({
      item: piece,
      vendor_invoice: card,
      /** Why a user cannot take it off the invoice; null when they can. */
      stays: v.nullable(v.string()),
    }),
    refuses: ['frame-unknown'],
  }),
  deleteInvoiceItem: endpoint({
    method: 'DELETE',
    path: '/api/invoice/delete-item',
    summary: 'Takes a received piece off its invoice and out of the stock; not one that was sold or moved',
    access: 'vendor-invoice.write',
    body: v.object({ sku: code, invoice_id: uuid }),
    response: vendorInvoice,
    refuses: ['store-invoice-unknown', 'frame-unknown', 'vendor-invoice-not-allowed', 'piece-in-use', 'store-foreign'],
  }),
  invoiceVendors: endpoint({
    method: 'GET',
    path: '/api/invoice/vendors',
    summary: 'Vendors by name, with the account that the chain has with each',
    access: 'vendor-invoice.read',
    response: v.object({
      vendors: v.array(v.object({ vendor_id: rowId, name: v.string(), account_no: v.nullable(v.string()), terms: v.nullable(v.string()) })),
    }),
  }),
  vendorContacts: endpoint({
    method: 'GET',
    path: '/api/invoice/vendor-contacts',
    summary: 'Whom one asks at a vendor, by name; of all vendors when none is named',
    access: 'vendor-invoice.read',
    query: v.object({ vendor_id: v.optional(number) }),
    response: v.object({ contacts: v.array(contact) }),
  }),
  saveVendorContact: endpoint({
    method: 'POST',
    path: '/api/invoice/vendor-contacts',
    summary: 'Adds whom one asks at a vendor, or changes them',
    access: 'vendor-invoice.write',
    body: contact,
    response: contact,
    refuses: ['vendor-unknown', 'key-reused'],
  }),
  removeVendorContact: endpoint({
    method: 'DELETE',
    path: '/api/invoice/vendor-contacts/{id}',
    summary: 'Takes a contact away; invoices that named it name nobody then',
    access: 'vendor-invoice.write',
    params,
    response: done,
  }),
} as const
