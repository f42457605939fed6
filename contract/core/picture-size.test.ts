import { expect, test } from 'vitest'
import { isPictureTooLarge, pictureSize } from '#contract/core/picture-size.ts'

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? Array.from(part, (letter) => letter.charCodeAt(0)) : part)))

const app0 = [0xff, 0xe0, 0, 16, ...Array<number>(14).fill(0)]
const pictures: [string, Uint8Array][] = [
  ['JPEG', bytes([0xff, 0xd8], app0, [0xff, 0xc2, 0, 17, 8, 0x07, 0xd0, 0x0b, 0xb8, 3, 0, 0])],
  ['PNG', bytes([0x89], 'PNG\r\n', [0x1a, 0x0a, 0, 0, 0, 13], 'IHDR', [0, 0, 0x0b, 0xb8, 0, 0, 0x07, 0xd0])],
  ['GIF', bytes('GIF89a', [0xb8, 0x0b, 0xd0, 0x07])],
  ['WebP with loss', bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8 ', [0, 0, 0, 0, 0, 0, 0, 0x9d, 0x01, 0x2a, 0xb8, 0x0b, 0xd0, 0x07])],
  ['WebP without loss', bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8L', [0, 0, 0, 0, 0x2f, 0xb7, 0xcb, 0xf3, 0x01])],
  ['WebP with more', bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [0, 0, 0, 0, 0, 0, 0, 0, 0xb7, 0x0b, 0, 0xcf, 0x07, 0])],
  ['TIFF', bytes('II*', [0, 8, 0, 0, 0, 2, 0], [0, 1, 3, 0, 1, 0, 0, 0, 0xb8, 0x0b, 0, 0], [1, 1, 4, 0, 1, 0, 0, 0, 0xd0, 0x07, 0, 0])],
  [
    'HEIC',
    bytes([0, 0, 0, 16], 'ftypheic', [0, 0, 0, 20], 'ispe', [0, 0, 0, 0, 0, 0, 0x0b, 0xb8, 0, 0, 0x07, 0xd0], Array<number>(20).fill(0)),
  ],
]

test.each(pictures)('the size of a %s is read from its head', (_kind, picture) => {
  expect(pictureSize(picture)).toEqual({ width: 3000, height: 2000 })
})

test.each(pictures)('a %s that is cut off has no size, and breaks nothing', (_kind, picture) => {
  for (let length = 0; length < picture.length - 20; length++) expect(() => pictureSize(picture.subarray(0, length))).not.toThrow()
})

test('what is no picture has no size', () => {
  expect(pictureSize(bytes('%PDF-1.7'))).toBeNull()
  expect(pictureSize(new Uint8Array())).toBeNull()
})

test('a picture may have 100 million pixels, and 30,000 to a side', () => {
  expect(isPictureTooLarge({ width: 10_000, height: 10_000 })).toBe(false)
  expect(isPictureTooLarge({ width: 10_001, height: 10_000 })).toBe(true)
  expect(isPictureTooLarge({ width: 30_001, height: 1 })).toBe(true)
})
