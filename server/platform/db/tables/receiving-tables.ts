import type { ColumnType, Generated } from 'kysely'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import type { VendorContact, VendorInvoiceInput } from '#contract/receiving/store-invoices.ts'
import type { InvoiceAmounts, VendorInvoiceStatus } from '#contract/receiving/vendor-invoice-rules.ts'
import type { VendorReturnReason, VendorReturnStatus } from '#contract/returns/vendor-return-rules.ts'

/** What vendors deliver, and what goes back to them. */
export type ReceivingTables = {
  vendor_contacts: VendorContact
  store_invoices: StoreInvoiceTable
  vendor_invoices: VendorInvoiceTable
  vendor_invoice_lines: VendorInvoiceLineTable
  vendor_invoice_history: VendorInvoiceHistoryTable
  vendor_columns: VendorColumnsTable
  vendor_returns: VendorReturnTable
  vendor_return_lines: VendorReturnLineTable
  vendor_return_history: VendorReturnHistoryTable
}

type StoreInvoiceTable = {
  invoice_id: string
  number: Generated<number>
  store_id: number
  created_by: string
  created_at: string
  deleted_at: Generated<string | null>
}
export type VendorInvoiceTable = Omit<VendorInvoiceInput, 'amounts'> & {
  [Column in keyof InvoiceAmounts]: Generated<InvoiceAmounts[Column]>
} & {
  id_vendor_invoice: string
  invoice_id: string
  status: VendorInvoiceStatus
  posted_note: Generated<string>
  paid_on: Generated<string | null>
  paid_reference: Generated<string>
  created_by: string
  created_at: string
  deleted_at: Generated<string | null>
  version: Generated<number>
}
type VendorInvoiceLineTable = {
  id_vendor_invoice: string
  id_model: number
  place: number
  qty_invoiced: number | null
  list_cost: number | null
  discount_pct: number | null
  net_cost: number | null
}
type VendorColumnsTable = { vendor_id: number; columns: ColumnType<Record<string, string>, string, string>; changed_at: string }
type VendorInvoiceHistoryTable = {
  id: Generated<number>
  id_vendor_invoice: string
  at: string
  id_user: number | null
  rep: string
  action: string
  detail: string
}
export type VendorReturnTable = {
  return_id: string
  number: Generated<number>
  store_id: number
  vendor_id: number
  status: VendorReturnStatus
  reason: VendorReturnReason
  note: string
  ra_number: Generated<string>
  ra_requested_at: Generated<string | null>
  ra_approved_at: Generated<string | null>
  shipped_at: Generated<string | null>
  carrier: Generated<string>
  tracking: Generated<string>
  credited_at: Generated<string | null>
  credit_memo_no: Generated<string>
  credit_received_cents: Generated<number | null>
  closed_at: Generated<string | null>
  created_by: string
  created_at: string
  since: string
  version: Generated<number>
}
type VendorReturnLineTable = {
  return_id: string
  id_inventory: number
  place: number
  cost_cents: number | null
  /** What the piece was before it left the stock for this return; null while it is still there. */
  taken_status: InventoryStatus | null
}
type VendorReturnHistoryTable = {
  id: Generated<number>
  return_id: string
  at: string
  id_user: number | null
  rep: string
  action: string
  detail: string
}
