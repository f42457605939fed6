import { expect, test } from 'vitest'
import { sizeOf } from '#contract/stock/frames.ts'

test.each([
  [52, 18, 140, '52-18-140'],
  [52, null, 140, '52-–-140'],
  [null, null, null, null],
])('lens %s, bridge %s and temple %s are the size %s', (size_lens_width, size_bridge_width, size_temple_length, size) => {
  expect(sizeOf({ size_lens_width, size_bridge_width, size_temple_length })).toBe(size)
})
