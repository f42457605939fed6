import * as v from 'valibot'
import { code, instant, requiredText, rowId, text, uuid } from '#contract/primitives.ts'
import type { CommandKind } from '#contract/command-versions.ts'
import { patientChanges, patientInput } from '#contract/patient.ts'
import { countScope, exceptionDecision, overrideDevices, scanVia } from '#contract/count-sheets.ts'

export * from '#contract/command-versions.ts'

/**
 * A command is one thing a person did, made on a device, applied at the server exactly once.
 *
 * This file is the one list of commands; the versions of today stand beside it, in a file that a page has before the
 * shapes. A version is that of the body's shape: tablets come back after months with bodies of older versions, so a
 * change of shape adds a version and an entry to `upcasts`; it never changes the meaning of an old one.
 */

/** Measured at the device when the person acted. */
export const captured = v.object({
  /** The device's wall clock, as it stood. */
  wall: instant,
  /** IANA name of the device's time zone. */
  time_zone: v.pipe(v.string(), v.maxLength(64)),
  /** Server time minus device time in ms, as last measured; null when never measured. */
  server_offset_ms: v.nullable(v.pipe(v.number(), v.finite())),
  /** `performance.now()`-like ms since the device's app started: keeps order when the wall clock jumps. */
  monotonic_ms: v.pipe(v.number(), v.finite()),
})
export type Captured = v.InferOutput<typeof captured>

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
  'patient.create': v.object({ id_patient: uuid, patient: patientInput }),
  'patient.edit': v.object({ id_patient: uuid, changes: patientChanges }),
  /** A record was opened from the device's own mirror: kept with the record, as a view at the server is. */
  'patient.view': v.object({ id_patient: uuid, part: v.pipe(v.string(), v.maxLength(64)), reason: text(200), offline: v.boolean() }),
  'punch.record': v.object({
    username: requiredText(120, 'Username is required'),
    direction: v.picklist(['in', 'out']),
    /** HPKE (RFC 9180) to the server's key, base64url; the device cannot read it back. Its AAD is `punchSealContext`. */
    sealed_password: v.pipe(v.string(), v.maxLength(2048)),
    key_id: v.pipe(v.string(), v.maxLength(64)),
    store_id: v.nullable(rowId),
  }),
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
 * of a version 1 body. Empty as long as every kind is at its first version.
 */
export const upcasts: { [K in CommandKind]?: Record<number, (body: any) => unknown> } = {}

/** Lanes keep order inside themselves and never wait for each other. */
export type Lane = `count:${string}` | `patient:${string}` | `views:${string}` | `punch:${string}` | `discard:${string}`

/** A command that others of its lane depend on: when it needs attention, the lane waits for the person. */
export const laneBlockers: readonly CommandKind[] = ['count.create', 'patient.create']

/** A command as it travels. Its `id` is also the id of the row that it makes. */
export const wireCommand = v.object({
  id: uuid,
  lane: v.pipe(v.string(), v.maxLength(200)),
  /** Position within the lane on this device, from 1, without gaps: the server notices what is lost. */
  lane_seq: v.pipe(v.number(), v.integer(), v.minValue(1)),
  kind: v.pipe(v.string(), v.maxLength(64)),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  body: v.record(v.string(), v.unknown()),
  store_id: v.nullable(rowId),
  author: v.object({ id_user: v.nullable(rowId), name: v.pipe(v.string(), v.maxLength(200)) }),
  /** Null only for punches, which carry their own proof. */
  capture_token: v.nullable(v.pipe(v.string(), v.maxLength(4096))),
  device_id: uuid,
  captured,
})
export type WireCommand = v.InferOutput<typeof wireCommand>

/**
 * Commands whose body says something of a patient. A device never writes that down as it is: it seals the body to the server's key
 * (HPKE, RFC 9180), so that whoever finds the tablet, or brings the work for its author, cannot read it.
 */
export const sealedKinds: readonly CommandKind[] = ['patient.create', 'patient.edit']

/** What then stands in the body's place. */
export const sealedBody = v.strictObject({
  sealed: v.pipe(v.string(), v.maxLength(200_000)),
  key_id: v.pipe(v.string(), v.maxLength(64)),
})

/** The additional data of a sealed body: binds it to this command. */
export function commandSealContext(id: string, kind: string): string {
  return `lorgnette command ${id} ${kind}`
}

/** The additional data of the sealed password: binds it to this punch, so that it cannot be moved to another. */
export function punchSealContext(id: string, username: string, direction: 'in' | 'out'): string {
  return `lorgnette punch ${id} ${username} ${direction}`
}

export const captureTokenDays = 30
export const receiptDaysAtDevice = 30
