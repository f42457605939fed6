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

test('a version that waits is offered, and nothing happens until someone says yes', () => {
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

test('when another window takes the update, this one is not reloaded under the hands of its user', () => {
  const { happens, reload } = worker()
  happens('waiting')
  happens('controlling')
  expect(reload).not.toHaveBeenCalled()
  // Nothing waits any more that could be asked to take over: here the new version is a reload away.
  installStore.getState().applyUpdate()
  expect(reload).toHaveBeenCalledTimes(1)
})
