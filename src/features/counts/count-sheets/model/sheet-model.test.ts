import { afterEach, describe, expect, test, vi } from 'vitest'
import { createFakeDevice, eastStore, frameOf, sheetId, sheetOf } from '#tests/support/fake-count-device.ts'
import { eventually } from '#tests/support/eventually.ts'
import { closeCounts, frames, openCount, opened, rowOf } from '#tests/support/open-count.ts'
import { SheetModel } from './sheet-model.ts'

afterEach(closeCounts)

describe('counting', () => {
  test('a hundred scans at once are all stored, once each, and each gets its outcome', async () => {
    const { device, model, told } = await openCount()
    device.slowness = 3
    await Promise.all(frames.slice(0, 100).map((frame) => model.scan(frame.sku)))
    expect(await device.hot.outbox.count()).toBe(100)
    expect(model.ledger.countedTotal).toBe(100)
    expect(model.ledger.toFindTotal).toBe(100)
    expect(told).toEqual(Array.from({ length: 100 }, () => 'counted'))
    expect(model.state.getState().unsent).toBe(100)
  })

  test('the first counted scan asks the browser to keep the tablet’s data, even if nobody pressed Start', async () => {
    const { device, model, told } = await openCount()
    const asked = vi.spyOn(device.storage, 'askToKeep').mockReturnValue(new Promise(() => undefined))
    device.failNext('disk-full')
    await model.scan('LG100001')
    expect(asked).not.toHaveBeenCalled()
    await model.scan('LG100001')
    expect(asked).toHaveBeenCalled()
    // The user gets the outcome even if the browser never answers.
    expect(told).toEqual(['not-recorded', 'counted'])
  })

  test('the sound comes only after the scan is on the disk', async () => {
    const { device, model, told } = await openCount()
    device.slowness = 30
    const scan = model.scan('LG100001')
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(told).toEqual([])
    expect(model.ledger.countedTotal).toBe(0)
    await scan
    expect(told).toEqual(['counted'])
  })

  test('after a crash right after a burst every confirmed scan is there', async () => {
    const first = await openCount()
    await Promise.all(frames.slice(0, 40).map((frame) => first.model.scan(frame.serial)))
    first.model.close()
    first.device.hot.close()
    const again = await openCount({ factory: first.device.factory })
    expect(again.model.ledger.countedTotal).toBe(40)
    expect(again.state().unsent).toBe(40)
    expect(again.state().sheet?.number).toBe(12)
  })

  test('a scan that cannot be saved says so, is not shown as counted, and is kept to try again', async () => {
    const { device, model, told, state } = await openCount()
    device.failNext('disk-full')
    await model.scan('LG100001')
    expect(told).toEqual(['not-recorded'])
    expect(model.ledger.events.size).toBe(0)
    expect(state().notSaved).toMatchObject([{ code: 'LG100001', problem: { reason: 'disk-full' } }])
    await model.retryNotSaved()
    expect(told).toEqual(['not-recorded', 'counted'])
    expect(state().notSaved).toEqual([])
    expect(model.ledger.countedTotal).toBe(1)
  })

  test('a retried scan stays on the list until it is saved, and keeps the id that it may already have', async () => {
    const { device, model, state } = await openCount()
    const record = vi.spyOn(device.outbox, 'record')
    record.mockResolvedValueOnce({ saved: false, problem: { reason: 'storage-closed', message: 'No answer', id: 'perhaps-there' } })
    await model.scan('LG100001')
    record.mockResolvedValueOnce({ saved: false, problem: { reason: 'disk-full', message: 'Full' } })
    await model.scan('LG100002')
    model.setPaused(true)
    await model.retryNotSaved()
    expect(state().notSaved.map(({ code }) => code)).toEqual(['LG100001', 'LG100002'])
    model.setPaused(false)
    record.mockResolvedValueOnce({ saved: false, problem: { reason: 'storage-closed', message: 'No answer', id: 'perhaps-there' } })
    await model.retryNotSaved()
    expect(state().notSaved.map(({ code }) => code)).toEqual(['LG100001'])
    await model.retryNotSaved()
    expect(state().notSaved).toEqual([])
    expect(record.mock.lastCall?.[3]).toMatchObject({ id: 'perhaps-there' })
    expect(model.ledger.countedTotal).toBe(2)
  })

  test('the work on a sheet belongs to the sheet’s store, even when its author now works in another one', async () => {
    const { device, model } = await openCount({}, sheetOf({ store_id: eastStore }))
    const record = vi.spyOn(device.outbox, 'record')
    await model.scan('LG100001')
    await model.undo()
    await model.record('count.note', { id_count_sheet: sheetId, notes: 'x' }, 'Notes')
    expect(record.mock.calls.map(([kind, , , more]) => [kind, more.store_id])).toEqual([
      ['count.scan', eastStore],
      ['count.undo', eastStore],
      ['count.note', eastStore],
    ])
  })

  test('a scan is not saved when the database throws', async () => {
    const { device, model, told, state } = await openCount()
    vi.spyOn(device.outbox, 'record').mockRejectedValueOnce(new Error('DatabaseClosedError'))
    await model.scan('LG100001')
    expect(told).toEqual(['not-recorded'])
    expect(state().notSaved).toHaveLength(1)
    await model.scan('LG100002')
    expect(model.ledger.countedTotal).toBe(1)
  })

  test('a scan has one of seven outcomes', async () => {
    const stock = [
      ...frames.slice(0, 5),
      frameOf(6, { store_id: eastStore }),
      frameOf(7, { status: 'Sold' }),
      frameOf(8, { upc: '036000291452' }),
      frameOf(9, { upc: '036000291452' }),
    ]
    const { model, told, state } = await openCount({ frames: stock })
    await model.scan(']C1lg100001\r')
    await model.scan('LG100001')
    await model.scan('LG100006')
    expect(model.ledger.events.get(state().last?.id ?? '')?.finding_detail).toBe('Belongs to Eastside')
    await model.scan('LG100007')
    await model.scan('NOBODY1')
    await model.scan('036000291452')
    expect(model.candidatesFor('36000291452').map((frame) => frame.id_inventory)).toEqual([8, 9])
    await model.undo()
    model.setPaused(true)
    await model.scan('LG100002')
    expect(told).toEqual(['counted', 'duplicate', 'set-aside', 'set-aside', 'unknown', 'model-only', 'undone', 'not-recorded'])
    expect(state().last?.reason).toBe('The count is paused')
    expect(model.ledger.countedTotal).toBe(1)
  })

  test('a closed sheet refuses a scan and says why', async () => {
    const { device, model, told, state } = await openCount({}, sheetOf({ phase: 'closed' }))
    await model.scan('LG100001')
    expect(told).toEqual(['not-recorded'])
    expect(state().last?.reason).toBe('This count sheet is closed')
    expect(await device.hot.outbox.count()).toBe(0)
  })

  test('the codes on the card undo and pause', async () => {
    const { model, told, state } = await openCount()
    await model.scan('LG100001')
    await model.scan('cmd:undo')
    expect(told).toEqual(['counted', 'undone'])
    expect(model.ledger.countedTotal).toBe(0)
    await model.scan('CMD:PAUSE')
    expect(state().paused).toBe(true)
    await model.scan('CMD:PAUSE')
    expect(state().paused).toBe(false)
  })
})

describe('the word Sent', () => {
  test('waits for the receipt, even when a pull brings the row first', async () => {
    const { device, model, state } = await openCount()
    await model.scan('LG100001')
    const id = state().last?.id ?? ''
    const command = await device.hot.outbox.get(id)
    if (!command) throw new Error('The scan was not saved')
    await device.deliver(id)
    // The receipt is still on its way: the command is in the outbox, and its row is here.
    await device.hot.outbox.put(command)
    await model.again()
    expect(model.deliveryOf(id)).toBe('saved')
    expect(state().unsent).toBe(1)
    expect(model.ledger.countedTotal).toBe(1)
    await device.hot.outbox.delete(id)
    await eventually(() => expect(model.deliveryOf(id)).toBe('sent'))
    expect(state().unsent).toBe(0)
    expect(model.ledger.countedTotal).toBe(1)
  })
})

describe('undo', () => {
  test('takes back the user’s last scan, and then the one before it', async () => {
    const { model } = await openCount()
    await model.scan('LG100001')
    await model.scan('LG100002')
    await model.undo()
    await model.undo()
    await model.undo()
    expect(model.ledger.countedTotal).toBe(0)
    expect(model.state.getState().last?.reason).toBe('You have no scan to undo')
  })

  test('also works after the scan was sent', async () => {
    const { device, model, state } = await openCount()
    await model.scan('LG100001')
    const id = state().last?.id ?? ''
    await device.deliver(id)
    await eventually(() => expect(model.deliveryOf(id)).toBe('sent'))
    await model.undo()
    expect(model.ledger.countedTotal).toBe(0)
    const undo = (await device.hot.outbox.toArray())[0]
    await device.deliver(undo?.id ?? '', { id_inventory: 1 })
    await eventually(() => expect(state().unsent).toBe(0))
    expect(model.ledger.countedTotal).toBe(0)
  })

  test("leaves a colleague's scan alone, unless the user may close sheets", async () => {
    const clerk = await openCount()
    const scan = { ...rowOf('LG100001', 1), author_id: 2, author_name: 'Ben Ito' }
    await clerk.device.hot.scans.put(scan)
    await eventually(() => expect(clerk.model.ledger.countedTotal).toBe(1))
    expect(clerk.model.mayUndo(scan)).toBe(false)
    await clerk.model.undo(scan.id)
    expect(clerk.model.ledger.countedTotal).toBe(1)
    const manager = await openCount({ role: 'manager' })
    expect(manager.model.mayUndo(scan)).toBe(true)
  })
})

describe('a blind count', () => {
  test('tells a clerk Counted or Set aside by the scope, and hides the expected frames', async () => {
    const device = createFakeDevice({ frames })
    await device.hot.sheets.put(sheetOf({ blind: true, scope: { ...sheetOf().scope, brand_ids: [2] } }))
    const model = new SheetModel(device, sheetId, () => undefined)
    opened.push(device, model)
    await model.open()
    expect(model.seesExpected()).toBe(false)
    await model.scan('LG100001')
    await model.scan('LG100002')
    expect(model.ledger.countedTotal).toBe(1)
    expect(model.ledger.scans.setAside.toArray().map((scan) => scan.finding_detail)).toEqual(['Not part of this count'])
  })
})

describe('the scans that a user sees', () => {
  test('are their own in a blind count, and those of all users in any other', async () => {
    const seen = async (blind: boolean) => {
      const { device, model } = await openCount({}, sheetOf({ blind }))
      await model.scan('LG100001')
      await model.scan('NOBODY1')
      await device.hot.scans.bulkPut([
        rowOf('LG100002', 2),
        { ...rowOf('NOBODY2', 0, 51), id_inventory: null, finding: 'unknown' as const },
      ])
      await eventually(() => expect(model.ledger.events.size).toBe(4))
      const { counted, unknown, log } = model.scans()
      return [counted, unknown, log].map((list) => list.length)
    }
    expect(await seen(true)).toEqual([1, 1, 2])
    expect(await seen(false)).toEqual([2, 2, 4])
  })
})
