import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { pageOf, pageQuery } from '#contract/core/page.ts'
import {
  patientReturnReasons,
  patientReturnStatuses,
  refundMethods,
  restockPlaces,
  warranties,
} from '#contract/returns/patient-return-rules.ts'
import { cents, done, instant, requiredText, rowId, text, uuid } from '#contract/core/primitives.ts'

/**
 * Items that patients bring back. A user requests the return at the desk. A user with the right to decide confirms or
 * denies it, and its frames go back into stock.
 */

export const patientReturnPageSize = 50
const mostLines = 100

const signedCents = v.pipe(v.number(), v.safeInteger())
const pieces = v.pipe(v.number(), v.integer(), v.minValue(1, 'must be at least 1'), v.maxValue(10_000))

const line = v.object({
  item_sale_id: uuid,
  description: v.string(),
  /** The piece of a frame's line. */
  id_inventory: v.nullable(rowId),
  sku: v.nullable(v.string()),
  qty: pieces,
  reason: v.picklist(patientReturnReasons),
  /** Null while nobody has decided. */
  restock: v.nullable(v.picklist(restockPlaces)),
  /** The patient's share of it. Null for users who may not read invoices. */
  share_cents: v.nullable(signedCents),
})
export type PatientReturnLine = v.InferOutput<typeof line>

const patientReturn = v.object({
  return_id: uuid,
  /** The number for people. */
  number: rowId,
  status: v.picklist(patientReturnStatuses),
  store_id: rowId,
  store: v.string(),
  id_invoice: uuid,
  invoice_no: rowId,
  /** Null for users who may not see this patient. */
  patient: v.nullable(v.object({ id_patient: uuid, name: v.string() })),
  note: v.string(),
  warranty: v.picklist(warranties),
  requested_by: v.string(),
  requested_at: instant,
  decided_by: v.nullable(v.string()),
  decided_at: v.nullable(instant),
  decision_note: v.string(),
  lines: v.array(line),
  /** Null for users who may not read invoices. */
  money: v.nullable(
    v.object({
      /** The patient's balance on the invoice now; below 0 is credit. */
      pt_balance_cents: signedCents,
      restocking_fee_cents: cents,
      /** Null while nobody has decided. */
      credit_cents: v.nullable(cents),
      refund_cents: v.nullable(cents),
      refund_method: v.nullable(v.picklist(refundMethods)),
    }),
  ),
  version: rowId,
})
export type PatientReturn = v.InferOutput<typeof patientReturn>

/** A line of an invoice, with the part that may come back. */
const returnable = v.object({
  item_sale_id: uuid,
  kind: v.string(),
  description: v.string(),
  sku: v.nullable(v.string()),
  qty: pieces,
  /** The pieces that no return, pending or confirmed, has taken yet. */
  left: v.number(),
  /** The patient's share of all pieces of the line. */
  share_cents: signedCents,
})
export type ReturnableLine = v.InferOutput<typeof returnable>

const params = v.object({ id: uuid })
const version = v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/), v.transform(Number))
const words = (most: number) => v.optional(v.pipe(text(most), v.trim()), '')
const isOneEach = (lines: readonly { item_sale_id: string }[]) =>
  new Set(lines.map(({ item_sale_id }) => item_sale_id.toLowerCase())).size === lines.length
const twice = 'names a line twice'
const patients = ['patient-unknown', 'patient-of-other-store'] as const
const decisions = ['patient-return-unknown', 'patient-return-changed', 'patient-return-settled', 'store-foreign'] as const

export const patientReturnRequest = v.object({
  return_id: uuid,
  note: words(500),
  warranty: v.optional(v.picklist(warranties), 'none'),
  lines: v.pipe(
    v.array(v.object({ item_sale_id: uuid, qty: pieces, reason: v.picklist(patientReturnReasons) })),
    v.minLength(1, 'must name what comes back'),
    v.maxLength(mostLines),
    v.check((lines) => isOneEach(lines), twice),
  ),
})
export type PatientReturnRequest = v.InferOutput<typeof patientReturnRequest>

export const patientReturnConfirmation = v.object({
  version: rowId,
  restocking_fee_cents: cents,
  refund_method: v.picklist(refundMethods),
  note: words(500),
  /** The place of each frame. Other items need none. */
  lines: v.pipe(
    v.array(v.object({ item_sale_id: uuid, restock: v.picklist(restockPlaces) })),
    v.maxLength(mostLines),
    v.check((lines) => isOneEach(lines), twice),
  ),
})
export type PatientReturnConfirmation = v.InferOutput<typeof patientReturnConfirmation>

export const patientReturnEndpoints = {
  listPatientReturns: endpoint({
    method: 'GET',
    path: '/api/invoice/patient_returns',
    summary: 'What patients brought back to the store that one works in: what waits for a decision first, 50 a page',
    access: 'patient-return.read',
    query: v.object({ status: v.optional(v.picklist(patientReturnStatuses)), page: pageQuery(7) }),
    response: pageOf({ patient_returns: v.array(patientReturn) }),
  }),
  listInvoiceReturns: endpoint({
    method: 'GET',
    path: '/api/patient/invoice/{id}/returns',
    summary: 'The returns of an invoice, newest first, and what of it may still come back; that it was read is kept',
    access: 'invoice.read',
    params,
    response: v.object({ returns: v.array(patientReturn), lines: v.array(returnable) }),
    refuses: ['patient-invoice-unknown', ...patients],
  }),
  requestPatientReturn: endpoint({
    method: 'POST',
    path: '/api/patient/invoice/{id}/return',
    summary: 'Something of a finalized invoice is back; the same id again is the same return. Nothing moves before it is confirmed',
    access: 'patient-return.request',
    params,
    body: patientReturnRequest,
    response: patientReturn,
    refuses: ['key-reused', 'patient-invoice-unknown', 'patient-invoice-not-finalized', 'return-line-taken', ...patients],
  }),
  readPatientReturn: endpoint({
    method: 'GET',
    path: '/api/patient/return/{id}',
    summary: 'What a patient brought back; that it was read is kept',
    access: 'patient-return.read',
    params,
    response: patientReturn,
    refuses: ['patient-return-unknown'],
  }),
  confirmPatientReturn: endpoint({
    method: 'PUT',
    path: '/api/patient/return/{id}/confirm',
    summary: 'Takes it off the invoice, refunds what was paid for it, and puts each frame where it belongs: all or nothing',
    access: 'patient-return.decide',
    params,
    body: patientReturnConfirmation,
    response: patientReturn,
    refuses: [...decisions, 'return-destination-missing', 'returned-piece-elsewhere'],
  }),
  denyPatientReturn: endpoint({
    method: 'PUT',
    path: '/api/patient/return/{id}/deny',
    summary: 'Denies a return, with the reason',
    access: 'patient-return.decide',
    params,
    body: v.object({ version: rowId, reason: requiredText(500) }),
    response: patientReturn,
    refuses: [...decisions],
  }),
  deletePatientReturn: endpoint({
    method: 'DELETE',
    path: '/api/patient/return/{id}',
    summary: 'Deletes what nobody has decided yet',
    access: 'patient-return.request',
    params,
    query: v.object({ version }),
    response: done,
    refuses: [...decisions],
  }),
} as const
