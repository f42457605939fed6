import type { CountScan, CountScope, ScanFinding } from '#contract/counts/count-sheets.ts'
import type { Frame, InventoryStatus } from '#contract/stock/frames.ts'

/**
 * The rules of counting, as pure functions. The server reads scans with them, and every tablet draws with them.
 * `count-ledger.ts` folds a sheet; `closing.ts` has the effects of closing it.
 */

/** Statuses that a whole-store count expects on the boards. */
export const expectedStatuses: readonly InventoryStatus[] = ['Ready for Sale', 'Defective']

/** Returns true when the sheet expects this frame of its own store. */
export function isInScope(frame: Pick<Frame, 'status' | 'brand_id' | 'vendor_id' | 'pb_selling_price'>, scope: CountScope): boolean {
  const statuses = scope.statuses.length > 0 ? scope.statuses : expectedStatuses
  const { price_min_cents: least, price_max_cents: most } = scope
  return (
    statuses.includes(frame.status) &&
    (scope.brand_ids.length === 0 || scope.brand_ids.includes(frame.brand_id)) &&
    (scope.vendor_ids.length === 0 || scope.vendor_ids.includes(frame.vendor_id)) &&
    // A frame without a price is in no price range. The server compares alike.
    (least === null || (frame.pb_selling_price !== null && frame.pb_selling_price >= least)) &&
    (most === null || (frame.pb_selling_price !== null && frame.pb_selling_price <= most))
  )
}

/** Returns the meaning of a known piece's scan for a sheet, judged by the piece's state now. */
export function findingOf(
  frame: Pick<Frame, 'store_id' | 'status'>,
  sheet: { store_id: number },
  isExpected: boolean,
  storeName: (id: number) => string,
): { finding: ScanFinding; detail: string | null } {
  if (frame.store_id !== sheet.store_id) return { finding: 'set-aside', detail: `Belongs to ${storeName(frame.store_id)}` }
  switch (frame.status) {
    case 'Sold':
      return { finding: 'set-aside', detail: 'Sold' }
    case 'Removed':
      return { finding: 'set-aside', detail: 'Removed from stock' }
    case 'ICT':
      return { finding: 'set-aside', detail: 'In transit' }
    case 'Missing':
      return isExpected ? { finding: 'expected', detail: null } : { finding: 'set-aside', detail: 'Was Missing' }
    case 'On Hold':
      return isExpected ? { finding: 'expected', detail: null } : { finding: 'set-aside', detail: 'On hold' }
    case 'Ready for Sale':
    case 'Defective':
      return isExpected ? { finding: 'expected', detail: null } : { finding: 'set-aside', detail: 'Not part of this count' }
  }
}

/** The seven outcomes of a scan on the screen. */
export const scanOutcomes = ['counted', 'duplicate', 'set-aside', 'unknown', 'model-only', 'undone', 'not-recorded'] as const
export type ScanOutcome = (typeof scanOutcomes)[number]

/** Returns the key of an exception for decisions: the piece, or the scan when there is no piece. */
export function exceptionKey(scan: Pick<CountScan, 'id' | 'id_inventory'>): string {
  return scan.id_inventory === null ? `scan:${scan.id}` : `frame:${scan.id_inventory}`
}
