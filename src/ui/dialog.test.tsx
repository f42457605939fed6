// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Dialog } from './dialog.tsx'

/** Reports a change of size. In this test every element has no place and no size, as a vanished one does. */
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

test('a dialog that goes away with its page does not call onClose', () => {
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
