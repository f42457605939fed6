import { expect, test } from 'vitest'
import { sheetOf } from '#tests/support/fake-count-device.ts'
import { lastCountBefore } from './last-count.ts'

const result = (missing: number, expected: number) => ({
  counted: expected - missing,
  expected,
  missing,
  found: 0,
  received: 0,
  explained: 0,
  unknown: 0,
  skipped: 0,
  override_devices: null,
})
const suns = { ...sheetOf().scope, brand_ids: [3, 1] }
const closed = (number: number, day: number, missing: number, more = {}) =>
  sheetOf({
    id_count_sheet: `01890000-0000-7000-8000-0000000000${number}`,
    number,
    phase: 'closed',
    closed_at: `2026-11-${day}T10:00:00.000Z`,
    result: result(missing, 100),
    ...more,
  })

test('the newest count of the same frames is compared, in any order of its brands', () => {
  const sheets = [closed(10, 10, 4, { scope: suns }), closed(11, 12, 2, { scope: { ...suns, brand_ids: [1, 3] } }), closed(12, 14, 9)]
  expect(lastCountBefore(sheetOf({ scope: suns }), sheets)).toMatchObject({ number: 11, share: 0.02, isSameScope: true })
})

test('without one, the newest of the store is compared and said to be of other frames', () => {
  expect(lastCountBefore(sheetOf({ scope: suns }), [closed(12, 14, 9)])).toMatchObject({ number: 12, isSameScope: false })
})

test('a closed count is compared with those before it, and never with itself or an empty one', () => {
  const [first, second] = [closed(12, 14, 9), closed(13, 16, 1)]
  expect(lastCountBefore(first, [first, second, closed(14, 12, 0, { result: result(0, 0) })])).toBeNull()
})
