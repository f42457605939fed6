import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { pageOfSize, pageQuery } from '#contract/core/page.ts'
import { invoiceStatuses, paymentStatuses } from '#contract/money/invoice-money.ts'
import { rowId, text, uuid } from '#contract/core/primitives.ts'

/** How many invoices the server puts into one page. */
export const invoicePageSize = 50

/** Whole cents; below 0 is credit. */
const signedCents = v.pipe(v.number(), v.safeInteger())
const day = v.pipe(v.string(), v.isoDate())

/** An invoice as a list shows it. Amounts come from its lines and entries by `invoice-money.ts`. */
const listedInvoice = v.object({
  id_invoice: uuid,
  /** The number for people, from the server. */
  invoice_no: rowId,
  store_id: rowId,
  store_name: v.string(),
  date: day,
  status: v.picklist(invoiceStatuses),
  finalized: v.boolean(),
  payment_status: v.picklist(paymentStatuses),
  promised_date: v.nullable(day),
  items_count: v.number(),
  total_cents: signedCents,
  pt_due_cents: signedCents,
  pt_balance_cents: signedCents,
  ins_balance_cents: signedCents,
  balance_cents: signedCents,
})
export type ListedInvoice = v.InferOutput<typeof listedInvoice>

export const listInvoices = endpoint({
  method: 'GET',
  path: '/api/patient/invoice',
  summary: 'A patient’s invoices, newest first, fifty to a page, and what is owed on all of them; that they were read is kept',
  access: 'invoice.read',
  query: v.object({ id_patient: uuid, page: pageQuery(), reason: v.optional(text(200)) }),
  response: pageOfSize(
    invoicePageSize,
    { invoices: v.array(listedInvoice) },
    {
      page: v.number(),
      /** The balance over the finalized ones. */
      balance: v.object({ balance_cents: signedCents, pt_balance_cents: signedCents, ins_balance_cents: signedCents }),
      /** Drafts: amounts that are not claimed yet. */
      drafts: v.object({ count: v.number(), total_cents: signedCents }),
    },
  ),
  refuses: ['patient-unknown', 'patient-of-other-store'],
})

export const listInvoiceStatuses = endpoint({
  method: 'GET',
  path: '/api/patient/invoice/statuses',
  summary: 'The statuses that an invoice can have',
  access: 'invoice.read',
  response: v.object({ statuses: v.array(v.object({ key: v.picklist(invoiceStatuses), title: v.string() })) }),
  cached: 'reference',
})

export const invoiceEndpoints = { listInvoices, listInvoiceStatuses }
