import { expect, test } from 'vitest'
import { freeSpot } from './toast-place.ts'

const size = { width: 384, height: 72 }
const desk = { width: 1024, height: 768 }

test('a toast stands at the right bottom while nothing is there', () => {
  expect(freeSpot(size, desk, [], null)).toEqual({ left: 628, top: 684 })
})

test('a toast leaves the corner to a control that is there, and stays when the control goes', () => {
  const save = { left: 900, top: 710, width: 100, height: 48, weight: 1 }
  const spot = freeSpot(size, desk, [save], null)
  expect(spot).not.toEqual({ left: 628, top: 684 })
  expect(freeSpot(size, desk, [], spot)).toBe(spot)
})

test('a toast moves when a control appears under it', () => {
  const spot = freeSpot(size, desk, [], null)
  const button = { left: spot.left + 10, top: spot.top + 10, width: 100, height: 48, weight: 1 }
  const next = freeSpot(size, desk, [button], spot)
  expect(next).not.toEqual(spot)
  expect(freeSpot(size, desk, [button], next)).toBe(next)
})

test('on a phone a toast finds the gap between the controls', () => {
  const phone = { width: 390, height: 844 }
  const controls = [
    { left: 0, top: 0, width: 390, height: 300, weight: 1 },
    { left: 0, top: 420, width: 390, height: 424, weight: 1 },
  ]
  const { left, top } = freeSpot({ width: 366, height: 72 }, phone, controls, null)
  expect(left).toBe(12)
  expect(top).toBeGreaterThanOrEqual(300)
  expect(top + 72).toBeLessThanOrEqual(420)
})

test('on a page full of controls a toast covers the least of them', () => {
  const wide = { left: 0, top: 384, width: 1024, height: 384, weight: 1 }
  const buttons = Array.from({ length: 40 }, (_, at) => ({
    left: (at % 10) * 102,
    top: Math.floor(at / 10) * 96,
    width: 100,
    height: 94,
    weight: 1,
  }))
  const { top } = freeSpot(size, desk, [wide, ...buttons], null)
  expect(top).toBeGreaterThanOrEqual(384)
})

test('a toast rather covers rows of a list than a button', () => {
  const rows = { left: 0, top: 100, width: 1024, height: 668, weight: 0.1 }
  const bar = { left: 0, top: 0, width: 1024, height: 100, weight: 1 }
  expect(freeSpot(size, desk, [bar, rows], null).top).toBeGreaterThanOrEqual(100)
})
