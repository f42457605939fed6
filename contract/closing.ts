import type { CountItem, ExceptionDecision } from '#contract/count-sheets.ts'
import type { Frame, InventoryStatus } from '#contract/frames.ts'

/** What closing does to each piece of a sheet: the server closes with it, and a tablet foretells with it. */

export type CloseEffect =
  | { effect: 'none'; outcome: 'counted'; to: null; detail: string | null }
  | { effect: 'missing'; outcome: 'missing'; to: 'Missing'; detail: null }
  | { effect: 'found'; outcome: 'counted'; to: 'Ready for Sale'; detail: string }
  | { effect: 'received'; outcome: 'counted'; to: 'Ready for Sale'; detail: string }
  | { effect: 'explained'; outcome: 'explained'; to: null; detail: string }
  | { effect: 'exception'; outcome: 'set-aside'; to: InventoryStatus | null; detail: string }

/**
 * What closing does to one piece, judged by how the piece stands at that moment and never by the snapshot: a frame
 * sold during the count is explained by movement, not Missing.
 *
 * @param input.wasCounted a live scan of the current walk exists
 * @param input.expected   the frozen copy, when the piece was expected
 * @param input.now        how the piece stands; null when it is gone from the database
 * @param input.movedSince the piece changed after the snapshot
 */
export function closeEffectOf(input: {
  wasCounted: boolean
  expected: Pick<CountItem, 'id_inventory'> | null
  now: Pick<Frame, 'status' | 'store_id'> | null
  store_id: number
  movedSince: boolean
  storeName: (id: number) => string
  decision: ExceptionDecision
}): CloseEffect {
  const { now, wasCounted, expected } = input
  if (!wasCounted) {
    if (now === null) return { effect: 'explained', outcome: 'explained', to: null, detail: 'No longer in stock records' }
    if (now.store_id !== input.store_id)
      return { effect: 'explained', outcome: 'explained', to: null, detail: `Moved to ${input.storeName(now.store_id)}` }
    if (now.status === 'Ready for Sale' && !input.movedSince) return { effect: 'missing', outcome: 'missing', to: 'Missing', detail: null }
    if (now.status === 'Defective' && !input.movedSince) return { effect: 'missing', outcome: 'missing', to: 'Missing', detail: null }
    if (now.status === 'Missing') return { effect: 'explained', outcome: 'explained', to: null, detail: 'Already Missing' }
    return {
      effect: 'explained',
      outcome: 'explained',
      to: null,
      detail: now.status === 'Ready for Sale' ? 'Handled during the count' : now.status,
    }
  }
  if (now === null) return { effect: 'exception', outcome: 'set-aside', to: null, detail: 'No longer in stock records' }
  if (now.store_id !== input.store_id)
    return { effect: 'exception', outcome: 'set-aside', to: null, detail: `Belongs to ${input.storeName(now.store_id)}` }
  switch (now.status) {
    case 'Ready for Sale':
    case 'Defective':
      return { effect: 'none', outcome: 'counted', to: null, detail: expected ? null : 'Not part of this count' }
    case 'Missing':
      return { effect: 'found', outcome: 'counted', to: 'Ready for Sale', detail: 'Was Missing, found' }
    case 'ICT':
      return { effect: 'received', outcome: 'counted', to: 'Ready for Sale', detail: 'Was in transit, received' }
    case 'On Hold':
      return { effect: 'none', outcome: 'counted', to: null, detail: 'On hold' }
    case 'Sold':
      return { effect: 'exception', outcome: 'set-aside', to: null, detail: 'Sold: check the invoice' }
    case 'Removed':
      return {
        effect: 'exception',
        outcome: 'set-aside',
        to: input.decision === 'apply' ? 'Ready for Sale' : null,
        detail: 'Removed: place into stock?',
      }
  }
}

/**
 * Why a piece that nobody has found will not become Missing, as far as can be told before closing: it was sold, moved
 * or taken out since the sheet was made. Null when it is still to be looked for.
 *
 * @param now how this device knows the piece; null when it knows nothing of it, which explains nothing
 */
export function explainedByMovement(
  expected: Pick<CountItem, 'id_inventory' | 'status'>,
  now: Pick<Frame, 'status' | 'store_id'> | null,
  store_id: number,
  storeName: (id: number) => string,
): string | null {
  if (now === null || (now.store_id === store_id && now.status === expected.status)) return null
  const { effect, detail } = closeEffectOf({
    wasCounted: false,
    expected,
    now,
    store_id,
    // A device does not know when a piece changed, only that it did.
    movedSince: now.status !== expected.status,
    storeName,
    decision: 'undecided',
  })
  return effect === 'explained' ? detail : null
}
