import { vi } from 'vitest'
import { patienceMs } from '#tests/support/patience.ts'

// Vitest has no setting for this wait, which ends after a second by default.
const { waitFor } = vi
vi.waitFor = (callback, options) => waitFor(callback, options ?? { timeout: patienceMs })

// Load the library only with a DOM, because loading it takes time.
if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/react')
  configure({ asyncUtilTimeout: patienceMs })
  // jsdom has no layout, so no element changes its size.
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  // Elements have no size in jsdom either. These sizes give a list room for some rows.
  for (const [side, pixels] of Object.entries({ clientHeight: 600, clientWidth: 800, offsetHeight: 48, offsetWidth: 800 }))
    Object.defineProperty(HTMLElement.prototype, side, { configurable: true, get: () => pixels })
  // jsdom animates nothing. Without this function Headless UI warns when it first looks for animations.
  Element.prototype.getAnimations = () => []
}
