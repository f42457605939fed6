import * as v from 'valibot'
import type { BookChange } from '#contract/library/price-book.ts'
import { priceEndings, type PriceEnding } from '#contract/stock/stock-money.ts'
import { readAs } from '#src/sync/device/read-as.ts'
import { formatMoney } from '#src/ui/format.ts'
import { centsOf, notAnAmount } from '#src/ui/forms/typed-money.ts'

/** A change of many prices: the labels of its form, its typed values, and its description. */

type Kind = BookChange['kind']

export const changeKinds: readonly { value: Kind; label: string; field: string; hint: string }[] = [
  { value: 'percent', label: 'Price by percent', field: 'Percent', hint: 'For example 5, or -10 to lower prices' },
  { value: 'amount', label: 'Price by amount', field: 'Amount', hint: 'For example 5, or -2.50 to lower prices' },
  { value: 'set', label: 'Set one price', field: 'Price', hint: 'The same price for all' },
  { value: 'markup', label: 'Multiply net cost', field: 'Factor', hint: 'For example 2.5. The price then follows the cost.' },
  { value: 'list', label: 'List cost by percent', field: 'Percent', hint: 'For example 3. Prices that follow the cost change too.' },
  { value: 'discount', label: 'Vendor’s discount', field: 'Percent', hint: 'For example 12.5. Prices that follow the cost change too.' },
]

export const changeEndings = priceEndings.map((ending) => ({
  value: ending,
  label: ending === 'exact' ? 'No rounding' : `Ends in ${ending}`,
}))

export type ChangeForm = { kind: Kind; typed: string; ending: PriceEnding }

/** A price change, its day, and whether frames in stock follow. The device keeps it until it is saved. */
const planned = v.object({
  kind: v.picklist(changeKinds.map(({ value }) => value)),
  typed: v.string(),
  ending: v.picklist(priceEndings),
  day: v.string(),
  follows: v.boolean(),
})
export type PlannedChange = v.InferOutput<typeof planned>
export const readPlanned = readAs(planned)

export const hasEnding = (kind: Kind) => kind === 'percent' || kind === 'amount' || kind === 'markup'

/** Returns the typed change, or a text with its problem. */
export function readChange({ kind, typed, ending }: ChangeForm): BookChange | string {
  const minus = /^\s*[-−]/.test(typed)
  const bare = typed.replace(/^\s*[-−+]/, '')
  if (kind === 'set' || kind === 'amount') {
    const cents = centsOf(bare)
    if (typeof cents !== 'number' || (kind === 'set' && minus)) return notAnAmount
    return kind === 'set' ? { kind, cents } : { kind, cents: minus ? -cents : cents, ending }
  }
  if (!/^\s*\d{1,4}(\.\d{1,2})?\s*%?\s*$/.test(bare)) return 'Enter a number, like 5 or 2.5'
  const number = Number.parseFloat(bare) * (minus ? -1 : 1)
  if (kind === 'markup') return number >= 0.01 && number <= 100 ? { kind, factor: number, ending } : 'Enter a number from 0.01 to 100'
  if (kind === 'discount') return number >= 0 && number <= 100 ? { kind, discount_pct: number } : 'Enter a number from 0 to 100'
  if (number < -100 || number > 1000) return 'Enter a number from -100 to 1000'
  return kind === 'list' ? { kind, percent: number } : { kind, percent: number, ending }
}

/** Describes a change, like `Price +5%, ending in .95`. */
export function changeInWords(change: BookChange): string {
  const signed = (value: number, text: string) => `${value < 0 ? '−' : '+'}${text}`
  const ending = 'ending' in change && change.ending !== 'exact' ? `, ending in ${change.ending}` : ''
  if (change.kind === 'set') return `Price ${formatMoney(change.cents)}`
  if (change.kind === 'amount') return `Price ${signed(change.cents, formatMoney(Math.abs(change.cents)))}${ending}`
  if (change.kind === 'percent') return `Price ${signed(change.percent, String(Math.abs(change.percent)))}%${ending}`
  if (change.kind === 'markup') return `${change.factor} × net cost${ending}`
  if (change.kind === 'list') return `List cost ${signed(change.percent, String(Math.abs(change.percent)))}%`
  return `Vendor’s discount ${change.discount_pct}%`
}
