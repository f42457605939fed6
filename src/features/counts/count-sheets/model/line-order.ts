import type { CountLine } from '#contract/counts/count-sheets.ts'

/** The orders of a sheet's lines, in the words of the screen. */
export const lineOrders = {
  outcome: 'What happened',
  brand: 'Brand',
  model: 'Model',
  sku: 'Tag',
  price: 'Price, highest first',
  counted_by: 'Who counted',
  counted_at: 'When counted',
} as const
export type LineOrder = keyof typeof lineOrders
export const lineOrderKeys: readonly LineOrder[] = ['outcome', 'brand', 'model', 'sku', 'price', 'counted_by', 'counted_at']

const outcomes: readonly CountLine['outcome'][] = ['missing', 'set-aside', 'unknown', 'explained', 'counted']

const compare: Record<LineOrder, (a: CountLine, b: CountLine) => number> = {
  outcome: (a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome),
  brand: (a, b) => text(a.brand_name, b.brand_name),
  model: (a, b) => text(a.title_product, b.title_product) || text(a.title_variant, b.title_variant),
  sku: (a, b) => text(a.sku ?? a.raw_code, b.sku ?? b.raw_code),
  price: (a, b) => (b.price ?? -1) - (a.price ?? -1),
  counted_by: (a, b) => text(a.counted_by, b.counted_by),
  counted_at: (a, b) => text(a.counted_at, b.counted_at),
}

/** Sorts the lines by one column, and where it is equal by another. Unknown values come last. */
export function inLineOrder(lines: readonly CountLine[], first: LineOrder, then: LineOrder): CountLine[] {
  return [...lines].sort((a, b) => compare[first](a, b) || compare[then](a, b) || compare.sku(a, b))
}

function text(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -1 : 1
}
