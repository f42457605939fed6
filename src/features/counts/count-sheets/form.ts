import * as v from 'valibot'
import type { CountScope } from '#contract/counts/count-sheets.ts'
import { wholeStore } from '#contract/counts/count-sheets.ts'
import { type InventoryStatus, inventoryStatuses } from '#contract/stock/frames.ts'
import { readAs } from '#src/sync/device/read-as.ts'
import { centsOf, notAnAmount } from '#src/ui/forms/typed-money.ts'

/** The typed fields of a new count. */
export type ScopeForm = {
  kind: 'store' | 'part'
  brands: ReadonlySet<number>
  vendors: ReadonlySet<number>
  statuses: ReadonlySet<InventoryStatus>
  priceFrom: string
  priceTo: string
}

export const emptyScope: ScopeForm = {
  kind: 'store',
  brands: new Set(),
  vendors: new Set(),
  statuses: new Set(),
  priceFrom: '',
  priceTo: '',
}

/** The draft of a new count. The device keeps it until the count is made. */
const newCount = v.object({
  kind: v.picklist(['store', 'part']),
  brands: v.array(v.number()),
  vendors: v.array(v.number()),
  statuses: v.array(v.picklist(inventoryStatuses)),
  priceFrom: v.string(),
  priceTo: v.string(),
  notes: v.string(),
  blind: v.boolean(),
})
export type NewCount = v.InferOutput<typeof newCount>
export const readNewCount = readAs(newCount)

export function newCountOf({ brands, vendors, statuses, ...scope }: ScopeForm, more: { notes: string; blind: boolean }): NewCount {
  return { ...scope, brands: [...brands], vendors: [...vendors], statuses: [...statuses], ...more }
}

export function scopeOf({ brands, vendors, statuses, notes: _notes, blind: _blind, ...scope }: NewCount): ScopeForm {
  return { ...scope, brands: new Set(brands), vendors: new Set(vendors), statuses: new Set(statuses) }
}

/** Returns the form's scope, or the wrong field and its problem. */
export function readScope(form: ScopeForm): { scope: CountScope } | { problem: { field: 'priceFrom' | 'priceTo'; message: string } } {
  if (form.kind === 'store') return { scope: wholeStore }
  const from = centsOf(form.priceFrom)
  const to = centsOf(form.priceTo)
  if (from === undefined) return { problem: { field: 'priceFrom', message: notAnAmount } }
  if (to === undefined) return { problem: { field: 'priceTo', message: notAnAmount } }
  if (from !== null && to !== null && from > to) return { problem: { field: 'priceTo', message: 'The maximum price is below the minimum' } }
  return {
    scope: {
      brand_ids: [...form.brands].sort((a, b) => a - b),
      vendor_ids: [...form.vendors].sort((a, b) => a - b),
      statuses: [...form.statuses],
      price_min_cents: from,
      price_max_cents: to,
    },
  }
}

/** The reasons that explain most differences. */
export const decisionReasons = [
  'Sold, not rung up',
  'Wrong store',
  'In the lab tray',
  'On loan to the doctor',
  'Broken',
  'Stolen',
  'Data error',
  'Label unreadable',
  'Other',
] as const
