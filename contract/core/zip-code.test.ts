import { expect, test } from 'vitest'
import { mendedZip } from '#contract/core/zip-code.ts'

test.each([
  ['1013', '01013', true],
  [' 501 ', '00501', true],
  ['10131234', '01013-1234', true],
  ['1013-1234', '01013-1234', true],
  ['0', '00000', true],
  ['60123', '60123', false],
  ['601231234', '60123-1234', false],
  ['60123-1234', '60123-1234', false],
  ['K1A 0B1', 'K1A 0B1', false],
  ['12', '12', false],
  ['', '', false],
])('the ZIP %j of a file is read as %j', (given, zip, isTold) => {
  expect(mendedZip(given)).toEqual({ zip, notice: isTold ? expect.any(String) : null })
})
