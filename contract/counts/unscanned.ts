import type { CloseEffect } from '#contract/counts/close-effect.ts'
import type { CountItem } from '#contract/counts/count-sheets.ts'
import type { Frame } from '#contract/stock/frames.ts'

type Unscanned = {
  now: Pick<Frame, 'status' | 'store_id'> | null
  store_id: number
  /** The piece changed after the snapshot. */
  movedSince: boolean
  storeName: (id: number) => string
}

/** Returns the effect of closing on a piece that nobody scanned. A screen that counts needs only this part of closing. */
export function effectOnUnscanned({ now, store_id, movedSince, storeName }: Unscanned): CloseEffect {
  const explained = (detail: string): CloseEffect => ({ effect: 'explained', outcome: 'explained', to: null, detail })
  if (now === null) return explained('No longer in stock records')
  if (now.store_id !== store_id) return explained(`Moved to ${storeName(now.store_id)}`)
  if (now.status === 'Missing') return explained('Already Missing')
  const isOnBoards = now.status === 'Ready for Sale' || now.status === 'Defective'
  if (isOnBoards && !movedSince) return { effect: 'missing', outcome: 'missing', to: 'Missing', detail: null }
  return explained(now.status === 'Ready for Sale' ? 'Handled during the count' : now.status)
}

/**
 * Returns why a piece that nobody found will not become Missing, as far as the device can know before closing: it was sold,
 * moved or removed since the sheet was made. Returns null while the piece is still to be found.
 *
 * @param now the piece as this device has it; null, which explains nothing, when the device does not have it
 */
export function explainedByMovement(
  expected: Pick<CountItem, 'id_inventory' | 'status'>,
  now: Pick<Frame, 'status' | 'store_id'> | null,
  store_id: number,
  storeName: (id: number) => string,
): string | null {
  if (now === null || (now.store_id === store_id && now.status === expected.status)) return null
  // A device does not know when a piece changed, only that it did.
  const movedSince = now.status !== expected.status
  const { effect, detail } = effectOnUnscanned({ now, store_id, movedSince, storeName })
  return effect === 'explained' ? detail : null
}
