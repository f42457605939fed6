import { afterEach, describe, expect, test, vi } from 'vitest'
import { frameOf, itemOf, mintId, sheetId, sheetOf } from '#tests/support/fake-count-device.ts'
import { eventually } from '#tests/support/eventually.ts'
import { closeCounts, openCount, opened, rowOf } from '#tests/support/open-count.ts'
import { SheetModel } from './sheet-model.ts'

afterEach(closeCounts)

describe('a change from elsewhere', () => {
  test('a piece scanned on two tablets is counted once, for the earlier author', async () => {
    const { device, model, state } = await openCount()
    await model.scan('LG100001')
    const mine = state().last?.id ?? ''
    await device.hot.scans.put(rowOf('LG100001', 1))
    await eventually(() => expect(model.ledger.scanOf(1)?.author_name).toBe('Ben Ito'))
    expect(model.ledger.countedTotal).toBe(1)
    expect(model.ledger.outcomeOf(model.ledger.events.get(mine)!)).toBe('duplicate')
    expect(state().last?.outcome).toBe('duplicate')
  })

  test('rows that arrive after newer ones are not missed', async () => {
    const { device, model } = await openCount()
    await device.hot.scans.put(rowOf('LG100005', 5, 900))
    await eventually(() => expect(model.ledger.countedTotal).toBe(1))
    await device.hot.scans.bulkPut([rowOf('LG100006', 6, 300), rowOf('LG100007', 7, 301)])
    await eventually(() => expect(model.ledger.countedTotal).toBe(3))
  })

  test("the server's late finding turns Counted into Set aside, loudly", async () => {
    const { device, model, told, state } = await openCount()
    await model.scan('LG100001')
    const id = state().last?.id ?? ''
    await device.deliver(id, { finding: 'set-aside', finding_detail: 'Sold' })
    await eventually(() => expect(state().late).toEqual([{ id, was: 'counted', now: 'set-aside' }]))
    expect(told).toEqual(['counted', 'set-aside'])
    expect(model.ledger.scans.setAside.toArray().map((scan) => scan.finding_detail)).toEqual(['Sold'])
    expect(state().last?.outcome).toBe('set-aside')
  })

  test('every scan says truthfully whether it is saved here, sent, or needs attention', async () => {
    const { device, model, state } = await openCount()
    await model.scan('LG100001')
    const id = state().last?.id ?? ''
    expect(model.deliveryOf(id)).toBe('saved')
    await device.hot.outbox.update(id, { state: 'needs-attention' })
    await eventually(() => expect(model.deliveryOf(id)).toBe('attention'))
    expect(state()).toMatchObject({ unsent: 0, attention: 1 })
    await device.hot.outbox.update(id, { state: 'queued' })
    await eventually(() => expect(model.deliveryOf(id)).toBe('saved'))
    await device.deliver(id)
    await eventually(() => expect(model.deliveryOf(id)).toBe('sent'))
    expect(state()).toMatchObject({ unsent: 0, attention: 0 })
  })

  test('a scan that its author discards leaves the sheet', async () => {
    const { device, model, state } = await openCount()
    await model.scan('LG100001')
    const id = state().last?.id ?? ''
    await device.hot.outbox.update(id, { state: 'needs-attention' })
    await eventually(() => expect(model.deliveryOf(id)).toBe('attention'))
    await device.outbox.discard(id, 'mistake')
    await eventually(() => expect(model.ledger.countedTotal).toBe(0))
  })

  test('scans of another tab of this tablet appear here', async () => {
    const { device, model } = await openCount()
    const other = new SheetModel(device, sheetId, () => undefined)
    opened.push(other)
    await other.open()
    await other.scan('LG100003')
    await eventually(() => expect(model.ledger.countedTotal).toBe(1))
  })

  test('a decision made here shows at once, and the server’s later decision replaces it', async () => {
    const { device, model } = await openCount({ role: 'manager' })
    await model.record(
      'count.decide',
      { id_count_sheet: sheetId, id_inventory: 6, id_scan: null, decision: 'skip', reason: 'Wrong store' },
      'Decide',
    )
    expect(model.ledger.decisions.rowOn('frame:6')).toMatchObject({ decision: 'skip', reason: 'Wrong store' })
    const command = (await device.hot.outbox.toArray())[0]
    await device.hot.transaction('rw', [device.hot.outbox, device.hot.decisions], async () => {
      await device.hot.outbox.delete(command?.id ?? '')
      await device.hot.decisions.put({
        id_count_sheet: sheetId,
        key: 'frame:6',
        decision: 'apply',
        reason: '',
        decided_by_name: 'Maya Lin',
        decided_at: '2026-11-21T10:00:00.000Z',
        revision: 77,
      })
    })
    await eventually(() => expect(model.ledger.decisions.on('frame:6')).toBe('apply'))
  })
})

test('the list of a large sheet comes in many pages, and the ledger adds each of them', async () => {
  const { device, model } = await openCount({}, sheetOf({ expected_count: 60 }))
  const ledger = model.ledger
  const known = ledger.expectedTotal
  const more = Array.from({ length: 60 }, (_, at) => frameOf(5000 + at))
  for (let first = 0; first < more.length; first += 10) {
    const items = more.slice(first, first + 10).map((frame) => itemOf(frame))
    await device.hot.items.put({ id_count_sheet: sheetId, first: items[0]?.id_inventory ?? 0, items })
  }
  await eventually(() => expect(model.ledger.expectedTotal).toBe(known + 60))
  // The ledger is the same object, so nothing was read twice.
  expect(model.ledger).toBe(ledger)
})

describe('a change outside the sheet', () => {
  test('imported work of another tablet shows at once, even with a lower sequence number', async () => {
    const { device, model } = await openCount()
    await model.scan('LG100001')
    const [own] = await device.hot.outbox.toArray()
    if (!own) throw new Error('nothing was saved')
    await device.hot.outbox.add({
      ...own,
      id: mintId(),
      lane_seq: 1,
      device_id: '01890000-0000-7000-8000-0000000000bb',
      author: { id_user: 2, name: 'Ben Ito' },
      body: { ...own.body, raw_code: 'LG100002', id_inventory: 2 },
    })
    await eventually(() => expect(model.ledger.countedTotal).toBe(2))
    expect(model.ledger.scanOf(2)?.author_name).toBe('Ben Ito')
  })

  test('lists say that they may be behind when the storage fails, and catch up with the next change', async () => {
    const { device, model, state } = await openCount()
    const failing = vi.spyOn(device.hot.sheets, 'get').mockRejectedValue(new Error('The storage is closing'))
    await device.hot.sheets.update(sheetId, { notes: 'Someone touched it' })
    await eventually(() => expect(state().behind).toBe('The storage is closing'))
    failing.mockRestore()
    await device.hot.sheets.update(sheetId, { notes: 'Window first' })
    await eventually(() => expect(state()).toMatchObject({ behind: null, sheet: { notes: 'Window first' } }))
    await model.scan('LG100003')
    expect(model.ledger.countedTotal).toBe(1)
  })

  test('movement explains a frame that was sold during the count, and not one that is still in stock', async () => {
    const known = [frameOf(1), frameOf(2)]
    const { device, model } = await openCount({ frames: known })
    vi.spyOn(device.frames, 'get').mockImplementation((id) => (id === 1 ? frameOf(1, { status: 'Sold' }) : frameOf(id)))
    expect(model.explanationOf({ id_inventory: 1, status: 'Ready for Sale' })).toBe('Sold')
    expect(model.explanationOf({ id_inventory: 2, status: 'Ready for Sale' })).toBeNull()
  })
})
