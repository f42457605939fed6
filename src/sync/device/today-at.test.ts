import { expect, test } from 'vitest'
import { mayasHome } from '#tests/support/screen-device.ts'
import { todayAt } from './today-at.ts'

test('in the evening it is still today in the store, even when Greenwich has the next day', () => {
  const evening = Date.parse('2026-11-21T03:30:00Z')
  expect(todayAt(mayasHome, evening)).toBe('2026-11-20')
  expect(todayAt(mayasHome, evening + 2 * 3_600_000)).toBe('2026-11-21')
})
