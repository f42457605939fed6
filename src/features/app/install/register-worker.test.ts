import { expect, test, vi } from 'vitest'
import { installStore } from './model/install-store.ts'
import { offerUpdates } from './register-worker.ts'

function worker() {
  const listeners = new Map<string, () => void>()
  const messageSkipWaiting = vi.fn()
  const makeWay = vi.fn()
  const reload = vi.fn()
  offerUpdates(
    { addEventListener: (type, listener) => void listeners.set(type, listener as () => void), messageSkipWaiting },
    { makeWay, reload },
  )
  return { happens: (type: string) => listeners.get(type)?.(), messageSkipWaiting, makeWay, reload }
}

test('the app offers a waiting version, and nothing happens until the user says yes', () => {
  const { happens, messageSkipWaiting, makeWay, reload } = worker()
  happens('waiting')
  expect(installStore.getState().updateReady).toBe(true)
  expect(messageSkipWaiting).not.toHaveBeenCalled()
  expect(makeWay).not.toHaveBeenCalled()
  installStore.getState().applyUpdate()
  expect(makeWay).toHaveBeenCalledTimes(1)
  expect(messageSkipWaiting).toHaveBeenCalledTimes(1)
  expect(reload).not.toHaveBeenCalled()
  happens('controlling')
  expect(reload).toHaveBeenCalledTimes(1)
})

test('when another window takes the update, this window does not reload while its user works', () => {
  const { happens, reload } = worker()
  happens('waiting')
  happens('controlling')
  expect(reload).not.toHaveBeenCalled()
  // No worker waits any more, so a reload brings the new version.
  installStore.getState().applyUpdate()
  expect(reload).toHaveBeenCalledTimes(1)
})
