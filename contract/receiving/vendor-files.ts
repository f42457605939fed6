import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { cents, requiredText, text, uuid } from '#contract/core/primitives.ts'
import { discountPct } from '#contract/stock/stock-money.ts'

/** What a vendor sends as a file: the lines of an invoice. Which of its columns is what is said once for each vendor. */

/** Rows that are sent at once: a model may stand in several, and its pieces are those of all of them. */
export const fileRowsAtOnce = 2000

const line = (most: number) => v.optional(v.pipe(text(most), v.trim()), '')
const millimetres = v.optional(v.nullable(v.pipe(v.number(), v.minValue(1, 'must be 1 to 200'), v.maxValue(200, 'must be 1 to 200'))), null)

export const fileLine = v.object({
  upc: v.optional(v.nullable(text(32)), null),
  brand: line(120),
  title_product: line(120),
  title_variant: line(120),
  eye: millimetres,
  bridge: millimetres,
  temple: millimetres,
  quantity: v.optional(
    v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(1, 'must be 1 to 999'), v.maxValue(999, 'must be 1 to 999')),
    1,
  ),
  list_cost: v.optional(v.nullable(cents), null),
  discount_pct: v.optional(v.nullable(discountPct), null),
})
export type FileLine = v.InferOutput<typeof fileLine>

const columns = v.pipe(
  v.record(requiredText(40), requiredText(200)),
  v.check((given) => Object.keys(given).length <= 40, 'names too many columns'),
)

const vendor = v.object({ vendor_id: v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/), v.transform(Number)) })

export const vendorFileEndpoints = {
  vendorColumns: endpoint({
    method: 'GET',
    path: '/api/invoice/vendors/{vendor_id}/columns',
    summary: 'Which column of a vendor’s file is what, by its header; empty before somebody has said so',
    access: 'vendor-invoice.write',
    params: vendor,
    response: v.object({ columns }),
  }),
  saveVendorColumns: endpoint({
    method: 'PUT',
    path: '/api/invoice/vendors/{vendor_id}/columns',
    summary: 'Keeps which column of a vendor’s file is what, for every tablet',
    access: 'vendor-invoice.write',
    params: vendor,
    body: v.object({ columns }),
    response: v.object({ columns }),
    refuses: ['vendor-unknown'],
  }),
  importInvoiceLines: endpoint({
    method: 'POST',
    path: '/api/invoice/vendor_invoices/{id}/import',
    summary: 'Lines of a vendor’s file onto an invoice, or what would become of them. The same rows again change nothing',
    access: 'vendor-invoice.write',
    params: v.object({ id: uuid }),
    body: v.object({
      check_only: v.boolean(),
      rows: v.pipe(v.array(fileLine), v.minLength(1), v.maxLength(fileRowsAtOnce, `must be at most ${fileRowsAtOnce}`)),
    }),
    response: v.object({
      results: v.array(
        v.object({
          verdict: v.picklist(['new', 'imported', 'already-there', 'left-out']),
          /** Why it is left out, in words. */
          why: v.nullable(v.string()),
        }),
      ),
    }),
    refuses: ['vendor-invoice-unknown', 'vendor-invoice-not-allowed', 'store-foreign'],
    bodyLimit: 1024 * 1024,
  }),
} as const
