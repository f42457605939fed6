import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { inventoryStatus, inventoryStatuses } from '#contract/stock/frame.ts'
import { cents, code, done, instant, revision, rowId, text, uuid } from '#contract/core/primitives.ts'

/** What a sheet counts: the whole store, or what matches every list that is given. */
export const countScope = v.object({
  brand_ids: v.pipe(v.array(rowId), v.maxLength(1000)),
  vendor_ids: v.pipe(v.array(rowId), v.maxLength(1000)),
  statuses: v.pipe(v.array(inventoryStatus), v.maxLength(inventoryStatuses.length)),
  price_min_cents: v.nullable(cents),
  price_max_cents: v.nullable(cents),
})
export type CountScope = v.InferOutput<typeof countScope>
export const wholeStore: CountScope = { brand_ids: [], vendor_ids: [], statuses: [], price_min_cents: null, price_max_cents: null }

export const countPhases = ['counting', 'recounting', 'closed'] as const
export const countPhase = v.picklist(countPhases)
export type CountPhase = (typeof countPhases)[number]

/** How a code reached the sheet. `picked` is a piece chosen by hand among several that match. */
export const scanVia = v.picklist(['scanner', 'typed', 'picked', 'camera'])
export type ScanVia = v.InferOutput<typeof scanVia>

/**
 * What the server (or, until it has answered, the device) made of a code. Duplicates are not here: the fold
 * in `count-ledger.ts` finds them, because which scan of a piece came first is known only when all are there.
 */
export const scanFindings = ['expected', 'set-aside', 'unknown', 'model-only'] as const
export const scanFinding = v.picklist(scanFindings)
export type ScanFinding = (typeof scanFindings)[number]

export const exceptionDecision = v.picklist(['undecided', 'apply', 'skip'])
export type ExceptionDecision = v.InferOutput<typeof exceptionDecision>

/** A sheet as the mirror holds it. */
export const countSheet = v.object({
  id_count_sheet: uuid,
  number: v.nullable(v.number()),
  store_id: rowId,
  scope: countScope,
  notes: v.string(),
  blind: v.boolean(),
  phase: countPhase,
  expected_count: v.number(),
  created_at: instant,
  created_by: rowId,
  created_by_name: v.string(),
  snapshot_at: instant,
  closed_at: v.nullable(instant),
  closed_by_name: v.nullable(v.string()),
  /** Which walk over the shelves this is: 1, and one more with every recount. */
  walk: v.number(),
  walk_started_at: instant,
  /** What closing did; null while open. */
  result: v.nullable(
    v.object({
      counted: v.number(),
      expected: v.number(),
      missing: v.number(),
      found: v.number(),
      received: v.number(),
      explained: v.number(),
      unknown: v.number(),
      skipped: v.number(),
      /** The names of the tablets that were not waited for. */
      override_devices: v.nullable(v.array(v.string())),
    }),
  ),
  revision,
})
export type CountSheet = v.InferOutput<typeof countSheet>

/** One expected piece: a frozen copy from when the sheet was made, so that a later edit cannot rewrite history. */
export const countItem = v.object({
  id_count_sheet: uuid,
  id_inventory: rowId,
  sku: v.string(),
  serial: v.string(),
  upc: v.nullable(v.string()),
  brand_id: rowId,
  brand_name: v.string(),
  title_product: v.string(),
  title_variant: v.string(),
  size_lens_width: v.nullable(v.number()),
  size_bridge_width: v.nullable(v.number()),
  size_temple_length: v.nullable(v.number()),
  pb_selling_price: v.nullable(cents),
  status: inventoryStatus,
  board_location: v.nullable(v.string()),
  last_seen_at: v.nullable(instant),
  revision,
})
export type CountItem = v.InferOutput<typeof countItem>

/** One event on a sheet: a scan, or the undoing of one. Events are only added. */
export const countScan = v.object({
  id: uuid,
  id_count_sheet: uuid,
  raw_code: v.string(),
  id_inventory: v.nullable(rowId),
  finding: scanFinding,
  /** Why a set-aside piece is set aside, in words for the person: `Eastside`, `Sold`, … */
  finding_detail: v.nullable(v.string()),
  via: scanVia,
  negates: v.nullable(uuid),
  previous_scan: v.nullable(uuid),
  walk: v.number(),
  captured_at: instant,
  author_id: rowId,
  author_name: v.string(),
  device_id: uuid,
  revision,
})
export type CountScan = v.InferOutput<typeof countScan>

/** A person's word on one exception of a sheet. */
export const countDecision = v.object({
  id_count_sheet: uuid,
  /** `frame:{id_inventory}` or `scan:{id}`. */
  key: v.string(),
  decision: exceptionDecision,
  reason: v.string(),
  decided_by_name: v.string(),
  decided_at: instant,
  revision,
})
export type CountDecision = v.InferOutput<typeof countDecision>

/** A tablet that has this sheet open or holds scans for it. */
export const countDevice = v.object({
  device_id: uuid,
  device_name: v.string(),
  person_name: v.string(),
  open: v.boolean(),
  unsent: v.number(),
  last_seen_at: instant,
})
export type CountDevice = v.InferOutput<typeof countDevice>

export const closeEffectKinds = ['none', 'missing', 'found', 'received', 'explained', 'exception'] as const
/** One line of a closed sheet, or of the preview of closing it. */
export const countLine = v.object({
  item_id: v.nullable(rowId),
  id_scan: v.nullable(uuid),
  raw_code: v.nullable(v.string()),
  sku: v.nullable(v.string()),
  serial: v.nullable(v.string()),
  upc: v.nullable(v.string()),
  brand_name: v.nullable(v.string()),
  title_product: v.nullable(v.string()),
  title_variant: v.nullable(v.string()),
  size: v.nullable(v.string()),
  expected: v.boolean(),
  expected_status: v.nullable(v.string()),
  outcome: v.picklist(['counted', 'missing', 'set-aside', 'unknown', 'explained']),
  effect: v.picklist(closeEffectKinds),
  detail: v.nullable(v.string()),
  counted_by: v.nullable(v.string()),
  counted_at: v.nullable(instant),
  decision: exceptionDecision,
  reason: v.string(),
  price: v.nullable(cents),
  /** The store whose stock the piece is, by name. Left out by sheets that were closed before it was kept, as are the next two. */
  expected_store: v.optional(v.nullable(v.string())),
  /** The tablet that counted it, as people call it. */
  device: v.optional(v.nullable(v.string())),
  /** List cost, for those who may see costs; null for everyone else. */
  cost: v.optional(v.nullable(cents)),
})
export type CountLine = v.InferOutput<typeof countLine>

/** The tablets without which a sheet is closed, by id: two tablets may have one name. */
export const overrideDevices = v.pipe(v.array(uuid), v.maxLength(200))

const idCountSheet = v.object({ id: uuid })
const sheetQuery = v.object({ id_count_sheet: uuid })

export const countSheetEndpoints = {
  listCountSheets: endpoint({
    method: 'GET',
    path: '/api/inventory/count_sheets',
    summary: 'The count sheets of the store, newest first',
    access: 'count.scan',
    response: v.object({ count_sheets: v.array(countSheet) }),
  }),
  createCountSheet: endpoint({
    method: 'POST',
    path: '/api/inventory/count_sheets',
    summary: 'A new count sheet; the frames that match its scope now are what it expects',
    access: 'count.scan',
    body: v.object({
      id_count_sheet: v.optional(uuid),
      scope: v.optional(countScope),
      notes: v.optional(text(2000)),
      blind: v.optional(v.boolean()),
    }),
    response: countSheet,
    refuses: ['count-scope-empty', 'key-reused'],
  }),
  deleteCountSheet: endpoint({
    method: 'DELETE',
    path: '/api/inventory/count_sheets',
    summary: 'Deletes an open count sheet; its events are kept at the server for the record',
    access: 'count.scan',
    body: v.object({ id_count_sheet: uuid }),
    response: done,
    refuses: ['count-unknown', 'count-closed', 'count-not-empty', 'permission-missing'],
  }),
  viewCountSheet: endpoint({
    method: 'GET',
    path: '/api/inventory/count_sheets/{id}',
    summary: 'One count sheet with the tablets that work on it',
    access: 'count.scan',
    params: idCountSheet,
    response: v.object({ ...countSheet.entries, devices: v.array(countDevice) }),
    refuses: ['count-unknown'],
  }),
  noteCountSheet: endpoint({
    method: 'PUT',
    path: '/api/inventory/count_sheets/{id}',
    summary: 'Replaces the notes of a count sheet',
    access: 'count.scan',
    params: idCountSheet,
    body: v.object({ notes: text(2000) }),
    response: countSheet,
    refuses: ['count-unknown', 'count-closed'],
  }),
  listCountItems: endpoint({
    method: 'GET',
    path: '/api/inventory/count_sheets/items',
    summary: 'The lines of a sheet: as closing left them, or for an open one as closing it now would make them',
    access: 'count.scan',
    query: sheetQuery,
    response: v.object({ id_count_sheet: uuid, items: v.array(countLine) }),
    refuses: ['count-unknown', 'permission-missing'],
  }),
  addCountItem: endpoint({
    method: 'POST',
    path: '/api/inventory/count_sheets/items',
    summary: 'Counts one code on a sheet',
    access: 'count.scan',
    body: v.object({ id_count_sheet: uuid, code, via: v.optional(scanVia) }),
    response: countScan,
    refuses: ['count-unknown', 'count-closed', 'key-reused'],
  }),
  deleteCountItem: endpoint({
    method: 'DELETE',
    path: '/api/inventory/count_sheets/items',
    summary: 'Undoes one scan by adding the event that negates it',
    access: 'count.scan',
    body: v.object({ id_count_sheet: uuid, item_id: uuid }),
    response: done,
    refuses: ['count-unknown', 'count-closed', 'scan-unknown', 'scan-foreign'],
  }),
  closeCountSheet: endpoint({
    method: 'POST',
    path: '/api/inventory/count_sheets/close/{id}',
    summary: 'Closes a sheet: what was expected, not counted and not moved becomes Missing',
    access: 'count.close',
    params: idCountSheet,
    body: v.object({
      confirmed_missing: v.pipe(v.number(), v.integer(), v.minValue(0)),
      override_devices: v.optional(v.nullable(overrideDevices)),
      searched: v.optional(v.boolean()),
    }),
    response: countSheet,
    refuses: ['count-unknown', 'count-closed', 'count-number-wrong', 'count-devices-unsent', 'count-exceptions-open'],
  }),
} as const
