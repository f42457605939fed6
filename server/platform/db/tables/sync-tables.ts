import type { Generated } from 'kysely'
import type { HoldReason } from '#contract/sync/held-work.ts'
import type { Json } from '#server/platform/db/json.ts'

/** What the sync keeps: revisions, receipts and lanes. */
export type SyncTables = {
  server_state: ServerStateTable
  scope_revisions: ScopeRevisionTable
  receipts: ReceiptTable
  discarded_commands: DiscardedCommandTable
  device_lanes: DeviceLaneTable
  held_commands: HeldCommandTable
  document_numbers: DocumentNumberTable
}

/** One row. `epoch` changes when a backup is restored; devices then rebuild their mirror and send again. */
type ServerStateTable = { id: 1; epoch: string; created_at: string; is_demo: boolean }
/** The last number that a kind of document has, such as `transfers`. See `document-numbers.ts`. */
type DocumentNumberTable = { document: string; last: number }
/** `chain`, `store:{id}`, `settings:{id}`, `user:{id}` or `patients:{id of a store}`; raised first in every writing transaction of the scope. */
type ScopeRevisionTable = { scope: string; revision: number }
/** Written in the transaction that does the work. `number` is what people quote. */
type ReceiptTable = {
  command_id: string
  number: Generated<number>
  body_hash: string
  kind: string
  author_id: number | null
  deliverer_id: number | null
  device_id: string
  /** The receipt as it was first answered, as text: a repeat is answered byte for byte. */
  answer: string
  received_at: string
}
type DiscardedCommandTable = {
  id: string
  discarded_id: string
  discarded_kind: string
  discarded_body: Json<Record<string, unknown>>
  reason: string
  author_id: number | null
  device_id: string
  discarded_at: string
}
/**
 * Work that waits for a manager. It is settled when there is a receipt for it, or when it is discarded. `author_id` made it, `deliverer_id` is
 * whose session brought it first.
 */
type HeldCommandTable = {
  command_id: string
  body_hash: string
  kind: string
  command: string
  lane: string
  lane_seq: number
  device_id: string
  store_id: number
  author_id: number
  deliverer_id: number
  reason: HoldReason
  captured_at: string
  received_at: string
  decision: Generated<'applied' | 'discarded' | null>
  decided_by: Generated<number | null>
  decided_at: Generated<string | null>
  decided_because: Generated<string | null>
}
/** The last position seen of each lane of each device: a gap tells that a device lost something. */
type DeviceLaneTable = { device_id: string; lane: string; last_seq: number; gap_count: number; updated_at: string }
