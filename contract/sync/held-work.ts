import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { instant, requiredText, rowId, uuid } from '#contract/core/primitives.ts'

/**
 * Why work waits for a manager:
 * `tablet-revoked` its tablet was revoked after the proof for it was given, `author-disabled` the account of its author has ended since,
 * `right-lost` its author had the right or the store then and does not now, `proof-old` an older app made it and its proof has run out.
 */
export const holdReason = v.picklist(['tablet-revoked', 'author-disabled', 'right-lost', 'proof-old'])
export type HoldReason = v.InferOutput<typeof holdReason>

/** One command that the server keeps for a manager, in the order in which it was made. */
export const heldCommand = v.object({
  id: uuid,
  kind: v.string(),
  /** The code that was scanned, or the tag of the frame; null where it is about something else. */
  code: v.nullable(v.string()),
  /** Of the count it belongs to, when the server has that count. */
  count_number: v.nullable(v.number()),
  author_id: rowId,
  author_name: v.string(),
  deliverer_name: v.string(),
  device_id: uuid,
  tablet_name: v.nullable(v.string()),
  store_id: rowId,
  store_name: v.string(),
  reason: holdReason,
  captured_at: instant,
  received_at: instant,
})
export type HeldCommand = v.InferOutput<typeof heldCommand>

/** The most commands that the list brings and that one decision settles. */
export const heldLimit = 500

export const heldWorkEndpoints = {
  listHeldWork: endpoint({
    method: 'GET',
    path: '/api/settings/held-work',
    summary: 'Work that waits for a manager of the stores one belongs to, oldest first',
    access: 'settings.tablets',
    response: v.object({ held: v.array(heldCommand), total: v.number() }),
  }),
  decideHeldWork: endpoint({
    method: 'POST',
    path: '/api/settings/held-work/decide',
    summary: 'Applies held work as its author’s, or discards it; a manager gives the reason',
    access: 'settings.tablets',
    body: v.object({
      ids: v.pipe(v.array(uuid), v.minLength(1), v.maxLength(heldLimit)),
      decision: v.picklist(['apply', 'discard']),
      reason: requiredText(500, 'Enter a reason'),
    }),
    response: v.object({
      decided: v.array(uuid),
      /** What could not be applied, with the server’s reason; it still waits. */
      refused: v.array(v.object({ id: uuid, code: v.string(), message: v.string() })),
    }),
  }),
} as const
