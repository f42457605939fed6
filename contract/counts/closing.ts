import type { CloseEffect } from '#contract/counts/close-effect.ts'
import type { ExceptionDecision } from '#contract/counts/count-sheets.ts'
import type { Frame } from '#contract/stock/frames.ts'
import type { Standing } from '#contract/counts/scan-lists.ts'
import { effectOnUnscanned } from '#contract/counts/unscanned.ts'

/**
 * What closing does to one piece. The outcome repeats what the count screen says of the piece: counted, set aside, or
 * not scanned. The effect is judged by how the piece stands at that moment and never by the snapshot: a frame sold
 * during the count is explained by movement, not Missing.
 *
 * @param input.standing   as what the live scan of the current walk stands; null when nobody scanned the piece
 * @param input.now        how the piece stands; null when it is gone from the database
 * @param input.movedSince the piece changed after the snapshot
 */
export function closeEffectOf(input: {
  standing: Exclude<Standing, 'unknown'> | null
  now: Pick<Frame, 'status' | 'store_id'> | null
  store_id: number
  movedSince: boolean
  storeName: (id: number) => string
  decision: ExceptionDecision
}): CloseEffect {
  const { now, standing } = input
  if (standing === null) return effectOnUnscanned(input)
  const where = whereNow(input)
  if (where.effect !== 'exception') return { ...where, outcome: standing }
  // It was where it belonged, and left afterwards: a sale in the middle of the count, not a riddle.
  if (standing === 'counted') return { effect: 'none', outcome: 'counted', to: null, detail: `${where.detail} (after it was counted)` }
  const isPutBack = now?.status === 'Removed' && now.store_id === input.store_id && input.decision === 'apply'
  return { effect: 'exception', outcome: 'set-aside', to: isPutBack ? 'Ready for Sale' : null, detail: where.detail }
}

type Where =
  | { effect: 'none'; to: null; detail: string | null }
  | { effect: 'found' | 'received'; to: 'Ready for Sale'; detail: string }
  | { effect: 'exception'; detail: string }

/** Where the records have a piece that was held in a hand here. */
function whereNow({ standing, now, store_id, storeName }: Parameters<typeof closeEffectOf>[0]): Where {
  if (now === null) return { effect: 'exception', detail: 'No longer in stock records' }
  if (now.store_id !== store_id) return { effect: 'exception', detail: `Belongs to ${storeName(now.store_id)}` }
  switch (now.status) {
    case 'Ready for Sale':
    case 'Defective':
      return { effect: 'none', to: null, detail: standing === 'counted' ? null : 'Not part of this count' }
    case 'Missing':
      return { effect: 'found', to: 'Ready for Sale', detail: 'Was Missing, found' }
    case 'ICT':
      return { effect: 'received', to: 'Ready for Sale', detail: 'Was in transit, received' }
    case 'On Hold':
      return { effect: 'none', to: null, detail: 'On hold' }
    case 'Sold':
      return { effect: 'exception', detail: 'Sold: check the invoice' }
    case 'Removed':
      return { effect: 'exception', detail: 'Removed: put back in stock?' }
  }
}

/** What a line does that a person skipped: nothing, it is left for the next count. */
export function leftAlone(effect: CloseEffect): CloseEffect {
  if (effect.effect === 'missing') return { effect: 'explained', outcome: 'explained', to: null, detail: 'Left for the next count' }
  if (effect.outcome === 'counted') return { effect: 'none', outcome: 'counted', to: null, detail: effect.detail }
  return { effect: 'exception', outcome: 'set-aside', to: null, detail: effect.detail ?? 'Left for the next count' }
}
