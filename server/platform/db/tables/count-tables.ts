import type { Generated } from 'kysely'
import type { CountPhase, CountScope, CountSheet, ExceptionDecision, ScanFinding, ScanVia } from '#contract/counts/count-sheets.ts'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import type { Json } from '#server/platform/db/json.ts'

/** Count sheets. */
export type CountTables = {
  count_sheets: CountSheetTable
  count_items: CountItemTable
  count_scans: CountScanTable
  count_decisions: CountDecisionTable
  count_lines: CountLineTable
  count_devices: CountDeviceTable
}

export type CountSheetTable = {
  id_count_sheet: string
  number: Generated<number>
  store_id: number
  scope: Json<CountScope>
  notes: string
  blind: boolean
  phase: CountPhase
  expected_count: number
  created_at: string
  created_by: number
  snapshot_at: string
  closed_at: string | null
  closed_by: number | null
  walk: number
  walk_started_at: string
  /** JSON array of instants at which each walk began. */
  walk_starts: Json<string[]>
  result: Json<CountSheet['result']> | null
  deleted_at: string | null
  revision: number
}
type CountItemTable = {
  id_count_sheet: string
  id_inventory: number
  store_id: number
  sku: string
  serial: string
  upc: string | null
  brand_id: number
  brand_name: string
  title_product: string
  title_variant: string
  size_lens_width: number | null
  size_bridge_width: number | null
  size_temple_length: number | null
  pb_selling_price: number | null
  status: InventoryStatus
  board_location: string | null
  last_seen_at: string | null
  revision: number
}
export type CountScanTable = {
  id: string
  id_count_sheet: string
  store_id: number
  raw_code: string
  id_inventory: number | null
  /** What the device made of the code, when it differs: a late exception. */
  device_id_inventory: number | null
  finding: ScanFinding
  finding_detail: string | null
  via: ScanVia
  negates: string | null
  previous_scan: string | null
  walk: number
  captured_at: string
  received_at: string
  author_id: number
  deliverer_id: number | null
  device_id: string
  revision: number
}
type CountDecisionTable = {
  id_count_sheet: string
  store_id: number
  key: string
  decision: ExceptionDecision
  reason: string
  decided_by: number
  decided_at: string
  revision: number
}
/** A closed sheet's lines, written once by closing. `line` is a `CountLine`. */
type CountLineTable = { id_count_sheet: string; position: number; line: Json<unknown> }
type CountDeviceTable = {
  id_count_sheet: string
  device_id: string
  device_name: string
  id_user: number
  open: boolean
  unsent: number
  last_seen_at: string
}
