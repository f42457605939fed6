import * as v from 'valibot'
import { shareOf } from '#contract/money/invoice-money.ts'
import { cents } from '#contract/core/primitives.ts'

/** Costs and prices of frames. Whole cents everywhere; every share is rounded once. */

/** The endings of prices on the label. `exact` leaves the cents as calculated. */
export const priceEndings = ['exact', '.00', '.95'] as const
export type PriceEnding = (typeof priceEndings)[number]

/** A percentage with at most two decimals, as in a vendor's list. */
export const discountPct = v.pipe(
  v.number(),
  v.minValue(0, 'must be 0 to 100'),
  v.maxValue(100, 'must be 0 to 100'),
  v.check((given) => Math.abs(given * 100 - Math.round(given * 100)) < 1e-6, 'has at most two decimals'),
)

const ending = v.picklist(priceEndings)

/** A change of one price or many: to an amount, by an amount, by a share, or to a multiple of the frame's cost. */
export const priceChange = v.variant('kind', [
  v.object({ kind: v.literal('set'), cents }),
  v.object({
    kind: v.literal('amount'),
    cents: v.pipe(v.number(), v.integer(), v.minValue(-10_000_000), v.maxValue(10_000_000)),
    ending,
  }),
  v.object({ kind: v.literal('percent'), percent: v.pipe(v.number(), v.minValue(-100), v.maxValue(1000)), ending }),
  v.object({ kind: v.literal('markup'), factor: v.pipe(v.number(), v.minValue(0.01), v.maxValue(100)), ending }),
])
export type PriceChange = v.InferOutput<typeof priceChange>

/**
 * Returns the price paid for a piece: its list price less the vendor's discount. Null while the list price is unknown.
 */
export function netCost(listCents: number | null, discountPct: number | null): number | null {
  return listCents === null ? null : listCents - shareOf(listCents, discountPct ?? 0)
}

/** Returns the nearest price with this ending, the higher of two that are equally near; never below zero. */
export function endingIn(price: number, ending: PriceEnding): number {
  if (ending === 'exact') return Math.max(0, price)
  const cents = ending === '.95' ? 95 : 0
  return Math.max(cents, Math.round((price - cents) / 100) * 100 + cents)
}

/** A changed price, or why it cannot change that way, in words. */
export type ChangedPrice = { price: number; problem: null } | { price: null; problem: string }

/** Returns one frame's price after a change. */
export function changedPrice(frame: { pb_selling_price: number | null; item_net: number | null }, change: PriceChange): ChangedPrice {
  if (change.kind === 'set') return { price: change.cents, problem: null }
  if (change.kind === 'markup') {
    if (frame.item_net === null) return { price: null, problem: 'No cost on file' }
    return limited(endingIn(shareOf(frame.item_net, change.factor * 100), change.ending))
  }
  const before = frame.pb_selling_price
  if (before === null) return { price: null, problem: 'No price on file' }
  return limited(endingIn(before + (change.kind === 'amount' ? change.cents : signedShare(before, change.percent)), change.ending))
}

/** A reduction rounds like an increase. */
function signedShare(cents: number, percent: number): number {
  return percent < 0 ? shareOf(-cents, -percent) : shareOf(cents, percent)
}

function limited(price: number): ChangedPrice {
  return v.is(cents, price) ? { price, problem: null } : { price: null, problem: 'The price would be too high' }
}

/**
 * Returns the part of a price that is left when the frame is paid, in percent with one decimal; null when either is
 * unknown.
 */
export function marginPct(price: number | null, net: number | null): number | null {
  return price === null || net === null || price === 0 ? null : Math.round(((price - net) * 1000) / price) / 10
}
