// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { CountLedger } from '#contract/counts/count-ledger.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { createFakeDevice, frameOf, itemOf } from '#tests/support/fake-count-device.ts'
import { toFindPaper } from '../model/to-find-paper.ts'
import { ToFindRows } from '../model/to-find-rows.ts'
import { ToFindPrint } from './to-find-print.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const frames = [
  frameOf(1, { brand_name: 'Ash', board_location: 'Wall A' }),
  frameOf(2, { brand_name: 'Ash', board_location: 'Wall A', pb_selling_price: null, last_seen_at: '2026-05-03T12:00:00.000Z' }),
  frameOf(3, { brand_name: 'Birch', board_location: null, size_lens_width: null, size_bridge_width: null, size_temple_length: null }),
]
function listOf(filter: string, moved: ReadonlyMap<number, string> = new Map()): ToFindRows {
  const ledger = new CountLedger()
  ledger.addItems(frames.map((frame) => itemOf(frame)))
  return new ToFindRows(ledger, 'shelf', filter, moved)
}

test('the frames to find are on paper in the groups of the screen, moved ones last', () => {
  const [heading, note, table] = toFindPaper('Count #12: to find', listOf('', new Map([[1, 'Sold']])), ' ', undefined)
  expect([heading, note]).toEqual([
    { kind: 'heading', text: 'Count #12: to find' },
    { kind: 'text', text: '3 frames' },
  ])
  expect(table).toMatchObject({
    rows: [
      'Ash · Wall A',
      ['☐', 'LG100002', 'Ash Model 2 Black', '52-18-140', 'Wall A', '–', '05/03/2026'],
      'Birch · No board',
      ['☐', 'LG100003', 'Birch Model 3 Black', '–', '–', '$100.03', 'never'],
      'Moved or sold during the count (1)',
      ['☐', 'LG100001', 'Ash Model 1 Black', '52-18-140', 'Sold', '$100.01', 'never'],
    ],
  })
})

test('the paper of a filtered list names the filter', () => {
  const [, note] = toFindPaper('New count: to find', listOf('birch'), ' birch ', undefined)
  expect(note).toEqual({ kind: 'text', text: '1 frame · Filtered by “birch”' })
})

test('the button prints the whole list', () => {
  const printed: string[] = []
  vi.stubGlobal('print', () => {
    act(() => void window.dispatchEvent(new Event('beforeprint')))
    printed.push(document.querySelector('.paper')?.textContent ?? '')
    act(() => void window.dispatchEvent(new Event('afterprint')))
  })
  const device = createFakeDevice({ frames })
  render(
    <DeviceProvider device={device}>
      <ToFindPrint title="Count #12: to find" list={listOf('')} filter="" />
    </DeviceProvider>,
  )
  act(() => screen.getByRole('button', { name: 'Print this list' }).click())
  expect(printed).toHaveLength(1)
  for (const { sku } of frames) expect(printed[0]).toContain(`☐${sku}`)
  expect(document.querySelector('.paper')).toBeNull()
})
