import type { CountScope } from '#contract/counts/count-sheets.ts'
import { formatMoney } from '#src/ui/format.ts'

export type Named = { id: number; name: string }

/** Returns a scope in words: `Whole store`, `Ray-Ban, Persol · from $120.00`. */
export function scopeInWords(scope: CountScope, brands: readonly Named[], vendors: readonly Named[]): string {
  const parts: string[] = []
  const names = (ids: readonly number[], list: readonly Named[], many: string) => {
    if (ids.length === 0) return
    const known = ids.map((id) => list.find((entry) => entry.id === id)?.name)
    const shown = known.filter((name) => name !== undefined)
    if (shown.length !== ids.length) parts.push(`${ids.length} ${many}`)
    else parts.push(shown.length > 3 ? `${shown.slice(0, 3).join(', ')} and ${shown.length - 3} more` : shown.join(', '))
  }
  names(scope.brand_ids, brands, scope.brand_ids.length === 1 ? 'brand' : 'brands')
  names(scope.vendor_ids, vendors, scope.vendor_ids.length === 1 ? 'vendor' : 'vendors')
  if (scope.statuses.length > 0) parts.push(scope.statuses.join(', '))
  const { price_min_cents: from, price_max_cents: to } = scope
  if (from !== null && to !== null) parts.push(`${formatMoney(from)} to ${formatMoney(to)}`)
  else if (from !== null) parts.push(`from ${formatMoney(from)}`)
  else if (to !== null) parts.push(`up to ${formatMoney(to)}`)
  return parts.length === 0 ? 'Whole store' : parts.join(' · ')
}
