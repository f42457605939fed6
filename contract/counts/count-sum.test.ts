import { expect, test } from 'vitest'
import type { CountLine } from '#contract/counts/count-sheets.ts'
import { countSumOf } from '#contract/counts/count-sum.ts'

const missing: CountLine = {
  item_id: 1,
  id_scan: null,
  raw_code: null,
  sku: 'DT-100001',
  serial: null,
  upc: null,
  brand_name: null,
  title_product: null,
  title_variant: null,
  size: null,
  expected: true,
  expected_status: 'Ready for Sale',
  outcome: 'missing',
  effect: 'missing',
  detail: null,
  counted_by: null,
  counted_at: null,
  decision: 'undecided',
  reason: '',
  price: 12_900,
}

test.each<[string, CountLine[], number | null]>([
  ['no line has one', [missing, { ...missing, cost: null }], null],
  ['some lines have one', [missing, { ...missing, cost: 4_000 }, { ...missing, cost: 0 }], 4_000],
])('the cost of the Missing frames is known only when a line has one: %s', (_, lines, cost) => {
  expect(countSumOf(lines)).toMatchObject({ missing: lines.length, missingCost: cost })
})
