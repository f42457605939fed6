import { expect, test } from 'vitest'
import type { CountLine } from '#contract/counts/count-sheets.ts'
import { closedSheetPaper } from './closed-sheet-paper.ts'

const missing: CountLine = {
  item_id: 1,
  id_scan: null,
  raw_code: null,
  sku: 'HARB-000001',
  serial: 'F0000001',
  upc: null,
  brand_name: 'Aster',
  title_product: 'Cove 1',
  title_variant: 'Slate',
  size: '52-18-140',
  expected: true,
  expected_status: null,
  outcome: 'missing',
  effect: 'none',
  detail: 'Last seen in May',
  counted_by: null,
  counted_at: null,
  decision: 'undecided',
  reason: '',
  price: 12_900,
}
const unknown: CountLine = {
  ...missing,
  raw_code: 'LOST-9',
  sku: null,
  brand_name: null,
  title_product: null,
  title_variant: null,
  size: null,
  outcome: 'unknown',
  detail: null,
  reason: 'A torn label',
  price: null,
}

test('the paper of a closed count names each frame, what happened to it, and its price', () => {
  const sheet = { number: 7, closed_at: '2026-11-20T19:05:00.000Z' }
  expect(closedSheetPaper(sheet, 'missing', [missing, unknown], 'America/New_York')).toEqual([
    { kind: 'heading', text: 'Count #7: Missing' },
    { kind: 'text', text: '2 frames · Closed 11/20/2026, 2:05 PM' },
    {
      kind: 'table',
      columns: [
        { head: 'Found' },
        { head: 'Tag' },
        { head: 'Frame' },
        { head: 'Size' },
        { head: 'What happened' },
        { head: 'Price', as: 'amount' },
      ],
      rows: [
        ['☐', 'HARB-000001', 'Aster Cove 1 Slate', '52-18-140', 'Missing · Last seen in May', '$129.00'],
        ['☐', 'LOST-9', '', '', 'Unknown · A torn label', '–'],
      ],
    },
  ])
})
