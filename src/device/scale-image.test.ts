import { expect, test } from 'vitest'
import { fromBase64, scaledSize, toBase64 } from './scale-image.ts'

test('a photo is drawn no larger than its limit on a side, and never enlarged', () => {
  expect(scaledSize(4032, 3024, 1600)).toEqual({ width: 1600, height: 1200 })
  expect(scaledSize(3024, 4032, 256)).toEqual({ width: 192, height: 256 })
  expect(scaledSize(800, 600, 1600)).toEqual({ width: 800, height: 600 })
  expect(scaledSize(20_000, 3, 1600)).toEqual({ width: 1600, height: 1 })
})

test('bytes are the same after base64 and back', () => {
  const bytes = new Uint8Array(20_000).map((_, index) => index & 0xff)
  expect(fromBase64(toBase64(bytes))).toEqual(bytes)
})
