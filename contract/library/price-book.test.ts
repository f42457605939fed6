import { describe, expect, test } from 'vitest'
import { type BookPrices, changedBook, priced } from '#contract/library/price-book.ts'

const fixed = (cents: number | null, more: Partial<BookPrices> = {}): BookPrices => ({
  list_cost: 10_000,
  discount_pct: 10,
  msrp: null,
  rule: { kind: 'fixed', cents },
  ...more,
})
const markup = (factor: number, more: Partial<BookPrices> = {}): BookPrices =>
  fixed(null, { rule: { kind: 'markup', factor, ending: '.95' }, ...more })

describe('what follows from what was entered', () => {
  test('the net cost is the list cost without the discount; a fixed price is what it is', () => {
    expect(priced(fixed(25_000))).toEqual({ net_cost: 9000, selling_price: 25_000, problem: null })
    expect(priced(fixed(null, { list_cost: null }))).toEqual({ net_cost: null, selling_price: null, problem: null })
  })

  test('a rule makes the price from the net cost, with its ending, and asks for a cost', () => {
    expect(priced(markup(2.5))).toEqual({ net_cost: 9000, selling_price: 22_495, problem: null })
    expect(priced(markup(2.5, { list_cost: null })).problem).toBe('No cost on file')
    expect(priced(markup(100, { list_cost: 10_000_000_000 })).problem).toBe('The price would be too high')
  })
})

describe('changes of many prices', () => {
  test('a price that is set or moved is fixed from then on, also where a rule made it', () => {
    expect(changedBook(fixed(20_000), { kind: 'percent', percent: 5, ending: '.00' }).after?.rule).toEqual({ kind: 'fixed', cents: 21_000 })
    expect(changedBook(markup(2.5), { kind: 'amount', cents: -495, ending: 'exact' }).after?.rule).toEqual({ kind: 'fixed', cents: 22_000 })
    expect(changedBook(fixed(null), { kind: 'percent', percent: 5, ending: 'exact' }).problem).toBe('No price on file')
  })

  test('× net cost becomes the rule', () => {
    expect(changedBook(fixed(1), { kind: 'markup', factor: 3, ending: '.00' }).after).toEqual(
      fixed(null, { rule: { kind: 'markup', factor: 3, ending: '.00' } }),
    )
    expect(changedBook(fixed(1, { list_cost: null }), { kind: 'markup', factor: 3, ending: '.00' }).problem).toBe('No cost on file')
  })

  test('a new list cost or discount carries the price that follows it, and leaves a fixed one', () => {
    const raised = changedBook(markup(2.5), { kind: 'list', percent: 10 }).after
    expect(raised && priced(raised)).toEqual({ net_cost: 9900, selling_price: 24_795, problem: null })
    const cheaper = changedBook(fixed(25_000), { kind: 'discount', discount_pct: 20 }).after
    expect(cheaper && priced(cheaper)).toEqual({ net_cost: 8000, selling_price: 25_000, problem: null })
    expect(changedBook(fixed(1, { list_cost: null }), { kind: 'list', percent: 10 }).problem).toBe('No list cost on file')
    expect(changedBook(fixed(1), { kind: 'list', percent: -10 }).after?.list_cost).toBe(9000)
  })
})
