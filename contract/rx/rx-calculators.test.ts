import { expect, test } from 'vitest'
import { decentered, readPlain, vertexLens } from './rx-calculators.ts'
import { sphericalEquivalent } from './rx-rules.ts'

test('numbers are read as opticians type them, on any step', () => {
  const cases = { '-8': -8000, '+2.5': 2500, '225': 2250, '-7,30': -7300, '.125': 125, '0': 0, '-0': 0, ' 12 ': 12_000, '1200': 12_000 }
  for (const [typed, value] of Object.entries(cases)) expect([typed, readPlain(typed)]).toEqual([typed, value])
  for (const typed of ['', '-', '.', 'x', '1.2.3', '101.', '1e3', '2.1234']) expect([typed, readPlain(typed)]).toEqual([typed, null])
})

test('-8.00 at 12 mm is -7.30 at the eye, ordered as -7.25, and back again', () => {
  const lens = vertexLens({ sphere: -8000, cylinder: 0 }, 12_000, 'to-contact')
  expect(lens).toEqual({ exact: { sphere: -7299, cylinder: 0 }, order: { sphere: -7250, cylinder: 0 } })
  expect(vertexLens(lens.exact, 12_000, 'to-glasses').exact.sphere).toBeCloseTo(-8000, -1)
  // Plus lenses grow toward the eye.
  expect(vertexLens({ sphere: 10_000, cylinder: 0 }, 12_000, 'to-contact').exact.sphere).toBe(11_364)
})

test('each meridian of a toric lens moves separately', () => {
  // -6.00 becomes -5.597 and -8.00 becomes -7.299: the cylinder is weaker than in the glasses.
  expect(vertexLens({ sphere: -6000, cylinder: -2000 }, 12_000, 'to-contact')).toEqual({
    exact: { sphere: -5597, cylinder: -1702 },
    order: { sphere: -5500, cylinder: -1750 },
  })
  expect(vertexLens({ sphere: 0, cylinder: 0 }, 12_000, 'to-contact').order).toEqual({ sphere: 0, cylinder: 0 })
})

test('5 mm on -4.00 are 2.0 prism diopters, with the base away from the center; with a plus lens, toward it', () => {
  expect(decentered(5000, -4000, 'in')).toEqual({ prism: 2000, base: 'out' })
  expect(decentered(5000, 4000, 'in')).toEqual({ prism: 2000, base: 'in' })
  expect(decentered(2500, -4000, 'up')).toEqual({ prism: 1000, base: 'down' })
  expect(decentered(2500, 3000, 'down')).toEqual({ prism: 750, base: 'down' })
  expect(decentered(5000, 0, 'in')).toEqual({ prism: 0, base: null })
})

test('the spherical equivalent of -2.00 -1.00 is -2.50', () => {
  expect(sphericalEquivalent(-2000, -1000)).toBe(-2500)
})
