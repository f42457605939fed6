// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { createFakeDevice, type FakeDevice, frameOf, itemOf, sheetId, sheetOf } from '#tests/support/fake-count-device.ts'
import { CountNotices } from './count-notices.tsx'
import { FirstLoad } from './first-load.tsx'

const opened: { close(): unknown }[] = []

afterEach(() => {
  cleanup()
  for (const thing of opened.splice(0).toReversed()) void thing.close()
})

function tablet(): FakeDevice {
  const device = createFakeDevice()
  opened.push(device)
  return device
}

function show(device: FakeDevice, what: React.ReactNode) {
  render(<DeviceProvider device={device}>{what}</DeviceProvider>)
}

const bar = () => screen.getByRole('progressbar')

test('the first load of a tablet shows its progress in numbers, says that the user may leave, and disappears when done', () => {
  const device = tablet()
  const { progress } = device.mirror
  show(device, <FirstLoad />)
  expect(screen.queryByRole('progressbar')).toBeNull()

  act(() => progress.setState({ loading: { collection: 'frames', done: 12_000, total: 100_000, complete: false } }))
  expect(bar().getAttribute('aria-label')).toBe('Loading frames onto this tablet')
  expect(bar().getAttribute('aria-valuetext')).toBe('12,000 of 100,000')
  expect(screen.getByText('12,000')).toBeDefined()
  expect(screen.getByText('of 100,000')).toBeDefined()
  expect(screen.getByText('You can leave this page. Loading continues.')).toBeDefined()
  // It is part of the page and covers nothing.
  expect(screen.queryByRole('dialog')).toBeNull()

  act(() => progress.setState({ loading: { collection: 'frames', done: 100_000, total: 100_000, complete: true } }))
  expect(bar().getAttribute('aria-valuenow')).toBe('100000')
  act(() => progress.setState({ loading: null }))
  expect(screen.queryByRole('progressbar')).toBeNull()
})

test('without the network the first load says that it waits, and keeps its progress', () => {
  const device = tablet()
  act(() => device.mirror.progress.setState({ loading: { collection: 'count_items', done: 300, total: 900, complete: false } }))
  show(device, <FirstLoad />)
  expect(bar().getAttribute('aria-label')).toBe('Loading onto this tablet')
  act(() => device.connection.setState({ online: false }))
  expect(screen.getByText('Waiting for a connection. Loading will resume.')).toBeDefined()
  expect(bar().getAttribute('aria-valuetext')).toBe('300 of 900')
})

test('a joined count shows how many expected frames are here, until all are', async () => {
  const device = tablet()
  const frames = Array.from({ length: 5 }, (_, at) => itemOf(frameOf(at + 1)))
  const sheet = sheetOf({ expected_count: 5 })
  await device.hot.sheets.put(sheet)
  await device.hot.items.put({ id_count_sheet: sheetId, first: 0, items: frames.slice(0, 2) })
  const model = new SheetModel(device, sheetId, () => undefined)
  opened.push(model)
  await model.open()
  show(device, <CountNotices model={model} sheet={sheet} onShow={() => undefined} />)
  expect(bar().getAttribute('aria-valuetext')).toBe('2 of 5')
  expect(screen.getByText('You can start counting. Your scans are saved.')).toBeDefined()
  await device.hot.items.put({ id_count_sheet: sheetId, first: 2, items: frames.slice(2) })
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
})
