import { afterEach, describe, expect, test } from 'vitest'
import { createFakeDevice, itemOf, sheetId, sheetOf } from '#tests/support/fake-count-device.ts'
import { eventually } from '#tests/support/eventually.ts'
import { closeCounts, frames, openCount, opened } from '#tests/support/open-count.ts'
import { SheetModel } from './sheet-model.ts'

afterEach(closeCounts)

describe('a sheet that was made offline', () => {
  test('is counted at once with the frames of the mirror, and continues with the server’s list', async () => {
    const device = createFakeDevice({ frames: frames.slice(0, 10) })
    await device.outbox.record(
      'count.create',
      `count:${sheetId}`,
      { id_count_sheet: sheetId, scope: sheetOf().scope, notes: 'left wall', blind: false },
      { title: 'New count' },
    )
    const model = new SheetModel(device, sheetId, () => undefined)
    opened.push(device, model)
    await model.open()
    expect(model.state.getState()).toMatchObject({
      status: 'ready',
      onlyHere: true,
      sheet: { number: null, notes: 'left wall', expected_count: 10 },
    })
    await model.scan('LG100001')
    expect(model.ledger.toFindTotal).toBe(9)
    const creation = await device.hot.outbox.filter((command) => command.kind === 'count.create').first()
    await device.hot.transaction('rw', [device.hot.outbox, device.hot.sheets, device.hot.items], async () => {
      await device.hot.outbox.delete(creation?.id ?? '')
      await device.hot.sheets.put(sheetOf({ number: 13, expected_count: 8 }))
      await device.hot.items.put({ id_count_sheet: sheetId, first: 0, items: frames.slice(0, 8).map((frame) => itemOf(frame)) })
    })
    await eventually(() => expect(model.state.getState()).toMatchObject({ onlyHere: false, sheet: { number: 13 } }))
    await eventually(() => expect(model.ledger.toFindTotal).toBe(7))
    expect(model.ledger.countedTotal).toBe(1)
  })

  test('never disappears while its creation settles, and takes the scans of that moment', async () => {
    const device = createFakeDevice({ frames: frames.slice(0, 40) })
    const creation = await device.outbox.record(
      'count.create',
      `count:${sheetId}`,
      { id_count_sheet: sheetId, scope: sheetOf().scope, notes: '', blind: false },
      { title: 'New count' },
    )
    if (!creation.saved) throw new Error(creation.problem.message)
    const told: string[] = []
    const statuses = new Set<string>()
    const model = new SheetModel(device, sheetId, (outcome) => told.push(outcome))
    opened.push(device, model)
    await model.open()
    model.state.subscribe(({ status }) => statuses.add(status))
    await device.hot.transaction('rw', [device.hot.outbox, device.hot.sheets, device.hot.items], async () => {
      await device.hot.outbox.delete(creation.command.id)
      await device.hot.sheets.put(sheetOf({ number: 13, expected_count: 40 }))
      await device.hot.items.put({ id_count_sheet: sheetId, first: 0, items: frames.slice(0, 40).map((frame) => itemOf(frame)) })
    })
    for (const { sku } of frames.slice(0, 40)) {
      await model.scan(sku)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await eventually(() => expect(model.state.getState()).toMatchObject({ onlyHere: false, sheet: { number: 13 } }))
    expect([...statuses]).toEqual(['ready'])
    expect(told).toEqual(Array.from({ length: 40 }, () => 'counted'))
    await eventually(() => expect(model.ledger.countedTotal).toBe(40))
  })

  test('keeps its counted scans when it is opened again before it was sent', async () => {
    const device = createFakeDevice({ frames: frames.slice(0, 10) })
    await device.outbox.record(
      'count.create',
      `count:${sheetId}`,
      { id_count_sheet: sheetId, scope: sheetOf().scope, notes: '', blind: false },
      { title: 'New count' },
    )
    const first = new SheetModel(device, sheetId, () => undefined)
    opened.push(device, first)
    await first.open()
    await first.scan('LG100001')
    await first.scan('LG100002')
    const again = new SheetModel(device, sheetId, () => undefined)
    opened.push(again)
    await again.open()
    expect(again.ledger.countedTotal).toBe(2)
    expect(again.ledger.unknownTotal).toBe(0)
  })

  test('counts scans after an unsent recount in the new walk', async () => {
    const { device, model } = await openCount()
    await model.scan('LG100001')
    await model.record('count.recount', { id_count_sheet: sheetId }, 'Recount')
    expect(model.ledger.countedTotal).toBe(0)
    await model.scan('LG100002')
    expect(model.ledger.countedTotal).toBe(1)
    const again = new SheetModel(device, sheetId, () => undefined)
    opened.push(again)
    await again.open()
    expect(again.ledger.countedTotal).toBe(1)
  })
})
