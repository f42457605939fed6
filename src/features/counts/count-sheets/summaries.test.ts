import { afterEach, expect, test } from 'vitest'
import type { CountScan } from '#contract/counts/count-sheets.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { createFakeDevice, eastStore, frameOf, itemOf, sheetId, sheetOf } from '#tests/support/fake-count-device.ts'
import { readSummaries } from './summaries.ts'
import { SheetModel } from './model/sheet-model.ts'

const stock = [
  ...Array.from({ length: 20 }, (_, at) => frameOf(at + 1)),
  frameOf(21, { store_id: eastStore }),
  frameOf(22, { status: 'Sold' }),
  frameOf(23, { upc: '036000291452' }),
]
const codes = [...stock.map((frame) => frame.sku), 'NOBODY1', 'NOBODY2', '036000291452']
const lane = `count:${sheetId}` as const
const opened: { close(): unknown }[] = []

afterEach(async () => {
  for (const thing of opened.splice(0).toReversed()) await thing.close()
})

test.each(Array.from({ length: 12 }, (_, at) => at + 1))(
  'a sheet in the list shows the same figures as the open sheet, after any scans and undos (seed %i)',
  async (seed) => {
    let state = seed
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 4_294_967_296) * below)
    }
    const device = createFakeDevice({ frames: stock })
    await device.hot.sheets.put(sheetOf({ expected_count: 15 }))
    await device.hot.items.put({ id_count_sheet: sheetId, first: 0, items: stock.slice(0, 15).map((frame) => itemOf(frame)) })
    const made: string[] = []
    for (let step = 0; step < 30; step++) {
      const target = made[random(made.length || 1)]
      const raw_code = codes[random(codes.length)] ?? ''
      const match = device.frames.find(raw_code)
      const id_inventory = match && match.by !== 'upc' ? match.frame.id_inventory : null
      const scan = { id_count_sheet: sheetId, raw_code, id_inventory, via: 'scanner' as const, previous_scan: null }
      const result =
        target !== undefined && random(4) === 0
          ? await device.outbox.record('count.undo', lane, { id_count_sheet: sheetId, negates: target }, { title: 'Undo' })
          : await device.outbox.record('count.scan', lane, scan, { title: 'Scan' })
      if (!result.saved) throw new Error('not saved')
      const { command } = result
      // This tablet's clock is wrong, and the server's offset corrects it.
      await device.hot.outbox.update(command.id, { captured: { ...command.captured, server_offset_ms: -random(20_000) } })
      if (command.kind === 'count.scan') made.push(command.id)
      if (random(3) === 0) await device.deliver(command.id, readByServer(command))
    }
    const model = new SheetModel(device, sheetId, () => undefined)
    opened.push(device, model)
    await model.open()
    const [summary] = await readSummaries(device, 1)
    expect(summary).toMatchObject({
      counted: model.ledger.countedTotal,
      exceptions: model.ledger.setAsideTotal,
      unknown: model.ledger.unknownTotal,
      unsent: model.state.getState().unsent,
      onlyHere: false,
    })
  },
)

/** The server knows the real stock. */
function readByServer({ kind, body }: OutboxCommand): Partial<CountScan> {
  if (kind === 'count.undo') return { finding: 'unknown' }
  const id = body['id_inventory']
  if (typeof id !== 'number') return { finding: body['raw_code'] === '036000291452' ? 'model-only' : 'unknown' }
  return id <= 15 ? {} : { finding: 'set-aside', finding_detail: 'Not part of this count' }
}

test('a sheet that is only here shows its expected frames and its counted ones', async () => {
  const device = createFakeDevice({ frames: stock })
  opened.push(device)
  const { id_count_sheet, scope } = sheetOf()
  await device.outbox.record('count.create', lane, { id_count_sheet, scope, notes: '', blind: false }, { title: 'New count' })
  const model = new SheetModel(device, sheetId, () => undefined)
  opened.push(model)
  await model.open()
  await model.scan('LG100001')
  await model.scan('LG100021')
  await model.scan('LG100002')
  await model.undo()
  const [summary] = await readSummaries(device, 1)
  expect(summary).toMatchObject({ counted: 1, exceptions: 1, unknown: 0, onlyHere: true, unsent: 5 })
  expect(summary?.sheet.expected_count).toBe(model.state.getState().sheet?.expected_count)
})
