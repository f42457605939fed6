import type { Generated } from 'kysely'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import type { TransferLineState, TransferReason, TransferStatus } from '#contract/stock/transfers.ts'

/** Pieces, and what moves them. */
export type StockTables = {
  frames: FrameTable
  frame_history: FrameHistoryTable
  transfers: TransferTable
  transfer_lines: TransferLineTable
  label_request: LabelRequestTable
}

export type FrameTable = {
  id_inventory: Generated<number>
  sku: string
  serial: string
  upc: string | null
  /** `upc` as 14 digits, see `contract/core/codes.ts`. */
  gtin: string | null
  status: InventoryStatus
  store_id: number
  brand_id: number
  vendor_id: number
  id_model: number | null
  title_product: string
  title_variant: string
  size_lens_width: number | null
  size_bridge_width: number | null
  size_temple_length: number | null
  item_list_cost: number | null
  item_discount: number | null
  item_net: number | null
  pb_selling_price: number | null
  board_location: string | null
  note: string | null
  removed_reason: string | null
  receipt_number: string | null
  receipt_at: string | null
  last_seen_at: string | null
  last_count_sheet_id: string | null
  /** The adding by which it came; several pieces come by one. */
  add_id: Generated<string | null>
  /** The vendor's invoice that it was received by. */
  id_vendor_invoice: Generated<string | null>
  version: number
  changed_at: string
  deleted_at: string | null
  revision: number
}
type FrameHistoryTable = {
  id: Generated<number>
  id_inventory: number
  at: string
  id_user: number | null
  rep: string
  device_id: string | null
  action: string
  status_before: string | null
  status: string
  from_store_id: number | null
  to_store_id: number | null
  stock: string
  extra: string
  /** The count that did it; null for what a person did. */
  id_count_sheet: string | null
}
export type TransferTable = {
  id_transfer: string
  number: Generated<number>
  from_store_id: number
  to_store_id: number
  reason: TransferReason
  status: TransferStatus
  note: string
  carrier: string
  tracking: string
  discrepancy: Generated<string>
  created_by: string
  created_at: string
  sent_by: string | null
  sent_at: string | null
  closed_at: string | null
  version: Generated<number>
}
type LabelRequestTable = {
  id_request: string
  id_inventory: number
  state: Generated<'waiting' | 'printed' | 'withdrawn'>
  asked_by: string
  asked_at: string
  settled_by: string | null
  settled_at: string | null
}
type TransferLineTable = {
  id_transfer: string
  id_inventory: number
  /** The order in which the pieces were put on it. */
  place: number
  state: TransferLineState
  /** What the piece was when it was sent; null before. */
  sent_status: InventoryStatus | null
  received_by: string | null
  received_at: string | null
  note: Generated<string>
}
