import { vi } from 'vitest'
import { patienceMs } from '#tests/support/patience.ts'

// Vitest has no setting for this one, which gives up after a second.
const { waitFor } = vi
vi.waitFor = (callback, options) => waitFor(callback, options ?? { timeout: patienceMs })

// Only where there is a page: the library is not worth its loading elsewhere.
if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/react')
  configure({ asyncUtilTimeout: patienceMs })
  // jsdom has no layout: nothing changes its size.
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  // Nor has anything a size: a list has room for some rows.
  for (const [side, pixels] of Object.entries({ clientHeight: 600, clientWidth: 800, offsetHeight: 48, offsetWidth: 800 }))
    Object.defineProperty(HTMLElement.prototype, side, { configurable: true, get: () => pixels })
  // jsdom moves nothing; without this Headless UI warns at whatever moment it first looks.
  Element.prototype.getAnimations = () => []
}
