// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { createFakeDevice, frameOf, itemOf, sheetId, sheetOf } from '#tests/support/fake-count-device.ts'
import { PaceDialog } from './pace-dialog.tsx'

const opened: { close(): unknown }[] = []

afterEach(() => {
  cleanup()
  for (const thing of opened.splice(0).toReversed()) void thing.close()
})

async function show(blind: boolean) {
  const frames = Array.from({ length: 6 }, (_, at) => frameOf(at + 1))
  const device = createFakeDevice({ frames })
  await device.hot.sheets.put(sheetOf({ blind }))
  await device.hot.items.put({ id_count_sheet: sheetId, first: 0, items: frames.map((frame) => itemOf(frame)) })
  const model = new SheetModel(device, sheetId, () => undefined)
  opened.push(device, model)
  await model.open()
  render(
    <DeviceProvider device={device}>
      <PaceDialog model={model} onClose={() => undefined} />
    </DeviceProvider>,
  )
  return model
}

test('on a phone a dialog shows who counts, how fast, and the remaining time', async () => {
  const model = await show(false)
  expect(screen.getByRole('dialog', { name: 'Who’s counting and pace' })).toBeDefined()
  expect(screen.getByText('No one has counted a frame yet.')).toBeDefined()
  await act(async () => {
    await model.scan('LG100001')
    await model.scan('LG100002')
  })
  expect(screen.getByRole('region', { name: 'Who’s counting' }).textContent).toContain('You 2')
  expect(screen.getByText(/ a minute, about .* left/)).toBeDefined()
  expect(screen.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('2 of 6')
})

test('a counter of a blind count sees no expected number in it', async () => {
  const model = await show(true)
  await act(() => model.scan('LG100001'))
  expect(screen.getByRole('region', { name: 'Who’s counting' }).textContent).toContain('You 1')
  expect(screen.queryByRole('progressbar')).toBeNull()
})
