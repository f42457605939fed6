import { expect, test } from 'vitest'
import { centsOf, typedMoney } from './typed-money.ts'

test('an amount is read as users type it, and nothing else is', () => {
  expect(['120', '$1,200.50', '', '12.345', 'ten', '-5'].map(centsOf)).toEqual([12_000, 120_050, null, undefined, undefined, undefined])
})

test('the text of a field is read as the same amount', () => {
  for (const cents of [0, 5, 120, 12_000, 120_050, null]) expect(centsOf(typedMoney(cents))).toBe(cents)
})
