import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { pageOf, pageQuery } from '#contract/core/page.ts'
import { frame } from '#contract/stock/frame.ts'
import { cents, instant, requiredText, rowId, text, uuid } from '#contract/core/primitives.ts'
import { vendorReturnReasons, vendorReturnStatuses } from '#contract/returns/vendor-return-rules.ts'

/** Return invoices: frames that go back to their vendor, until the vendor has credited them. */

export const mostReturned = 500
export const vendorReturnPageSize = 50

const card = v.object({
  return_id: uuid,
  /** The number for people. */
  number: rowId,
  status: v.picklist(vendorReturnStatuses),
  store_id: rowId,
  store: v.string(),
  vendor_id: rowId,
  vendor: v.string(),
  reason: v.picklist(vendorReturnReasons),
  note: v.string(),
  /** The number under which the vendor allows the return. */
  ra_number: v.string(),
  ra_requested_at: v.nullable(instant),
  ra_approved_at: v.nullable(instant),
  shipped_at: v.nullable(instant),
  carrier: v.string(),
  tracking: v.string(),
  credited_at: v.nullable(instant),
  credit_memo_no: v.string(),
  closed_at: v.nullable(instant),
  created_by: v.string(),
  created_at: instant,
  /** When it entered its present status. */
  since: instant,
  pieces: v.number(),
  /** Null for users who may not see costs. */
  credit: v.nullable(
    v.object({
      expected_cents: cents,
      received_cents: v.nullable(cents),
      /** Pieces with an unknown cost: the credit will be above the expected one. */
      missing_costs: v.number(),
    }),
  ),
  version: rowId,
})
export type VendorReturnCard = v.InferOutput<typeof card>

const line = v.object({
  frame,
  /** Null when unknown, and for users who may not see costs. */
  cost_cents: v.nullable(cents),
})

export const vendorReturn = v.object({
  ...card.entries,
  lines: v.array(line),
  /** The steps taken, newest first. */
  timeline: v.array(v.object({ at: instant, rep: v.string(), action: v.string(), detail: v.string() })),
})
export type VendorReturn = v.InferOutput<typeof vendorReturn>

const words = (most: number) => v.optional(v.pipe(text(most), v.trim()), '')
const items = v.pipe(
  v.array(rowId),
  v.maxLength(mostReturned, `must be at most ${mostReturned}`),
  v.check((ids) => new Set(ids).size === ids.length, 'names a frame twice'),
)

/** The content of a return; its frames by their number. */
export const vendorReturnInput = v.object({ reason: v.picklist(vendorReturnReasons), note: words(500), items })
export type VendorReturnInput = v.InferOutput<typeof vendorReturnInput>

/** The next step of a return, with the facts that it needs. */
export const vendorReturnStepInput = v.variant('step', [
  v.object({ step: v.literal('request') }),
  v.object({ step: v.literal('approve'), ra_number: requiredText(60) }),
  v.object({ step: v.literal('deny'), why: requiredText(500) }),
  v.object({ step: v.literal('ship'), carrier: words(60), tracking: words(60) }),
  v.object({ step: v.literal('credit'), credit_memo_no: requiredText(60), credit_received_cents: cents }),
  v.object({ step: v.literal('close'), note: words(500) }),
])
export type VendorReturnStepInput = v.InferOutput<typeof vendorReturnStepInput>

const number = v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/), v.transform(Number))
const params = v.object({ id: uuid })
const changes = ['vendor-return-unknown', 'vendor-return-changed', 'vendor-return-not-allowed', 'store-foreign'] as const
const pieces = ['frame-unknown', 'return-piece-elsewhere'] as const

export const vendorReturnEndpoints = {
  listVendorReturns: endpoint({
    method: 'GET',
    path: '/api/invoice/return_invoices',
    summary: 'Returns to vendors of the store that one works in, newest first, 50 a page',
    access: 'vendor-invoice.read',
    cached: 'recent',
    query: v.object({
      list: v.optional(v.picklist(['open', 'done']), 'open'),
      status: v.optional(v.picklist(vendorReturnStatuses)),
      vendor_id: v.optional(number),
      page: pageQuery(7),
    }),
    response: pageOf({ return_invoices: v.array(card) }),
  }),
  createVendorReturn: endpoint({
    method: 'POST',
    path: '/api/invoice/return_invoices',
    summary: 'A draft of a return from the store that one works in; the same id again is the same draft',
    access: 'vendor-invoice.write',
    body: v.object({ return_id: uuid, vendor_id: rowId, ...vendorReturnInput.entries }),
    response: vendorReturn,
    refuses: ['key-reused', 'vendor-unknown', ...pieces],
  }),
  readVendorReturn: endpoint({
    method: 'GET',
    path: '/api/invoice/return_invoice/{id}',
    summary: 'A return with its pieces and its timeline',
    access: 'vendor-invoice.read',
    cached: 'recent',
    params,
    response: vendorReturn,
    refuses: ['vendor-return-unknown'],
  }),
  changeVendorReturn: endpoint({
    method: 'PUT',
    path: '/api/invoice/return_invoice/{id}',
    summary: 'Changes a return that has not been shipped',
    access: 'vendor-invoice.write',
    params,
    body: v.object({ ...vendorReturnInput.entries, version: rowId }),
    response: vendorReturn,
    refuses: [...changes, ...pieces],
  }),
  stepVendorReturn: endpoint({
    method: 'POST',
    path: '/api/invoice/return_invoice/{id}/step',
    summary: 'The next step of a return: shipping takes all of its pieces out of the stock, a refusal puts them back, all or none',
    access: 'vendor-invoice.write',
    params,
    body: v.object({ version: rowId, do: vendorReturnStepInput }),
    response: vendorReturn,
    refuses: [...changes, 'vendor-return-empty', 'permission-missing', ...pieces],
  }),
  deleteVendorReturn: endpoint({
    method: 'DELETE',
    path: '/api/invoice/return_invoice/{id}',
    summary: 'Deletes a draft; what was taken out of the stock for it is in stock again',
    access: 'vendor-invoice.write',
    params,
    query: v.object({ version: number }),
    response: v.object({ ok: v.literal(true) }),
    refuses: [...changes],
  }),
} as const
