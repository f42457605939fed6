import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { changedPrice, discountPct, endingIn, marginPct, netCost, priceChange } from '#contract/stock/stock-money.ts'

const frame = { pb_selling_price: 12_900, item_net: 4455 }

describe('what a frame costs', () => {
  test.each([
    [4950, 10, 4455],
    [4950, null, 4950],
    [4950, 100, 0],
    [null, 10, null],
    // Half a cent of discount counts as a whole one, also where binary fractions fall short of it.
    [50, 1, 49],
    [150, 33.33, 100],
    [1005, 10, 904],
    [100_000_000_00, 12.5, 87_500_000_00],
  ])('%s with %s %% off is %s', (list, discount, net) => {
    expect(netCost(list, discount)).toBe(net)
  })

  test('a discount is 0 to 100 with two decimals', () => {
    for (const right of [0, 100, 12.5, 33.33, 8.1, 0.07]) expect(v.is(discountPct, right)).toBe(true)
    for (const wrong of [-0.01, 100.01, 33.333, Number.NaN, Infinity, '10']) expect(v.is(discountPct, wrong)).toBe(false)
  })
})

describe('what a price ends in', () => {
  test.each([
    [12_949, '.00', 12_900],
    [12_950, '.00', 13_000],
    [12_950, '.95', 12_995],
    [12_944, '.95', 12_895],
    [12_945, '.95', 12_995],
    [12_995, '.95', 12_995],
    [3, '.95', 95],
    [-500, '.00', 0],
    [-500, 'exact', 0],
    [12_949, 'exact', 12_949],
  ] as const)('%s becomes, ending in %s, %s', (price, ending, becomes) => {
    expect(endingIn(price, ending)).toBe(becomes)
  })

  test('no ending moves a price by more than half a dollar', () => {
    for (let price = 100; price < 2_000; price++) {
      for (const ending of ['.00', '.95'] as const) expect(Math.abs(endingIn(price, ending) - price)).toBeLessThanOrEqual(50)
    }
  })
})

describe('a change of prices', () => {
  test('sets, adds, takes off, raises by a share and marks up', () => {
    const priceOf = (change: v.InferInput<typeof priceChange>) => changedPrice(frame, v.parse(priceChange, change)).price
    expect(priceOf({ kind: 'set', cents: 9900 })).toBe(9900)
    expect(priceOf({ kind: 'amount', cents: -1050, ending: 'exact' })).toBe(11_850)
    expect(priceOf({ kind: 'amount', cents: -99_999, ending: '.00' })).toBe(0)
    expect(priceOf({ kind: 'percent', percent: 8.1, ending: 'exact' })).toBe(13_945)
    expect(priceOf({ kind: 'percent', percent: 8.1, ending: '.95' })).toBe(13_995)
    expect(priceOf({ kind: 'percent', percent: -100, ending: 'exact' })).toBe(0)
    expect(priceOf({ kind: 'markup', factor: 2.5, ending: 'exact' })).toBe(11_138)
    expect(priceOf({ kind: 'markup', factor: 2.5, ending: '.00' })).toBe(11_100)
  })

  test('what cannot be worked out is said in words, and changes nothing', () => {
    const unknown = { pb_selling_price: null, item_net: null }
    expect(changedPrice(unknown, { kind: 'percent', percent: 5, ending: 'exact' })).toEqual({ price: null, problem: 'No price on file' })
    expect(changedPrice(unknown, { kind: 'amount', cents: 5, ending: 'exact' })).toEqual({ price: null, problem: 'No price on file' })
    expect(changedPrice(unknown, { kind: 'markup', factor: 2, ending: 'exact' })).toEqual({ price: null, problem: 'No cost on file' })
    expect(changedPrice(unknown, { kind: 'set', cents: 0 })).toEqual({ price: 0, problem: null })
    expect(changedPrice({ ...frame, pb_selling_price: 100_000_000_00 }, { kind: 'percent', percent: 1, ending: 'exact' })).toEqual({
      price: null,
      problem: 'The price would be too high',
    })
  })

  test('shares and factors beyond reason are refused', () => {
    for (const wrong of [
      { kind: 'set', cents: -1 },
      { kind: 'set', cents: 1.5 },
      { kind: 'percent', percent: -101, ending: '.00' },
      { kind: 'markup', factor: 0, ending: '.00' },
      { kind: 'markup', factor: 2, ending: '.99' },
    ]) {
      expect(v.is(priceChange, wrong)).toBe(false)
    }
  })

  test('the margin is of the price', () => {
    expect(marginPct(12_900, 4455)).toBe(65.5)
    expect(marginPct(1000, 1500)).toBe(-50)
    expect([marginPct(0, 100), marginPct(null, 100), marginPct(100, null)]).toEqual([null, null, null])
  })
})
