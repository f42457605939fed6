import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { gtin14 } from '#contract/core/codes.ts'
import type { Frame } from '#contract/stock/frames.ts'
import { storeInvoiceEndpoints } from '#contract/receiving/store-invoices.ts'
import { priceColumns } from '#server/domain/stock/model-prices.ts'
import { recordFrameState } from '#src/domain/frames/record-frame-state.ts'
import { recordLabelRequests } from '#src/domain/labels/record-label-requests.ts'
import { recordReceivedPiece } from '#src/domain/receiving/record-received-piece.ts'
import type { Device } from '#src/sync/device/device.ts'
import { allSent, ClinicDay } from '#tests/support/clinic-day.ts'
import { until } from '#tests/support/test-device.ts'

const bookedPrice = { list_cost: 8000, discount_pct: 10, msrp: null, rule: { kind: 'fixed' as const, cents: 19_900 } }

let day: ClinicDay

beforeEach(async () => {
  day = await ClinicDay.begin()
})
afterEach(() => day.end())

/** A tablet with the frames and a signed-in user. */
async function at(username: string) {
  const { tablet, device } = await day.at(username)
  await until('the frames are there', () => Promise.resolve(device.frames.size() > 0))
  return { tablet, device }
}

function piece(device: Device, nth: number): Frame {
  const found = device.frames.find(day.code(nth))
  if (!found || found.by === 'upc') throw new Error(`No frame ${nth} on the tablet`)
  return found.frame
}

const historyOf = (nth: number) =>
  day.server.db.pool
    .selectFrom('frame_history')
    .selectAll()
    .where('id_inventory', '=', day.server.seed.frames.downtown[nth]!.id_inventory)
    .execute()

/** A model of the library, and an open delivery with a line for it. */
async function delivery(device: Device): Promise<{ upc: string; id_model: number; id_vendor_invoice: string }> {
  const upc = '036000291452'
  const db = day.server.db.pool
  const brand = await db.selectFrom('brands').select(['brand_id', 'vendor_id']).limit(1).executeTakeFirstOrThrow()
  const changed_at = new Date(day.server.clock.now()).toISOString()
  const product = { brand_id: brand.brand_id, title: 'Ferry', changed_at }
  const { id_product } = await db.insertInto('products').values(product).returning('id_product').executeTakeFirstOrThrow()
  const look = { title_variant: 'Slate', color_code: '', color_name: 'Slate', eye: 52, bridge: 17, temple: 140 }
  const { id_model } = await db
    .insertInto('models')
    .values({ id_product, ...look, upc, gtin: gtin14(upc), ...priceColumns(bookedPrice), min_qty: 0, changed_at })
    .returning('id_model')
    .executeTakeFirstOrThrow()
  const [invoice_id, id_vendor_invoice] = [uuidv7(), uuidv7()]
  const vendor_invoice = { id_vendor_invoice, vendor_id: brand.vendor_id, vendor_invoice_no: 'NL-7' }
  const made = await device.call(storeInvoiceEndpoints.createInvoice, { body: { invoice_id, vendor_invoice } as never })
  expect(made.ok).toBe(true)
  return { upc, id_model, id_vendor_invoice }
}

describe('a day in the stockroom without a connection', () => {
  test('a defective frame is recorded at once, survives a restart, and reaches the server and the other tablet once', async () => {
    const [here, there] = [await at('ben'), await at('maya')]
    here.tablet.network.online = false
    expect(await recordFrameState(here.device, piece(here.device, 3), 'state_defective', 'left hinge')).toBeNull()
    expect(await historyOf(3)).toEqual([])
    await here.device.close()
    const again = await here.tablet.open()
    expect(await again.hot.outbox.count()).toBe(1)

    here.tablet.network.online = true
    await allSent(again)
    expect(await historyOf(3)).toMatchObject([{ rep: 'Ben Halvorsen', action: 'Defective', extra: 'left hinge' }])
    for (const device of [again, there.device])
      await until('the tablet knows it', () => Promise.resolve(piece(device, 3).status === 'Defective'))
    expect([...here.tablet.surprises, ...there.tablet.surprises]).toEqual([])
  })

  test('two users change the same frame: one wins, and the other is refused and loses no typed text', async () => {
    const [here, there] = [await at('ben'), await at('maya')]
    here.tablet.network.online = false
    expect(await recordFrameState(here.device, piece(here.device, 4), 'state_return_vendor', 'RMA 7')).toBeNull()
    expect(await recordFrameState(there.device, piece(there.device, 4), 'state_remove', '')).toBeNull()
    await allSent(there.device)

    here.tablet.network.online = true
    const waiting = () => here.device.hot.outbox.toArray()
    await until('it waits for a person', async () => (await waiting()).every(({ state }) => state === 'needs-attention'))
    expect(await waiting()).toMatchObject([{ body: { note: 'RMA 7' }, last_error: { code: 'frame-changed' } }])
    expect(await historyOf(4)).toMatchObject([{ rep: 'Maya Okonjo', action: 'Item is missing' }])
    // The tablet's other commands still leave.
    expect(await recordFrameState(here.device, piece(here.device, 5), 'state_remove', '')).toBeNull()
    await until('the other one is sent', async () => (await waiting()).length === 1)
    expect(await historyOf(5)).toHaveLength(1)
  })

  test('a label is requested on two tablets, survives a restart, and waits at the server once', async () => {
    const [here, there] = [await at('ben'), await at('maya')]
    here.tablet.network.online = false
    expect(await recordLabelRequests(here.device, [piece(here.device, 6), piece(here.device, 7)])).toBeNull()
    await here.device.close()
    const again = await here.tablet.open()
    expect(await again.hot.outbox.count()).toBe(2)
    expect(await recordLabelRequests(there.device, [piece(there.device, 6)])).toBeNull()
    await allSent(there.device)

    here.tablet.network.online = true
    await allSent(again)
    const list = await day.server.db.pool.selectFrom('label_request').selectAll().orderBy('id_inventory').execute()
    const wanted = [6, 7].map((nth) => day.server.seed.frames.downtown[nth]!.id_inventory)
    expect(list.map(({ id_inventory, asked_by, state }) => [id_inventory, asked_by, state])).toEqual([
      [wanted[0], 'Maya Okonjo', 'waiting'],
      [wanted[1], 'Ben Halvorsen', 'waiting'],
    ])
    expect([...here.tablet.surprises, ...there.tablet.surprises]).toEqual([])
  })

  test('a delivery is received over a lost answer and a restart offline, and every piece is in stock once', async () => {
    const here = await at('ben')
    const { upc, id_model, id_vendor_invoice } = await delivery(here.device)
    const db = day.server.db.pool

    // The server took this scan, and its answer got lost. It waits under the same id.
    const scan = { id_vendor_invoice, receive_id: uuidv7(), code: upc, id_model: null, learn: null, quantity: 1, confirmed: true }
    const call = { receive_id: scan.receive_id, code: upc }
    const taken = await here.device.call(storeInvoiceEndpoints.receivePieces, { params: { id: id_vendor_invoice }, body: call as never })
    expect(taken.ok).toBe(true)
    here.tablet.network.online = false
    for (const body of [scan, { ...scan, receive_id: uuidv7() }, { ...scan, receive_id: uuidv7(), code: '036000999990' }])
      expect(await recordReceivedPiece(here.device, body, 'Received', null)).toBeNull()
    await here.device.close()
    const again = await here.tablet.open()
    expect(await again.hot.outbox.count()).toBe(3)

    here.tablet.network.online = true
    await until('the one with an unknown code waits for a person', async () => {
      const left = await again.hot.outbox.toArray()
      return left.length === 1 && left[0]!.state === 'needs-attention'
    })
    expect(await again.hot.outbox.toArray()).toMatchObject([{ body: { code: '036000999990' }, last_error: { code: 'model-unknown' } }])
    // A user finds the model: the piece is the same, and the tablet knows the next scan of its UPC at once.
    const [left] = await again.hot.outbox.toArray()
    await again.outbox.correct(left!.id, { ...left!.body, code: null, id_model, learn: '036000999990' })
    expect(await recordReceivedPiece(again, { ...scan, receive_id: uuidv7(), code: '036000999990' }, 'Received', null)).toBeNull()
    await allSent(again)
    const pieces = await db
      .selectFrom('frames')
      .select(['id_inventory', 'sku'])
      .where('id_vendor_invoice', '=', id_vendor_invoice)
      .execute()
    expect(pieces).toHaveLength(4)
    for (const { sku } of pieces) await until('the tablet knows its tag', () => Promise.resolve(again.frames.find(sku) !== null))
    const history = await db
      .selectFrom('frame_history')
      .select('action')
      .where('id_inventory', '>=', Math.min(...pieces.map(({ id_inventory }) => id_inventory)))
      .execute()
    expect(history.map(({ action }) => action)).toEqual(Array.from({ length: 4 }, () => 'Received'))
    expect(here.tablet.surprises).toEqual([])
  })

  test('the user of a tablet can correct a scan that came from another tablet in a file', async () => {
    const [here, there] = [await at('ben'), await at('maya')]
    const { id_model, id_vendor_invoice } = await delivery(here.device)
    const scan = {
      id_vendor_invoice,
      receive_id: uuidv7(),
      code: '036000999990',
      id_model: null,
      learn: null,
      quantity: 1,
      confirmed: true,
    }
    here.tablet.network.online = false
    expect(await recordReceivedPiece(here.device, scan, 'Received', null)).toBeNull()
    expect(await there.device.outbox.importUnsent(await here.device.outbox.exportUnsent())).toMatchObject({ added: 1, problems: [] })
    const waiting = () => there.device.hot.outbox.toArray()
    await until('it waits for a person', async () => (await waiting())[0]?.last_error?.code === 'model-unknown')
    const [carried] = await waiting()
    // The user corrects it offline, and another user's session sends it. It carries this tablet's proof.
    there.tablet.network.online = false
    await there.device.outbox.correct(carried!.id, { ...carried!.body, code: null, id_model })
    await there.device.session.deleteTokens()
    there.tablet.network.online = true
    await day.signIn(there.device, 'ana')
    await allSent(there.device)

    const history = await day.server.db.pool.selectFrom('frame_history').select('rep').where('action', '=', 'Received').execute()
    expect(history).toEqual([{ rep: 'Maya Okonjo' }])
    // The first tablet still has it, and nothing is received twice.
    here.tablet.network.online = true
    await until('it was heard of there', async () =>
      (await here.device.hot.outbox.toArray()).every(({ state }) => state === 'needs-attention'),
    )
    expect(await day.server.db.pool.selectFrom('frame_history').select('rep').where('action', '=', 'Received').execute()).toEqual(history)
    expect([...here.tablet.surprises, ...there.tablet.surprises]).toEqual([])
  })
})
