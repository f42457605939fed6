import type { Transaction } from 'kysely'
import { type BookedPrices, type BookPrices, priced } from '#contract/library/price-book.ts'
import { marginPct } from '#contract/stock/stock-money.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { PriceColumns } from '#server/platform/db/tables/library-tables.ts'

/** How tables keep the prices of models, and how the API returns them. */

export const noPrices: BookPrices = { list_cost: null, discount_pct: null, msrp: null, rule: { kind: 'fixed', cents: null } }

export const priceColumnNames = [
  'list_cost',
  'discount_pct',
  'net_cost',
  'msrp',
  'rule_factor',
  'rule_ending',
  'selling_price',
] as const satisfies (keyof PriceColumns)[]

/** The entered prices from a row. */
export function pricesOf(row: PriceColumns): BookPrices {
  const { list_cost, discount_pct, msrp, rule_factor, rule_ending, selling_price } = row
  const rule: BookPrices['rule'] =
    rule_factor === null || rule_ending === null
      ? { kind: 'fixed', cents: selling_price }
      : { kind: 'markup', factor: rule_factor, ending: rule_ending }
  return { list_cost, discount_pct, msrp, rule }
}

export function priceColumns(prices: BookPrices): PriceColumns {
  const { list_cost, discount_pct, msrp, rule } = prices
  const { net_cost, selling_price } = priced(prices)
  const { factor, ending } = rule.kind === 'markup' ? rule : { factor: null, ending: null }
  return { list_cost, discount_pct, net_cost, msrp, rule_factor: factor, rule_ending: ending, selling_price }
}

/** A factor and a price reveal the cost, so a reader without costs gets no rule either. */
export function bookedPricesOf(row: PriceColumns, withCosts: boolean): BookedPrices {
  const { msrp, selling_price, list_cost, discount_pct, net_cost } = row
  if (!withCosts) {
    return { list_cost: null, discount_pct: null, net_cost: null, msrp, rule: null, selling_price, margin_pct: null }
  }
  return {
    list_cost,
    discount_pct,
    net_cost,
    msrp,
    rule: pricesOf(row).rule,
    selling_price,
    margin_pct: marginPct(selling_price, net_cost),
  }
}

export function samePrices(one: BookPrices, other: BookPrices): boolean {
  const columns = [priceColumns(one), priceColumns(other)] as const
  return priceColumnNames.every((name) => columns[0][name] === columns[1][name])
}

type Writer = { at: string; id_user: number | null; rep: string }

/** Adds a row to the price history of every model whose prices changed. */
export async function recordPrices(
  trx: Transaction<Schema>,
  { at, id_user, rep }: Writer,
  models: readonly ({ id_model: number } & PriceColumns)[],
  id_price_change: string | null = null,
): Promise<void> {
  const chunk = 500
  for (let from = 0; from < models.length; from += chunk) {
    const rows = models.slice(from, from + chunk).map((model) => {
      const { id_model, list_cost, discount_pct, net_cost, msrp, rule_factor, rule_ending, selling_price } = model
      const prices = { list_cost, discount_pct, net_cost, msrp, rule_factor, rule_ending, selling_price }
      return { id_model, at, id_user, rep, id_price_change, ...prices }
    })
    await trx.insertInto('model_prices').values(rows).execute()
  }
}
