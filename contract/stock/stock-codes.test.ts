import { expect, test } from 'vitest'
import { gtinCheckDigit } from '#contract/core/codes.ts'
import { keptUpc } from '#contract/stock/stock-codes.ts'

test.each([
  ['as it stands on a label', '036000291452', '036000291452'],
  ['without the zero that a spreadsheet took', '36000291452', '036000291452'],
  ['with blanks and hyphens', '0 36000-29145 2', '036000291452'],
  ['an EAN-13', '4006381333931', '4006381333931'],
  ['an EAN-8', '73513537', '73513537'],
  ['a GTIN-14', '00036000291452', '00036000291452'],
  ['what a scanner sends before it', ']E0036000291452', '036000291452'],
])('a UPC %s', (_what, typed, upc) => {
  expect(keptUpc(typed)).toEqual({ upc, gtin: upc.padStart(14, '0') })
})

test.each(['', 'F100001', '036000291453', '12345678', '3600029145', '00000', '٠٣٦٠٠٠٢٩١٤٥٢'])('%s is no UPC', (typed) => {
  expect(keptUpc(typed)).toBeNull()
})

test('up to three zeros come back, and one wrong digit is always found', () => {
  for (let zeros = 1; zeros <= 3; zeros++) {
    const body = `${'0'.repeat(zeros)}${'71234567890'.slice(0, 11 - zeros)}`
    const upc = `${body}${gtinCheckDigit(body)}`
    expect(keptUpc(upc.slice(zeros))?.upc).toBe(upc)
    for (let at = zeros; at < 12; at++) {
      const wrong = upc.slice(0, at) + String((Number(upc[at]) + 1) % 10) + upc.slice(at + 1)
      expect(keptUpc(wrong)).toBeNull()
    }
  }
})
