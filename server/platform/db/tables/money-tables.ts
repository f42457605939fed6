import type { Generated } from 'kysely'
import type { EntryKind, InvoiceStatus, LineKind } from '#contract/money/invoice-money.ts'
import type {
  PatientReturnReason,
  PatientReturnStatus,
  RefundMethod,
  RestockPlace,
  Warranty,
} from '#contract/returns/patient-return-rules.ts'

/** Invoices, and patient returns. */
export type MoneyTables = {
  invoices: InvoiceTable
  invoice_items: InvoiceItemTable
  invoice_payments: InvoicePaymentTable
  patient_returns: PatientReturnTable
  patient_return_lines: PatientReturnLineTable
}

export type PatientReturnTable = {
  return_id: string
  number: Generated<number>
  id_invoice: string
  store_id: number
  status: PatientReturnStatus
  note: string
  warranty: Warranty
  requested_by: string
  requested_at: string
  decided_by: Generated<string | null>
  decided_at: Generated<string | null>
  decision_note: Generated<string>
  restocking_fee_cents: Generated<number>
  credit_cents: Generated<number | null>
  refund_cents: Generated<number | null>
  refund_method: Generated<RefundMethod | null>
  version: Generated<number>
}
type PatientReturnLineTable = {
  return_id: string
  item_sale_id: string
  place: number
  qty: number
  reason: PatientReturnReason
  restock: Generated<RestockPlace | null>
}
type InvoiceTable = {
  id_invoice: string
  invoice_no: Generated<number>
  id_patient: string
  store_id: number
  id_rx: string | null
  id_appointment: string | null
  /** The day of business. */
  date: string
  sold_by: number | null
  provider_id: number | null
  status: InvoiceStatus
  finalized_at: string | null
  finalized_by: number | null
  promised_date: string | null
  note: Generated<string>
  created_at: string
  created_by: number | null
  version: Generated<number>
}
/** `contract/money/invoice-money.ts` computes the total of a line from its row. */
type InvoiceItemTable = {
  item_sale_id: string
  id_invoice: string
  position: number
  kind: LineKind
  /** The piece of a frame's line. */
  id_inventory: number | null
  sku: string | null
  code: string | null
  modifiers: Generated<string[]>
  diagnosis_refs: Generated<string[]>
  description: string
  qty: number
  unit_price_cents: number
  discount_cents: Generated<number>
  discount_pct: number | null
  discount_reason: string | null
  tax_rate_pct: Generated<number>
  insurance_id: string | null
  allowed_cents: number | null
  insurance_cents: Generated<number>
  copay_cents: Generated<number>
  writeoff_cents: Generated<number>
  tray_no: string | null
}
/** The ledger of an invoice: rows are only ever added. `reverses` names the entry that a row undoes. */
type InvoicePaymentTable = {
  id_payment: string
  id_invoice: string
  kind: EntryKind
  amount_cents: number
  reverses: string | null
  at: string
  by: number | null
  store_id: number
  insurance_id: string | null
  reference: Generated<string>
  card_last4: string | null
  drawer_session_id: string | null
}
