// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { type DraftPlace, keepDraft, readDraft } from '#src/sync/device/drafts.ts'
import { readTexts } from '#src/sync/device/read-as.ts'
import { givePatientsKey, mayasHome, screenDevice } from '#tests/support/screen-device.ts'
import { useTyped } from './use-typed.ts'

afterEach(cleanup)

const fresh = { name: '' }

async function setUp({ withKey = true, before = null as unknown } = {}) {
  const { device, hot } = screenDevice({ signedIn: true })
  if (withKey) await givePatientsKey(hot, mayasHome)
  if (before !== null) await keepDraft(device, 'patient: here', before)
  const wrapper = ({ children }: { children: ReactNode }) => <DeviceProvider device={device}>{children}</DeviceProvider>
  const open = (ways = {}) =>
    renderHook(({ place }: { place: DraftPlace }) => useTyped(place, fresh, readTexts, ways), {
      wrapper,
      initialProps: { place: 'patient: here' },
    })
  return { device, open }
}

test('a form begins fresh, keeps changes, and keeps nothing that equals its first values', async () => {
  const { device, open } = await setUp()
  const { result } = open()
  expect(result.current.typed).toBeNull()
  await waitFor(() => expect(result.current.typed).toBe(fresh))
  act(() => result.current.change({ name: 'Ana' }))
  expect(result.current).toMatchObject({ typed: { name: 'Ana' }, former: null })
  await expect.poll(() => readDraft(device, 'patient: here')).toEqual({ name: 'Ana' })
  act(() => result.current.change({ name: '' }))
  await expect.poll(() => readDraft(device, 'patient: here')).toBeNull()
})

test('it continues the former text and says so, until the user starts over', async () => {
  const { device, open } = await setUp({ before: { name: 'Ana' } })
  const { result } = open()
  await waitFor(() => expect(result.current.typed).toEqual({ name: 'Ana' }))
  act(() => result.current.change({ name: 'Anna' }))
  expect(result.current).toMatchObject({ typed: { name: 'Anna' }, former: { name: 'Ana' } })
  act(() => result.current.startOver())
  expect(result.current).toMatchObject({ typed: fresh, former: null })
  await expect.poll(() => readDraft(device, 'patient: here')).toBeNull()
})

test('a forgotten text stays on the screen, and text of another place does not come along', async () => {
  const { device, open } = await setUp()
  const { result, rerender } = open()
  await waitFor(() => expect(result.current.typed).toBe(fresh))
  act(() => result.current.change({ name: 'Ana' }))
  await act(async () => expect(await result.current.forget()).toBe(true))
  expect(result.current.typed).toEqual({ name: 'Ana' })
  expect(await readDraft(device, 'patient: here')).toBeNull()
  rerender({ place: 'patient: elsewhere' })
  await waitFor(() => expect(result.current.typed).toBe(fresh))
})

test('a user who begins something else also gets the former text', async () => {
  const { open } = await setUp({ before: { name: 'Ana' } })
  const { result } = open({ goesOn: false })
  await waitFor(() => expect(result.current).toMatchObject({ typed: fresh, former: { name: 'Ana' } }))
})

test('text of another version is ignored, and the form says when text cannot be kept', async () => {
  const other = (await setUp({ before: ['of another version', 7] })).open()
  await waitFor(() => expect(other.result.current).toMatchObject({ typed: fresh, former: null }))
  const { result } = (await setUp({ withKey: false })).open()
  await waitFor(() => expect(result.current.typed).toBe(fresh))
  act(() => result.current.change({ name: 'Ana' }))
  await waitFor(() => expect(result.current.isLost).toBe(true))
})

test('what is typed before the former text is found stays', async () => {
  const { device, open } = await setUp({ before: { name: 'Ana' } })
  const { result } = open()
  act(() => result.current.change({ name: 'B' }))
  expect(result.current.typed).toEqual({ name: 'B' })
  act(() => result.current.change({ name: `${result.current.typed?.name}en` }))
  await expect.poll(() => readDraft(device, 'patient: here')).toEqual({ name: 'Ben' })
  expect(result.current.typed).toEqual({ name: 'Ben' })
})
