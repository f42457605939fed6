import { describe, expect, test } from 'vitest'
import { inventoryStatuses } from '#contract/stock/frames.ts'
import { historyRow } from './history-row.ts'

const change = {
  id_inventory: 7,
  action: 'Item is missing',
  before: { status: 'Ready for Sale', store_id: 1 },
  after: { status: 'Missing', store_id: 1 },
  at: '2026-11-21T09:00:00.000Z',
  by: { id_user: 2, rep: 'Ben Halvorsen', device_id: null },
  extra: '',
} as const

describe('a row of a frame’s history', () => {
  test('gives the frame’s state before and after, and who changed it', () => {
    expect(historyRow(change)).toMatchObject({
      id_inventory: 7,
      rep: 'Ben Halvorsen',
      status_before: 'Ready for Sale',
      status: 'Missing',
      stock: 'Out of stock',
    })
  })

  test('names no store while the piece stays where it is', () => {
    expect(historyRow(change)).toMatchObject({ from_store_id: null, to_store_id: null })
  })

  test('names both stores of a piece that moved, and only the new store of a new piece', () => {
    const after = { status: 'Ready for Sale', store_id: 2 } as const
    expect(historyRow({ ...change, after })).toMatchObject({ from_store_id: 1, to_store_id: 2 })
    expect(historyRow({ ...change, before: null, after })).toMatchObject({ from_store_id: null, to_store_id: 2, status_before: null })
  })

  test('has two words for stock, and counts a broken piece and one on hold as in stock', () => {
    const words = inventoryStatuses.map((status) => [status, historyRow({ ...change, after: { status, store_id: 1 } }).stock])
    expect(Object.fromEntries(words)).toEqual({
      'Ready for Sale': 'In stock',
      Defective: 'In stock',
      'On Hold': 'In stock',
      Missing: 'Out of stock',
      ICT: 'Out of stock',
      Removed: 'Out of stock',
      Sold: 'Out of stock',
    })
  })
})
