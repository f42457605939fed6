import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ScanOutcome } from '#contract/counts/counting.ts'
import {
  createFakeDevice,
  eastStore,
  type FakeDevice,
  frameOf,
  itemOf,
  mintId,
  sheetId,
  sheetOf,
} from '#tests/support/fake-count-device.ts'
import { SheetModel } from './sheet-model.ts'
import { eventually } from '#tests/support/eventually.ts'

const frames = Array.from({ length: 200 }, (_, at) => frameOf(at + 1))
const opened: (SheetModel | FakeDevice)[] = []

afterEach(async () => {
  for (const thing of opened.splice(0).toReversed()) await thing.close()
})

async function openCount(options: Parameters<typeof createFakeDevice>[0] = {}, sheet = sheetOf()) {
  const known = options.frames ?? frames
  const device = createFakeDevice({ ...options, frames: known })
  if (!options.factory) {
    await device.hot.sheets.put(sheet)
    const items = known
      .filter((frame) => frame.store_id === sheet.store_id && frame.status === 'Ready for Sale')
      .map((frame) => itemOf(frame))
    await device.hot.items.put({ id_count_sheet: sheetId, first: 0, items })
  }
  const told: ScanOutcome[] = []
  const model = new SheetModel(device, sheetId, (outcome) => told.push(outcome))
  opened.push(device, model)
  await model.open()
  return { device, model, told, state: () => model.state.getState() }
}

describe('a sheet that is opened before the frames of the chain have been read', () => {
  function late() {
    let come = () => {}
    let fail: (error: Error) => void = () => {}
    const framesRead = new Promise<void>((resolve, reject) => {
      come = resolve
      fail = reject
    })
    return { framesRead, come, fail }
  }

  test('shows what is expected, and a scan waits for its frame', async () => {
    const { framesRead, come } = late()
    const { device, model, told, state } = await openCount({ framesRead })
    expect(state().status).toBe('ready')
    expect(model.ledger.toFindTotal).toBe(200)
    const scan = model.scan('LG100001')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(told).toEqual([])
    come()
    await scan
    expect(told).toEqual(['counted'])
    expect((await device.hot.outbox.toArray()).map(({ body }) => body['id_inventory'])).toEqual([1])
  })

  test('reads what waits to be sent anew when they come', async () => {
    const elsewhere = frameOf(900, { store_id: eastStore })
    const first = await openCount({ frames: [...frames, elsewhere] })
    await first.model.scan(elsewhere.sku)
    const finding = () => again.model.ledger.scans.log.at(0)?.finding
    first.model.close()
    first.device.hot.close()
    const { framesRead, come } = late()
    const again = await openCount({ factory: first.device.factory, frames: [...frames, elsewhere], framesRead })
    expect(finding()).toBe('unknown')
    come()
    await eventually(() => expect(finding()).toBe('set-aside'))
  })

  test('writes a scan down though they cannot be read, and says that something is wrong', async () => {
    const { framesRead, fail } = late()
    const { device, model, state } = await openCount({ framesRead })
    const scan = model.scan('LG100001')
    fail(new Error('The disk does not answer'))
    await scan
    expect((await device.hot.outbox.toArray()).map(({ body }) => body['raw_code'])).toEqual(['LG100001'])
    expect(state().behind).toBe('The disk does not answer')
  })

  test('writes a scan down though the disk never answers', async () => {
    const { framesRead } = late()
    const { device, model, told } = await openCount({ framesRead })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const scan = model.scan('LG100001')
      await vi.advanceTimersByTimeAsync(4900)
      expect(told).toEqual([])
      await vi.advanceTimersByTimeAsync(200)
      await scan
    } finally {
      vi.useRealTimers()
    }
    expect(told).toHaveLength(1)
    expect((await device.hot.outbox.toArray()).map(({ body }) => body['raw_code'])).toEqual(['LG100001'])
  })
})

describe('counting', () => {
  test('a hundred scans in ten seconds are all stored, once each, and all told', async () => {
    const { device, model, told } = await openCount()
    device.slowness = 3
    await Promise.all(frames.slice(0, 100).map((frame) => model.scan(frame.sku)))
    expect(await device.hot.outbox.count()).toBe(100)
    expect(model.ledger.countedTotal).toBe(100)
    expect(model.ledger.toFindTotal).toBe(100)
    expect(told).toEqual(Array.from({ length: 100 }, () => 'counted'))
    expect(model.state.getState().unsent).toBe(100)
  })

  test('the first count asks the browser to keep what this tablet holds, though nobody pressed Start', async () => {
    const { device, model, told } = await openCount()
    const asked = vi.spyOn(device.storage, 'askToKeep').mockReturnValue(new Promise(() => undefined))
    device.failNext('disk-full')
    await model.scan('LG100001')
    expect(asked).not.toHaveBeenCalled()
    await model.scan('LG100001')
    expect(asked).toHaveBeenCalled()
    // It is told though the browser never answers.
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

  test('after a kill in the middle of a burst everything that was told is there', async () => {
    const first = await openCount()
    await Promise.all(frames.slice(0, 40).map((frame) => first.model.scan(frame.serial)))
    first.model.close()
    first.device.hot.close()
    const again = await openCount({ factory: first.device.factory })
    expect(again.model.ledger.countedTotal).toBe(40)
    expect(again.state().unsent).toBe(40)
    expect(again.state().sheet?.number).toBe(12)
  })

  test('a scan that cannot be saved says so, is not drawn as counted, and is kept to try again', async () => {
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

  test('done again, it stays on the list until it is saved, and goes under the id that it may have got already', async () => {
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

  test('is of the store of its sheet, wherever its person has gone on to work', async () => {
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

  test('a database that throws is a scan that is not saved', async () => {
    const { device, model, told, state } = await openCount()
    vi.spyOn(device.outbox, 'record').mockRejectedValueOnce(new Error('DatabaseClosedError'))
    await model.scan('LG100001')
    expect(told).toEqual(['not-recorded'])
    expect(state().notSaved).toHaveLength(1)
    await model.scan('LG100002')
    expect(model.ledger.countedTotal).toBe(1)
  })

  test('the seven outcomes', async () => {
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

  test('a closed sheet takes nothing and says why', async () => {
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

describe('what is called Sent', () => {
  test('waits for the receipt, though a pull has brought the row before', async () => {
    const { device, model, state } = await openCount()
    await model.scan('LG100001')
    const id = state().last?.id ?? ''
    const command = await device.hot.outbox.get(id)
    if (!command) throw new Error('The scan was not saved')
    await device.deliver(id)
    // The answer is on its way still: the command stands in the outbox beside the row.
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
  test('takes back the last own scan, and then the one before it', async () => {
    const { model } = await openCount()
    await model.scan('LG100001')
    await model.scan('LG100002')
    await model.undo()
    await model.undo()
    await model.undo()
    expect(model.ledger.countedTotal).toBe(0)
    expect(model.state.getState().last?.reason).toBe('You have no scan to undo')
  })

  test('works after the scan was sent, too', async () => {
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

  test("leaves a colleague's scan alone, unless one may close sheets", async () => {
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

function rowOf(code: string, piece: number, revision = 50, at = '2026-11-21T09:10:00.000Z') {
  return {
    id: mintId(),
    id_count_sheet: sheetId,
    raw_code: code,
    id_inventory: piece,
    finding: 'expected' as const,
    finding_detail: null,
    via: 'scanner' as const,
    negates: null,
    previous_scan: null,
    walk: 1,
    captured_at: at,
    author_id: 2,
    author_name: 'Ben Ito',
    device_id: '01890000-0000-7000-8000-0000000000bb',
    revision,
  }
}

describe('what comes from elsewhere', () => {
  test('the same piece on two tablets is counted once, for whoever was earlier', async () => {
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

  test("the server's late word turns Counted into Set aside, loudly", async () => {
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

  test('a scan that its person gave up leaves the sheet', async () => {
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

  test('a decision made here shows at once, and the later word of the server replaces it', async () => {
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

test('the list of a large sheet comes in many pages, each of which is added to what is there', async () => {
  const { device, model } = await openCount({}, sheetOf({ expected_count: 60 }))
  const ledger = model.ledger
  const known = ledger.expectedTotal
  const more = Array.from({ length: 60 }, (_, at) => frameOf(5000 + at))
  for (let first = 0; first < more.length; first += 10) {
    const items = more.slice(first, first + 10).map((frame) => itemOf(frame))
    await device.hot.items.put({ id_count_sheet: sheetId, first: items[0]?.id_inventory ?? 0, items })
  }
  await eventually(() => expect(model.ledger.expectedTotal).toBe(known + 60))
  // It is the same ledger: nothing was read anew.
  expect(model.ledger).toBe(ledger)
})

describe('a sheet that was made offline', () => {
  test('is counted at once with what the mirror knows, and goes on with the list of the server', async () => {
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

  test('is never gone while its making is being settled, and takes the scans of that moment', async () => {
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

  test('opened again before it was sent, its scans count as they did', async () => {
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

  test('what is scanned after a recount that was not sent yet counts in the new walk', async () => {
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

describe('a blind count', () => {
  test('a clerk is told counted or set aside by the scope, and may see nothing that is expected', async () => {
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

describe('what a person may see of the scans', () => {
  test('counting blind their own ones, else those of everybody', async () => {
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

describe('what reaches the sheet by other ways', () => {
  test('work of another tablet that was read in here shows at once, whatever its numbers are', async () => {
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

  test('when the storage fails the lists say that they may be behind, and catch up by themselves', async () => {
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

  test('a frame that was sold meanwhile is explained by movement, and one that stands is not', async () => {
    const known = [frameOf(1), frameOf(2)]
    const { device, model } = await openCount({ frames: known })
    vi.spyOn(device.frames, 'get').mockImplementation((id) => (id === 1 ? frameOf(1, { status: 'Sold' }) : frameOf(id)))
    expect(model.explanationOf({ id_inventory: 1, status: 'Ready for Sale' })).toBe('Sold')
    expect(model.explanationOf({ id_inventory: 2, status: 'Ready for Sale' })).toBeNull()
  })
})
