// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { applyLook, setDensity, storedDensity } from './theme.ts'

let tell: () => void = () => undefined

function standAtDesk(isDesk: boolean): { isDesk: boolean } {
  const place = { isDesk }
  vi.stubGlobal('matchMedia', () => ({
    get matches() {
      return place.isDesk
    },
    addEventListener: (_: string, listener: () => void) => {
      tell = listener
    },
  }))
  return place
}

const shown = () => document.documentElement.dataset['density']

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})

test('the density is compact with a mouse on a wide screen, and follows the window', () => {
  const place = standAtDesk(true)
  applyLook()
  expect(shown()).toBe('compact')
  place.isDesk = false
  tell()
  expect(shown()).toBe('comfortable')
})

test('a chosen density holds on every screen, and is kept', () => {
  standAtDesk(true)
  setDensity('comfortable')
  expect([storedDensity(), shown()]).toEqual(['comfortable', 'comfortable'])
  standAtDesk(false)
  setDensity('compact')
  expect([storedDensity(), shown()]).toEqual(['compact', 'compact'])
  setDensity('auto')
  expect(shown()).toBe('comfortable')
})
