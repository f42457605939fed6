import * as v from 'valibot'
import { instant, rowId, uuid } from '#contract/core/primitives.ts'

/** A command of any kind, as a device handles it. The bodies are in `commands.ts`, which no screen needs as a whole. */

/** Measured at the device when the person acted. */
export const captured = v.object({
  /** The reading of the device's clock. */
  wall: instant,
  /** IANA name of the device's time zone. */
  time_zone: v.pipe(v.string(), v.maxLength(64)),
  /** Server time minus device time in ms, by the last measurement; null when never measured. */
  server_offset_ms: v.nullable(v.pipe(v.number(), v.finite())),
  /** `performance.now()`-like ms since the device's app started: keeps order when the wall clock jumps. */
  monotonic_ms: v.pipe(v.number(), v.finite()),
})
export type Captured = v.InferOutput<typeof captured>

/** A command as it travels. Its `id` is also the id of the row that it makes. */
export const wireCommand = v.object({
  id: uuid,
  lane: v.pipe(v.string(), v.maxLength(200)),
  /** Position within the lane on this device, from 1, without gaps: the server notices a lost command. */
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
  /** The signature of `signedText`, by the key in the capture token: ECDSA P-256 with SHA-256, base64url. */
  signature: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(128)))),
})
export type WireCommand = v.InferOutput<typeof wireCommand>

/** The body of a command whose own body was sealed; see `sealedKinds`. */
export const sealedBody = v.strictObject({
  sealed: v.pipe(v.string(), v.maxLength(200_000)),
  key_id: v.pipe(v.string(), v.maxLength(64)),
})

/** The additional data of a sealed body: binds it to this command. */
export function commandSealContext(id: string, kind: string): string {
  return `lorgnette command ${id} ${kind}`
}

/** The additional data of the sealed password: binds it to this punch, so that nobody can move it to another. */
export function punchSealContext(id: string, username: string, direction: 'in' | 'out'): string {
  return `lorgnette punch ${id} ${username} ${direction}`
}

export const captureTokenDays = 30
export const receiptDaysAtDevice = 30
