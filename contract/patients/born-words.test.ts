import { expect, test } from 'vitest'
import { bornWords } from './born-words.ts'

test('a birth date has the American form with the age in years', () => {
  expect(bornWords('1941-02-26', '2026-11-27')).toBe('02/26/1941 (85 y)')
  expect(bornWords('1941-11-28', '2026-11-27')).toBe('11/28/1941 (84 y)')
})

test('the age of a baby is in months', () => {
  expect(bornWords('2026-03-31', '2026-11-27')).toBe('03/31/2026 (7 mo)')
  expect(bornWords('2026-11-27', '2026-11-27')).toBe('11/27/2026 (0 mo)')
  expect(bornWords('2024-11-27', '2026-11-27')).toBe('11/27/2024 (2 y)')
})
