import { describe, expect, test } from 'vitest'
import { controlRefusal } from '#contract/stock/control-rules.ts'
import { controlFlags, inventoryStatuses } from '#contract/stock/frames.ts'
import { afterControl, isInStock, stockWord } from '#contract/stock/stock-state.ts'

const here = { store_id: 2, at: '2026-11-23T10:00:00.000Z' }
const seen = '2026-11-01T10:00:00.000Z'

describe('what the seven actions make of a piece', () => {
  test('each in words: state, store, why it left and when it was seen', () => {
    const before = { status: 'Defective', store_id: 1, last_seen_at: seen } as const
    const became = Object.fromEntries(
      controlFlags.map((flag) => {
        const { status, store_id, removed_reason, last_seen_at } = afterControl(flag, before, here)
        return [flag, [status, store_id, removed_reason, last_seen_at === here.at ? 'seen now' : 'seen before']]
      }),
    )
    expect(became).toEqual({
      state_defective: ['Defective', 1, null, 'seen now'],
      state_remove: ['Missing', 1, null, 'seen before'],
      state_remove_other: ['Removed', 1, 'other', 'seen before'],
      state_return_in_stock: ['Ready for Sale', 2, null, 'seen now'],
      state_return_vendor: ['Removed', 1, 'vendor_return', 'seen now'],
      state_in_stock: ['Ready for Sale', 2, null, 'seen now'],
      state_return_in_store_no_defect: ['Ready for Sale', 1, null, 'seen now'],
    })
  })

  test('in a stockroom’s rules no allowed action leaves a piece in the state and store it was in', () => {
    for (const status of inventoryStatuses.filter((one) => one !== 'Sold' && one !== 'On Hold')) {
      for (const flag of controlFlags) {
        if (controlRefusal(flag, status, 'practice') !== null) continue
        const after = afterControl(flag, { status, store_id: 2, last_seen_at: null }, here)
        if (status === 'Removed' && flag === 'state_return_vendor') expect(after.removed_reason).toBe('vendor_return')
        else expect([flag, after.status]).not.toEqual([flag, status])
      }
    }
  })

  test('every state can be left again, so that no piece is stuck', () => {
    for (const status of inventoryStatuses) {
      const ways = controlFlags.filter((flag) => controlRefusal(flag, status, 'practice') === null)
      expect(ways.some((flag) => afterControl(flag, { status, store_id: 1, last_seen_at: null }, here).status !== status)).toBe(true)
    }
  })
})

test('a piece that is broken or on hold still lies in its store', () => {
  expect(inventoryStatuses.filter(isInStock)).toEqual(['Ready for Sale', 'Defective', 'On Hold'])
  expect(inventoryStatuses.map(stockWord)).toEqual([
    'In stock',
    'In stock',
    'Out of stock',
    'Out of stock',
    'Out of stock',
    'Out of stock',
    'In stock',
  ])
})
