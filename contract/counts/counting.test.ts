import { describe, expect, test } from 'vitest'
import { findingOf } from '#contract/counts/counting.ts'
import { inventoryStatuses } from '#contract/stock/frames.ts'

describe('what a scan of a known piece means', () => {
  const storeName = (id: number) => (id === 2 ? 'Eastside' : 'Main')
  const finding = (status: (typeof inventoryStatuses)[number], expected: boolean, store = 1) =>
    findingOf({ store_id: store, status }, { store_id: 1 }, expected, storeName)

  test('a piece that is expected and stands here is counted, also a defective, held or missing one', () => {
    for (const status of ['Ready for Sale', 'Defective', 'Missing', 'On Hold'] as const)
      expect(finding(status, true)).toEqual({ finding: 'expected', detail: null })
  })

  test('a piece of another store is set aside with its name, even if it was expected here', () => {
    expect(finding('Ready for Sale', true, 2)).toEqual({ finding: 'set-aside', detail: 'Belongs to Eastside' })
  })

  test('every state says why a piece is set aside', () => {
    for (const status of inventoryStatuses) {
      const result = finding(status, false)
      expect(result.finding).toBe('set-aside')
      expect(result.detail).toBeTruthy()
    }
  })
})
