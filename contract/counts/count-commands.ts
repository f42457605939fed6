import * as v from 'valibot'
import { code, rowId, text, uuid } from '#contract/core/primitives.ts'
import type { countCommandKinds } from '#contract/counts/count-command-kinds.ts'
import { countScope, exceptionDecision, overrideDevices, scanVia } from '#contract/counts/count-sheets.ts'

/** What each command of counting says. */
export const countCommandBodies = {
  'count.create': v.object({
    id_count_sheet: uuid,
    scope: countScope,
    notes: text(2000),
    blind: v.boolean(),
  }),
  'count.scan': v.object({
    id_count_sheet: uuid,
    raw_code: code,
    /** The frame that the device found in its mirror. The server looks it up again and keeps both. */
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
} as const satisfies Record<keyof typeof countCommandKinds, v.GenericSchema>
