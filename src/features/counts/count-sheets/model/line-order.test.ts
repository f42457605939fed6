import { expect, test } from 'vitest'
import type { CountLine } from '#contract/counts/count-sheets.ts'
import { inLineOrder } from './line-order.ts'

const line = (sku: string, more: Partial<CountLine>): CountLine => ({
  item_id: null,
  id_scan: null,
  raw_code: null,
  sku,
  serial: null,
  upc: null,
  brand_name: 'Ash',
  title_product: null,
  title_variant: null,
  size: null,
  expected: true,
  expected_status: null,
  outcome: 'counted',
  effect: 'none',
  detail: null,
  counted_by: null,
  counted_at: null,
  decision: 'undecided',
  reason: '',
  price: null,
  ...more,
})

test('lines are sorted by one column, and by the other where the first is equal', () => {
  const lines = [
    line('1', { brand_name: 'Birch', price: 100 }),
    line('2', { brand_name: 'Ash', price: 100 }),
    line('3', { brand_name: 'Birch', price: 300 }),
    line('4', { brand_name: null, price: 900 }),
  ]
  const skus = (...orders: ['brand' | 'price', 'brand' | 'price']) => inLineOrder(lines, ...orders).map(({ sku }) => sku)
  expect(skus('brand', 'price')).toEqual(['2', '3', '1', '4'])
  expect(skus('price', 'brand')).toEqual(['4', '3', '2', '1'])
  expect(lines.map(({ sku }) => sku)).toEqual(['1', '2', '3', '4'])
})
