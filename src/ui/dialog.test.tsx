// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Dialog } from './dialog.tsx'

/** Tells whoever watches that what they watch has changed: here everything is nowhere and without size, as what has vanished is. */
let vanish = () => {}

class Watching {
  constructor(look: () => void) {
    vanish = look
  }
  observe() {}
  unobserve() {}
  disconnect() {}
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a dialog that is gone because its page was left asks nobody to close it', () => {
  vi.stubGlobal('ResizeObserver', Watching)
  const onClose = vi.fn()
  const { unmount } = render(<Dialog open onClose={onClose} title="New count" />)
  screen.getByRole('dialog', { name: 'New count' })
  vanish()
  expect(onClose).toHaveBeenCalledTimes(1)
  unmount()
  vanish()
  expect(onClose).toHaveBeenCalledTimes(1)
})
