import * as v from 'valibot'
import { rowId, text, uuid } from '#contract/core/primitives.ts'
import { controlFlags, inventoryStatus } from '#contract/stock/frames.ts'
import type { stockCommandKinds } from '#contract/stock/stock-command-kinds.ts'
import { mostTransferred, transferReasons } from '#contract/stock/transfers.ts'

/** What each command of frames, labels and transfers says. */
export const stockCommandBodies = {
  'frame.change-state': v.object({
    id_inventory: rowId,
    action: v.picklist(controlFlags),
    note: text(1000),
    /** How the frame stood when it was chosen: the server does nothing to one that stands otherwise by then. */
    seen: v.object({ status: inventoryStatus, store_id: rowId }),
  }),
  /** The label of a piece is missing or unreadable. Its id is the request's. */
  'label.request': v.object({ id_inventory: rowId }),
  /** A draft of a transfer from the command's store, and what is put on it and taken off it, piece by piece. */
  'transfer.begin': v.object({ id_transfer: uuid, to_store_id: rowId, reason: v.picklist(transferReasons), note: text(500) }),
  'transfer.put': v.object({ id_transfer: uuid, id_inventory: rowId, on: v.boolean() }),
  /** The draft leaves with just these pieces, as its author saw them. */
  'transfer.send': v.object({ id_transfer: uuid, items: v.pipe(v.array(rowId), v.minLength(1), v.maxLength(mostTransferred)) }),
} as const satisfies Record<keyof typeof stockCommandKinds, v.GenericSchema>
