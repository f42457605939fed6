// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { createFakeDevice, frameOf, itemOf, sheetId, sheetOf } from '#tests/support/fake-count-device.ts'
import { BrandProgressList, CountFigures } from './count-figures.tsx'

// Twenty frames of each of three brands, which alternate by id.
const stock = Array.from({ length: 60 }, (_, at) => frameOf(at + 1))
const opened: { close(): unknown }[] = []

afterEach(() => {
  cleanup()
  for (const thing of opened.splice(0).toReversed()) void thing.close()
})

/** Opens a count of the whole stock. Each scan takes a tenth of a second of the fake tablet's clock. */
async function openCount(options: { blind?: boolean } = {}) {
  const device = createFakeDevice({ frames: stock })
  await device.hot.sheets.put(sheetOf({ blind: options.blind ?? false }))
  if (!options.blind) await device.hot.items.put({ id_count_sheet: sheetId, first: 0, items: stock.map((frame) => itemOf(frame)) })
  const model = new SheetModel(device, sheetId, () => undefined)
  opened.push(device, model)
  await model.open()
  render(
    <DeviceProvider device={device}>
      <CountFigures model={model} />
      <BrandProgressList model={model} />
    </DeviceProvider>,
  )
  const count = (from: number, to: number) =>
    act(() => Promise.all(stock.slice(from, to).map((frame) => model.scan(frame.sku))).then(() => undefined))
  return { device, model, count }
}

/** Returns the progress of each brand. */
const brands = () =>
  within(screen.getByRole('region', { name: 'Progress by brand' }))
    .getAllByRole('progressbar')
    .map((bar) => `${bar.getAttribute('aria-label')} ${bar.getAttribute('aria-valuetext')}`)

test('every brand shows its progress, and leaves the list when it is done', async () => {
  const { count, model } = await openCount()
  expect(brands()).toEqual(['Ash 0 of 20', 'Birch 0 of 20', 'Cedar 0 of 20'])
  await count(0, 12)
  expect(brands()).toEqual(['Ash 4 of 20', 'Birch 4 of 20', 'Cedar 4 of 20'])
  const ash = stock.filter((frame) => frame.brand_name === 'Ash')
  await act(() => Promise.all(ash.map((frame) => model.scan(frame.sku))).then(() => undefined))
  expect(brands()).toEqual(['Birch 4 of 20', 'Cedar 4 of 20'])
})

test('the pace and the remaining time show after a few scans', async () => {
  const { count, device } = await openCount()
  const figures = within(screen.getByRole('region', { name: 'Count so far' }))
  expect(figures.getByText('Your pace shows after a few scans')).toBeDefined()
  expect(figures.getByRole('progressbar', { name: 'Found' }).getAttribute('aria-valuetext')).toBe('0 of 60')
  // Twenty scans in two minutes leave four minutes for the other forty.
  const began = device.serverNow()
  await count(0, 19)
  Object.assign(device, { serverNow: () => began + 120_000 })
  await count(19, 20)
  expect(figures.getByText(/a minute/).textContent).toBe('10 a minute, about 4 min left')
  expect(figures.getByRole('progressbar', { name: 'Found' }).getAttribute('aria-valuetext')).toBe('20 of 60')
  await count(20, 60)
  expect(figures.getByText(/a minute/).textContent).not.toContain('left')
})

test('a counter of a blind count sees neither brands nor a pace, because both would show the expected number', async () => {
  const { count } = await openCount({ blind: true })
  await count(0, 6)
  expect(screen.queryByRole('region', { name: 'Progress by brand' })).toBeNull()
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(screen.queryByText(/a minute/)).toBeNull()
})
