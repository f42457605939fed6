import type { CountScope, CountSheet } from '#contract/counts/count-sheets.ts'

export type LastCount = { number: number | null; closed_at: string; share: number; isSameScope: boolean }

/**
 * Returns the newest count that was closed before this one, of the same frames when there is one. `share` is the part
 * of the expected pieces that was marked Missing, 0 to 1. Null when nothing comparable was closed.
 */
export function lastCountBefore(sheet: CountSheet, sheets: readonly CountSheet[]): LastCount | null {
  const before = sheets
    .flatMap(({ id_count_sheet, number, closed_at, result, scope, store_id }) => {
      const isEarlier = closed_at !== null && (sheet.closed_at === null || closed_at < sheet.closed_at)
      if (id_count_sheet === sheet.id_count_sheet || store_id !== sheet.store_id || !isEarlier || !result?.expected) return []
      return [{ number, closed_at, share: result.missing / result.expected, isSameScope: keyOf(scope) === keyOf(sheet.scope) }]
    })
    .sort((a, b) => Number(b.isSameScope) - Number(a.isSameScope) || (a.closed_at < b.closed_at ? 1 : -1))
  return before[0] ?? null
}

function keyOf({ brand_ids, vendor_ids, statuses, price_min_cents, price_max_cents }: CountScope): string {
  const sorted = [brand_ids, vendor_ids].map((ids) => ids.toSorted((a, b) => a - b))
  return JSON.stringify([sorted, statuses.toSorted(), price_min_cents, price_max_cents])
}
