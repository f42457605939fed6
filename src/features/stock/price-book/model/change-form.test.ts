import { expect, test } from 'vitest'
import { changeInWords, readChange } from './change-form.ts'

test('a typed change is read with its sign and its limits', () => {
  const read = (kind: Parameters<typeof readChange>[0]['kind'], typed: string) => readChange({ kind, typed, ending: '.95' })
  expect(read('percent', '-10 %')).toEqual({ kind: 'percent', percent: -10, ending: '.95' })
  expect(read('amount', '−2.50')).toEqual({ kind: 'amount', cents: -250, ending: '.95' })
  expect(read('set', '$1,200')).toEqual({ kind: 'set', cents: 120_000 })
  expect(read('markup', '2.5')).toEqual({ kind: 'markup', factor: 2.5, ending: '.95' })
  expect(read('list', '+3')).toEqual({ kind: 'list', percent: 3 })
  expect(read('discount', '12.5')).toEqual({ kind: 'discount', discount_pct: 12.5 })
  for (const [kind, typed] of [
    ['set', '-5'],
    ['set', 'five'],
    ['markup', '0'],
    ['markup', '-2'],
    ['discount', '101'],
    ['discount', '-1'],
    ['percent', '-101'],
    ['list', ''],
  ] as const) {
    expect([kind, typed, typeof read(kind, typed)]).toEqual([kind, typed, 'string'])
  }
})

test('a change is described in words', () => {
  expect(changeInWords({ kind: 'percent', percent: -5, ending: '.95' })).toBe('Price −5%, ending in .95')
  expect(changeInWords({ kind: 'amount', cents: 250, ending: 'exact' })).toBe('Price +$2.50')
  expect(changeInWords({ kind: 'markup', factor: 2.5, ending: '.00' })).toBe('2.5 × net cost, ending in .00')
  expect(changeInWords({ kind: 'list', percent: 3 })).toBe('List cost +3%')
  expect(changeInWords({ kind: 'discount', discount_pct: 12.5 })).toBe('Vendor’s discount 12.5%')
})
