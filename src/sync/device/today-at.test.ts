import { expect, test } from 'vitest'
import { mayasHome } from '#tests/support/screen-device.ts'
import { todayAt } from './today-at.ts'

test('in the evening of the store today is not over yet, whatever the day is in Greenwich', () => {
  const evening = Date.parse('2026-11-21T03:30:00Z')
  expect(todayAt(mayasHome, evening)).toBe('2026-11-20')
  expect(todayAt(mayasHome, evening + 2 * 3_600_000)).toBe('2026-11-21')
})
