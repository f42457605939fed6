import { describe, expect, test } from 'vitest'
import { commandOf, gtin14, gtinCheckDigit, isGtin, normaliseCode } from '#contract/core/codes.ts'
import { serialSpellings } from '#contract/stock/stock-codes.ts'

describe('characters that a scanner adds are removed from a code', () => {
  test.each([
    ['carriage return and line feed', '100234\r\n', '100234'],
    ['a tab', '100234\t', '100234'],
    ['lower case', 'lg-00a7', 'LG-00A7'],
    ['an AIM prefix', ']C1100234', '100234'],
    ['an AIM prefix that was already handed on once', ']C1]d2100234', '100234'],
    ['blanks around', '  100234  ', '100234'],
    ['a byte order mark and a zero-width space', '\ufeff1002\u200b34', '100234'],
    ['a direction mark', '\u202e100234', '100234'],
    ['half of a character', '100\ud800234', '100234'],
    ['a group separator of a GS1 label', '01000\u001d234', '01000234'],
  ])('%s', (_what, raw, clean) => {
    expect(normaliseCode(raw)).toBe(clean)
  })

  test('leading zeros stay, because they are part of the label', () => {
    expect(normaliseCode('000123')).toBe('000123')
  })

  test('a bracket that belongs to a code stays', () => {
    expect(normaliseCode('A]C1')).toBe('A]C1')
  })

  test('cleaning a code twice gives the same as cleaning it once', () => {
    const samples = [']C1 ]E0 abc', ' \t]q3x\r', 'ß', ']', '', ']C1', 'ab cd', '\u0000\u0001]C1\u200b]C2 9']
    for (const sample of samples) expect(normaliseCode(normaliseCode(sample))).toBe(normaliseCode(sample))
  })
})

describe('UPCs are equal with and without their leading zeros', () => {
  test('the check digit follows the standard', () => {
    expect(gtinCheckDigit('03600029145')).toBe(2)
    expect(gtinCheckDigit('400638133393')).toBe(1)
  })

  test('UPC-A, EAN-13 and GTIN-14 of one product are one number', () => {
    const spellings = ['036000291452', '0036000291452', '00036000291452', '0 36000 29145 2', '36000291452']
    expect(new Set(spellings.map(gtin14))).toEqual(new Set(['00036000291452']))
  })

  test('a number with a wrong check digit is no UPC', () => {
    expect(gtin14('036000291453')).toBeNull()
    expect(isGtin('036000291453')).toBe(false)
  })

  test('store tags and words are no UPC', () => {
    expect(gtin14('100234')).toBeNull()
    expect(gtin14('LG-100234')).toBeNull()
    expect(gtin14('')).toBeNull()
  })

  test('every number with its check digit is recognized, and with another digit it is not', () => {
    for (let seed = 1; seed < 400; seed++) {
      const body = String((seed * 7_919_113) % 99_999_999_999).padStart(11, '0')
      const check = gtinCheckDigit(body)
      expect(gtin14(body + String(check))).toBe(`00${body}${check}`)
      expect(gtin14(body + String((check + 1) % 10))).toBeNull()
    }
  })
})

describe('an F# is recognized in every spelling', () => {
  test('without its zeros, without its F, in small letters and with blanks around', () => {
    for (const typed of ['F00100002', 'f100002', '100002', ' 00100002 ', 'F 100002']) expect(serialSpellings(typed)).toContain('F00100002')
  })

  test('words and numbers of other kinds are no F#', () => {
    for (const typed of ['', 'F', '0', 'DT-100002', 'FX1', '1234567890123']) expect(serialSpellings(typed)).toEqual([])
  })
})

describe('the command codes on the card by the door act and are never counted', () => {
  test('UNDO and PAUSE work in any case and with the characters that a scanner adds', () => {
    expect(commandOf('CMD:UNDO')).toBe('undo')
    expect(commandOf(']C1cmd:pause\r')).toBe('pause')
  })

  test('nothing else is a command, not even a property that every object has', () => {
    expect(commandOf('CMD:CLOSE')).toBeNull()
    expect(commandOf('constructor')).toBeNull()
    expect(commandOf('toString')).toBeNull()
    expect(commandOf('100234')).toBeNull()
  })
})
