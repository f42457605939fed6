import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { frame } from '#contract/stock/frame.ts'
import { cents, code, instant, rowId, text, uuid } from '#contract/core/primitives.ts'

export * from '#contract/stock/frame.ts'

/** The frame record of the lookup: all fields of the mirror, and others that only the server has. */
export const frameRecord = v.object({
  ...frame.entries,
  store: v.string(),
  note: v.nullable(v.string()),
  notes: v.array(v.object({ at: instant, by: v.string(), text: v.string() })),
  id_model: v.nullable(rowId),
  /** The photo of its model. */
  id_photo: v.nullable(uuid),
  /** Null for users who may not see costs. */
  item_list_cost: v.nullable(cents),
  item_discount: v.nullable(v.number()),
  item_net: v.nullable(cents),
})
export type FrameRecord = v.InferOutput<typeof frameRecord>

/** The seven inventory-control actions, by their flag on the wire. */
export const controlFlags = [
  'state_defective',
  'state_remove',
  'state_remove_other',
  'state_return_in_stock',
  'state_return_vendor',
  'state_in_stock',
  'state_return_in_store_no_defect',
] as const
export type ControlFlag = (typeof controlFlags)[number]

const flagEntries = Object.fromEntries(controlFlags.map((flag) => [flag, v.optional(v.literal(true))])) as Record<
  ControlFlag,
  v.OptionalSchema<v.LiteralSchema<true, undefined>, undefined>
>

export const historyRow = v.object({
  rep: v.string(),
  action: v.string(),
  status: v.string(),
  store_info: v.object({ from_store: v.string(), to_store: v.string() }),
  stock: v.string(),
  date: instant,
  extra: v.string(),
})

export const itemHistory = v.object({
  general_info: v.object({
    defective: v.boolean(),
    store: v.string(),
    status: v.string(),
    in_stock: v.boolean(),
    receipt_add: v.nullable(v.object({ number: v.string(), date: instant })),
    patient: v.nullable(
      v.object({
        request: v.nullable(v.string()),
        order: v.nullable(v.string()),
        patient: v.nullable(v.string()),
        patient_invoice: v.nullable(v.string()),
      }),
    ),
  }),
  transaction_history: v.array(historyRow),
})
export type ItemHistory = v.InferOutput<typeof itemHistory>

const namedRow = v.object({ id: rowId, name: v.string() })
export const inventoryEndpoints = {
  lookUpFrame: endpoint({
    method: 'GET',
    path: '/api/inventory/lookup',
    summary: 'One frame by serial, F#, store tag, or the UPC of its model; where a UPC fits several, the answer lists them to choose from',
    access: 'frame.look-up',
    query: v.object({ sku: code }),
    response: frameRecord,
    refuses: ['frame-unknown', 'frame-not-one'],
  }),
  updateFrameState: endpoint({
    method: 'POST',
    path: '/api/inventory/update_state',
    summary: 'One of the seven inventory-control actions on a frame, with an optional note',
    access: 'frame.change-state',
    body: v.object({
      inventory_id: rowId,
      ...flagEntries,
      note: v.optional(text(1000)),
      /** The version that the user saw. When the server has a newer one, nothing happens. */
      version: v.optional(v.number()),
    }),
    response: frameRecord,
    refuses: ['frame-unknown', 'frame-changed', 'store-foreign', 'control-not-allowed', 'control-note-missing'],
  }),
  frameHistory: endpoint({
    method: 'GET',
    path: '/api/inventory/history',
    summary: 'What happened to a frame; `sku` is a store tag, a serial or an id_inventory',
    access: 'frame.look-up',
    query: v.object({ sku: code }),
    response: itemHistory,
    refuses: ['frame-unknown', 'frame-not-one'],
  }),
  brands: endpoint({
    method: 'GET',
    path: '/api/inventory/brands',
    summary: 'All brands',
    access: 'signed-in',
    response: v.object({ brands: v.array(v.object({ ...namedRow.entries, vendor_id: rowId })) }),
    cached: 'reference',
  }),
  vendors: endpoint({
    method: 'GET',
    path: '/api/inventory/vendors',
    summary: 'All vendors',
    access: 'signed-in',
    response: v.object({ vendors: v.array(namedRow) }),
    cached: 'reference',
  }),
  stores: endpoint({
    method: 'GET',
    path: '/api/inventory/stores',
    summary: 'All stores of the chain',
    access: 'signed-in',
    response: v.object({
      stores: v.array(v.object({ store_id: rowId, store_name: v.string(), short_name: v.string(), is_warehouse: v.boolean() })),
    }),
    cached: 'reference',
  }),
} as const
