// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { createFakeDevice, eastStore, frameOf, itemOf, sheetId, sheetOf } from '#tests/support/fake-count-device.ts'
import { Announcer } from './announcer.tsx'
import { LastScanCard } from './last-scan-card.tsx'
import { SaveProblems } from './save-problems.tsx'

const stock = [
  frameOf(1, { brand_name: 'Ash', title_product: 'Model 1' }),
  frameOf(2, { store_id: eastStore }),
  frameOf(3, { upc: '036000291452' }),
]
const opened: { close(): unknown }[] = []

afterEach(() => {
  cleanup()
  for (const thing of opened.splice(0).toReversed()) void thing.close()
})

async function openScreen() {
  const device = createFakeDevice({ frames: stock })
  await device.hot.sheets.put(sheetOf())
  await device.hot.items.put({
    id_count_sheet: sheetId,
    first: 0,
    items: stock.filter((frame) => frame.store_id === 1).map((frame) => itemOf(frame)),
  })
  const model = new SheetModel(device, sheetId, () => undefined)
  opened.push(device, model)
  await model.open()
  render(
    <DeviceProvider device={device}>
      <Announcer model={model} />
      <SaveProblems model={model} />
      <LastScanCard model={model} />
    </DeviceProvider>,
  )
  return { device, model, scan: (code: string) => act(() => model.scan(code)) }
}

const polite = () => screen.getByTestId('polite').textContent?.trim()
const urgent = () => screen.getByTestId('assertive').textContent?.trim()
const card = () => screen.getByRole('region', { name: 'Last scan' }).textContent ?? ''

describe('the screen reader and the card after a scan', () => {
  test('a counted frame waits for a pause', async () => {
    const { scan } = await openScreen()
    await scan('LG100001')
    expect(polite()).toBe('Counted. Ash Model 1 52-18-140')
    expect(urgent()).toBe('')
    expect(card()).toContain('Counted')
    expect(card()).toContain('Saved')
  })

  test('a frame that is already counted interrupts, with who and when', async () => {
    const { scan } = await openScreen()
    await scan('LG100001')
    await scan('LG100001')
    expect(urgent()).toMatch(/^Already counted\. Ash Model 1 52-18-140\. You scanned it just now$/)
    expect(polite()).toBe('')
  })

  test("a frame of another store interrupts with the store's name", async () => {
    const { scan } = await openScreen()
    await scan('LG100002')
    expect(urgent()).toContain('Set aside')
    expect(urgent()).toContain('Belongs to Eastside')
    expect(card()).toContain('Put this frame in the set-aside tray.')
  })

  test('an unknown code interrupts, and the card names the frame before it', async () => {
    const { scan } = await openScreen()
    await scan('LG100001')
    await scan('NOBODY77')
    expect(urgent()).toContain('No match. NOBODY77')
    expect(card()).toContain('After Ash Model 1 (LG100001)')
  })

  test('a UPC asks for the store tag and offers its frames to choose from', async () => {
    const { model, scan } = await openScreen()
    await scan('036000291452')
    expect(urgent()).toContain('Scan store tag')
    expect(model.ledger.countedTotal).toBe(0)
    await act(async () => {
      screen.getByRole('button', { name: /LG100003/ }).click()
      await model.scan('')
    })
    expect(model.ledger.countedTotal).toBe(1)
    expect(model.ledger.scanOf(3)?.via).toBe('picked')
  })

  test('an undone scan is announced politely and struck through', async () => {
    const { model, scan } = await openScreen()
    await scan('LG100001')
    await act(() => model.undo())
    expect(polite()).toContain('Undone')
    expect(card()).toContain('Undone')
  })

  test('a scan that is not saved says NOT SAVED across the screen and keeps the code', async () => {
    const { device, scan } = await openScreen()
    device.failNext('disk-full')
    await scan('LG100001')
    expect(urgent()).toContain('Not recorded')
    const bar = screen.getByRole('alert')
    expect(bar.textContent).toContain('NOT SAVED')
    expect(bar.textContent).toContain('LG100001')
    act(() => screen.getByRole('button', { name: 'Try again' }).click())
    await waitFor(() => expect(card()).toContain('Counted'))
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
