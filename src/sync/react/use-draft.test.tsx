// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { type DraftPlace, keepDraft, readDraft } from '#src/sync/device/drafts.ts'
import { givePatientsKey, mayasHome, screenDevice } from '#tests/support/screen-device.ts'
import { useBegunDrafts, useDraft } from './use-draft.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function setUp(options: { withKey?: boolean } = {}) {
  const { device: bare, hot } = screenDevice({ signedIn: true })
  const device = Object.assign(bare, { patients: () => Promise.resolve(null as never) })
  if (options.withKey !== false) await givePatientsKey(hot, mayasHome)
  const wrapper = ({ children }: { children: ReactNode }) => <DeviceProvider device={device}>{children}</DeviceProvider>
  const open = (place: DraftPlace = 'patient: here') =>
    renderHook((props: { place: DraftPlace }) => useDraft(props.place, read), { wrapper, initialProps: { place } })
  return { device, hot, wrapper, open }
}

const read = (given: unknown) => (typeof given === 'string' ? given : null)

test('typed text is found again in its own place, in its latest form, even by a form that opens at once', async () => {
  const { device, hot, open } = await setUp()
  const first = open()
  expect(first.result.current.kept).toBeUndefined()
  await waitFor(() => expect(first.result.current.kept).toBeNull())
  const put = vi.spyOn(hot.facts, 'put')
  for (const text of ['T', 'Ty', 'Typ', 'Typed']) void first.result.current.keep(text)
  first.unmount()
  const again = open()
  await waitFor(() => expect(again.result.current.kept).toBe('Typed'))
  expect(put.mock.calls.length).toBeLessThan(4)
  again.rerender({ place: 'patient: elsewhere' })
  expect(again.result.current.kept).toBeUndefined()
  await waitFor(() => expect(again.result.current.kept).toBeNull())
  expect(await readDraft(device, 'patient: here')).toBe('Typed')
})

test('a forgotten draft stays forgotten, even during a write, and a new one can begin', async () => {
  const { device, open } = await setUp()
  const { result } = open()
  await waitFor(() => expect(result.current.kept).toBeNull())
  const writes = [result.current.keep('Typed'), result.current.forget()]
  expect(await Promise.all(writes)).toEqual([true, true])
  expect(await readDraft(device, 'patient: here')).toBeNull()
  expect(await result.current.keep('Again')).toBe(true)
  expect(await readDraft(device, 'patient: here')).toBe('Again')
})

test('a draft of another version, or one that cannot be read, is ignored', async () => {
  const { device, hot, open } = await setUp()
  await keepDraft(device, 'patient: here', { shape: 'of another version' })
  const { result } = open()
  await waitFor(() => expect(result.current.kept).toBeNull())
  vi.spyOn(hot.facts, 'get').mockRejectedValue(new Error('the disk is gone'))
  const broken = open('patient: there')
  await waitFor(() => expect(broken.result.current.kept).toBeNull())
})

test('a form waits at most two seconds for a disk that gives no answer', async () => {
  const { hot, open } = await setUp()
  vi.spyOn(hot.facts, 'get').mockReturnValue(new Promise(() => undefined) as never)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { result, rerender } = open()
  expect(result.current.kept).toBeUndefined()
  await vi.advanceTimersByTimeAsync(2000)
  rerender({ place: 'patient: here' })
  expect(result.current.kept).toBeNull()
})

test('the form learns that nothing can be kept: without the key for patients, and on a full disk', async () => {
  const without = await setUp({ withKey: false })
  const { result } = without.open()
  await waitFor(() => expect(result.current.kept).toBeNull())
  expect(await result.current.keep('Typed')).toBe(false)
  const full = await setUp()
  const shown = full.open().result
  await waitFor(() => expect(shown.current.kept).toBeNull())
  const put = vi.spyOn(full.hot.facts, 'put').mockRejectedValue(new Error('QuotaExceededError'))
  expect(await shown.current.keep('Typed')).toBe(false)
  put.mockRestore()
  expect(await shown.current.keep('Typed on')).toBe(true)
})

test('text typed before the key is here is kept when the key arrives', async () => {
  const { device, hot, open } = await setUp({ withKey: false })
  const state = createStore(() => ({ status: 'locked', turn: 0 }))
  Object.assign(device, { patients: () => Promise.resolve({ state }) })
  const { result } = open()
  await waitFor(() => expect(result.current.kept).toBeNull())
  const keeping = result.current.keep('Typed')
  await givePatientsKey(hot, mayasHome)
  state.setState({ status: 'opening' })
  expect(await keeping).toBe(true)
  expect(await readDraft(device, 'patient: here')).toBe('Typed')
})

test('the hook names the places with a draft, and looks again at every turn', async () => {
  const { device, wrapper } = await setUp()
  await keepDraft(device, 'patient: b', 'Typed')
  const { result, rerender } = renderHook(({ turn }) => useBegunDrafts(['patient: a', 'patient: b'], turn), {
    wrapper,
    initialProps: { turn: 1 },
  })
  await waitFor(() => expect([...result.current]).toEqual(['patient: b']))
  await keepDraft(device, 'patient: a', 'Typed')
  rerender({ turn: 2 })
  await waitFor(() => expect([...result.current]).toEqual(['patient: a', 'patient: b']))
})
