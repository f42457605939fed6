import * as v from 'valibot'
import { code, requiredText, rowId, text, uuid } from '#contract/core/primitives.ts'
import type { CommandKind } from '#contract/sync/command-versions.ts'
import { punchBody } from '#contract/sync/command.ts'
import { controlFlags, inventoryStatus } from '#contract/stock/frames.ts'
import { patientCreation, patientEdit } from '#contract/patients/patient.ts'
import { mostTransferred, transferReasons } from '#contract/stock/transfers.ts'
import { mostReceived } from '#contract/receiving/vendor-invoice-rules.ts'
import { countScope, exceptionDecision, overrideDevices, scanVia } from '#contract/counts/count-sheets.ts'

export * from '#contract/sync/command.ts'
export * from '#contract/sync/command-versions.ts'

/**
 * A command is one thing a person did, made on a device, applied at the server exactly once.
 *
 * This file is the one list of commands; the versions of today stand beside it, in a file that a page has before the
 * shapes. A version is that of the body's shape: tablets come back after months with bodies of older versions, so a
 * change of shape adds a version and an entry to `upcasts`; it never changes the meaning of an old one.
 */

export const commandBodies = {
  'count.create': v.object({
    id_count_sheet: uuid,
    scope: countScope,
    notes: text(2000),
    blind: v.boolean(),
  }),
  'count.scan': v.object({
    id_count_sheet: uuid,
    raw_code: code,
    /** What the device resolved it to in its mirror; the server resolves anew and keeps both. */
    id_inventory: v.nullable(rowId),
    via: scanVia,
    /** The good scans just before and after an unknown code are how the piece is found on the board. */
    previous_scan: v.nullable(uuid),
  }),
  'count.undo': v.object({ id_count_sheet: uuid, negates: uuid }),
  'count.note': v.object({ id_count_sheet: uuid, notes: text(2000) }),
  'count.decide': v.object({
    id_count_sheet: uuid,
    /** The exception: a frame, or an unknown code by its scan. */
    id_inventory: v.nullable(rowId),
    id_scan: v.nullable(uuid),
    decision: exceptionDecision,
    reason: text(500),
  }),
  'count.recount': v.object({ id_count_sheet: uuid }),
  'count.close': v.object({
    id_count_sheet: uuid,
    /** The number the person typed: how many frames become Missing. */
    confirmed_missing: v.pipe(v.number(), v.integer(), v.minValue(0)),
    /** A manager's word that these devices hold nothing more; null when none is overridden. */
    override_devices: v.nullable(overrideDevices),
    searched: v.boolean(),
  }),
  'count.delete': v.object({ id_count_sheet: uuid }),
  'frame.change-state': v.object({
    id_inventory: rowId,
    action: v.picklist(controlFlags),
    note: text(1000),
    /** How the frame stood when it was chosen: the server does nothing to one that stands otherwise by then. */
    seen: v.object({ status: inventoryStatus, store_id: rowId }),
  }),
  /** The label of a piece is missing or unreadable. Its id is the request's. */
  'label.request': v.object({ id_inventory: rowId }),
  'patient.create': patientCreation,
  'patient.edit': patientEdit,
  /** A record was opened from the device's own mirror: kept with the record, as a view at the server is. */
  'patient.view': v.object({ id_patient: uuid, part: v.pipe(v.string(), v.maxLength(64)), reason: text(200), offline: v.boolean() }),
  /** A draft of a transfer from the command's store, and what is put on it and taken off it, piece by piece. */
  'transfer.begin': v.object({ id_transfer: uuid, to_store_id: rowId, reason: v.picklist(transferReasons), note: text(500) }),
  'transfer.put': v.object({ id_transfer: uuid, id_inventory: rowId, on: v.boolean() }),
  /** The draft leaves with just these pieces, as its author saw them. */
  'transfer.send': v.object({ id_transfer: uuid, items: v.pipe(v.array(rowId), v.minLength(1), v.maxLength(mostTransferred)) }),
  /** What a vendor delivered was scanned. Under `receive_id` it is received once, by this command or by the call whose answer was lost. */
  'vendor-invoice.receive': v.pipe(
    v.object({
      id_vendor_invoice: uuid,
      receive_id: uuid,
      code: v.nullable(code),
      id_model: v.nullable(rowId),
      /** The UPC of the label, which nobody knew: the chosen model's from now on. */
      learn: v.nullable(code),
      quantity: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostReceived)),
      /** A person keeps it although it is not what the paper says. Apps before version 2 never asked: what they send is received. */
      confirmed: v.optional(v.boolean(), true),
    }),
    v.check((asked) => (asked.code === null) !== (asked.id_model === null), 'needs either a code or a model'),
    v.check(({ id_model, learn }) => learn === null || id_model !== null, 'a UPC is learned for a model'),
  ),
  'punch.record': punchBody,
  /** A person gave a command up: the server keeps the fact, the reason and what was given up. */
  'command.discard': v.object({
    discarded_id: uuid,
    discarded_kind: v.pipe(v.string(), v.maxLength(64)),
    discarded_body: v.record(v.string(), v.unknown()),
    reason: requiredText(500),
  }),
} as const satisfies Record<CommandKind, v.GenericSchema>

export type CommandBody<K extends CommandKind> = v.InferOutput<(typeof commandBodies)[K]>

/**
 * How a body of an older version becomes one of the next: `upcasts['count.scan'][1]` makes a version 2 body
 * of a version 1 body.
 */
export const upcasts: { [K in CommandKind]?: Record<number, (body: any) => unknown> } = {
  'vendor-invoice.receive': { 1: (body: Record<string, unknown>) => ({ ...body, confirmed: true }) },
}
