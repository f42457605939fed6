// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { createFakeDevice, eastStore, frameOf, itemOf, sheetId, sheetOf } from '#tests/support/fake-count-device.ts'
import { ManualEntry } from './manual-entry.tsx'

const upc = '036000291452'
const stock = [...Array.from({ length: 12 }, (_, at) => frameOf(at + 1, { upc })), frameOf(13, { upc, store_id: eastStore })]
const opened: { close(): unknown }[] = []

beforeAll(() => {
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 1200 })
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => 800 })
  Object.defineProperty(HTMLElement.prototype, 'offsetHeight', { configurable: true, get: () => 64 })
})
afterEach(() => {
  cleanup()
  for (const thing of opened.splice(0).toReversed()) void thing.close()
})

async function open(blind: boolean) {
  const device = createFakeDevice({ frames: stock })
  await device.hot.sheets.put(sheetOf({ blind }))
  if (!blind) await device.hot.items.put({ id_count_sheet: sheetId, first: 0, items: stock.slice(0, 12).map((frame) => itemOf(frame)) })
  const model = new SheetModel(device, sheetId, () => undefined)
  opened.push(device, model)
  await model.open()
  render(
    <DeviceProvider device={device}>
      <ManualEntry model={model} />
    </DeviceProvider>,
  )
  await userEvent.type(screen.getByLabelText('Last 4 of the tag'), upc)
  return { device, pieces: within(await screen.findByRole('region', { name: 'Frames with this UPC' })) }
}

test('a typed UPC shows every frame of the store that has it, and the chosen one is counted', async () => {
  const { device, pieces } = await open(false)
  expect(pieces.getByText(/This UPC matches 12 frames/)).toBeTruthy()
  expect(pieces.queryByText(/LG100013/)).toBeNull()
  await userEvent.click(pieces.getByText(/LG100012/))
  await waitFor(async () =>
    expect((await device.hot.outbox.toArray()).map(({ kind, body }) => [kind, body['raw_code'], body['via']])).toEqual([
      ['count.scan', 'LG100012', 'picked'],
    ]),
  )
})

test('in a blind count the frames show neither their number nor their status', async () => {
  const { pieces } = await open(true)
  expect(pieces.getByText('This UPC matches several frames. Choose the one in your hand.')).toBeTruthy()
  expect(pieces.queryByText('Ready for Sale')).toBeNull()
})
