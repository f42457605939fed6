import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gtinCheckDigit } from '#contract/core/codes.ts'
import type { VendorInvoice } from '#contract/receiving/store-invoices.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'
import {
  call,
  change,
  closeRoom,
  done,
  east,
  frameOf,
  invoice,
  model,
  openRoom,
  receive,
  receiveRefused,
  refused,
  root,
  server,
  sku,
  step,
  tokens,
  view,
} from '#tests/support/receiving-room.ts'

beforeAll(openRoom)
afterAll(closeRoom)

describe('receiving', () => {
  test('makes a piece with tag, F#, the price of the price book, cost and the first row of its history', async () => {
    const { upc, id_model, title } = await model()
    const one = await invoice()
    // A spreadsheet or a scanner drops the leading zero.
    const { pieces, warning, vendor_invoice: now } = await receive(one, { code: String(Number(upc)), quantity: 2 }, tokens.ben)
    expect(warning).toBeNull()
    expect(pieces).toHaveLength(2)
    const [{ frame }] = pieces as [(typeof pieces)[0]]
    expect(frame).toMatchObject({ status: 'Ready for Sale', store_id: 1, title_product: title, pb_selling_price: 19_900, upc })
    expect(frame.sku).toBe(`DT-${String(frame.id_inventory).padStart(6, '0')}`)
    expect(frame.serial).toBe(`F${String(100_000 + frame.id_inventory).padStart(7, '0')}`)
    expect(await frameOf(frame.sku)).toMatchObject({ id_model, item_list_cost: 8000, item_discount: 10, item_net: 7200 })
    const { general_info, transaction_history } = await done('GET', `/api/inventory/history?sku=${frame.sku}`, tokens.maya)
    expect(general_info.receipt_add).toMatchObject({ number: String(one.number) })
    expect(transaction_history).toMatchObject([
      { action: 'Received', rep: 'Ben Halvorsen', extra: `Receipt ${one.number}, invoice ${one.vendor_invoice_no}` },
    ])
    expect(now).toMatchObject({ status: 'receiving', pieces: 2, invoiced: null, lines_off: 0 })
    expect(now.lines).toMatchObject([{ id_model, qty_invoiced: null, qty_received: 2 }])
  })

  test('makes no second piece of a repeated request: at once, later, or after the piece is deleted', async () => {
    const { id_model, upc } = await model()
    const one = await invoice()
    const body = { receive_id: uuidv7(), code: upc }
    const [first, second] = await Promise.all([receive(one, body), receive(one, body, tokens.ben)])
    expect(first.pieces[0]?.frame.id_inventory).toBe(second.pieces[0]?.frame.id_inventory)
    const again = await receive(one, body)
    expect(again.vendor_invoice.pieces).toBe(1)
    await done('DELETE', `${root}/delete-item`, tokens.ben, { sku: sku(again.vendor_invoice), invoice_id: one.invoice_id })
    expect(await receive(one, body)).toMatchObject({ pieces: [], vendor_invoice: { pieces: 0, status: 'draft' } })
    const other = await invoice()
    expect(await receiveRefused(other, { ...body, id_model, code: undefined })).toEqual([409, 'key-reused'])
  })

  test('warns of a piece that is not on the invoice, is of another vendor, or has no price', async () => {
    const [on, off] = [await model(), await model({ brand_id: 2, prices: { rule: { kind: 'fixed', cents: null }, list_cost: null } })]
    const one = await change(await invoice(), { lines: [{ id_model: on.id_model, qty_invoiced: 1 }] })
    const { warning, vendor_invoice: now } = await receive(one, { id_model: off.id_model })
    expect(warning).toBe('Not on this invoice. Northlight Optical doesn’t carry this brand. No selling price yet.')
    expect(now).toMatchObject({ missing_prices: 1, lines_off: 2, totals: { missing_costs: 1, subtotal_cents: 0 } })
  })

  test('asks before it receives more than the invoice has, a model that is not on it, or another vendor’s brand', async () => {
    const [on, off, foreign] = [await model(), await model(), await model({ brand_id: 2 })]
    const one = await change(await invoice(), { lines: [{ id_model: on.id_model, qty_invoiced: 1 }] })
    const ask = async (what: Record<string, unknown>) => {
      const path = `${root}/vendor_invoices/${one.id_vendor_invoice}/receive`
      const { status, json } = await call('POST', path, tokens.ben, { receive_id: uuidv7(), confirmed: false, ...what })
      return [status, json.code, json.details?.asks]
    }
    await receive(one, { code: on.upc, confirmed: false })
    expect(await ask({ code: on.upc })).toEqual([409, 'piece-to-confirm', ['One more than the invoice: 2 of 1']])
    expect(await ask({ id_model: on.id_model, quantity: 3 })).toEqual([409, 'piece-to-confirm', ['3 more than the invoice: 4 of 1']])
    expect(await ask({ code: off.upc })).toEqual([409, 'piece-to-confirm', ['Not on the invoice']])
    expect(await ask({ code: foreign.upc })).toEqual([
      409,
      'piece-to-confirm',
      ['Not on the invoice', 'Northlight Optical doesn’t carry this brand'],
    ])
    const now = await view(one.id_vendor_invoice)
    expect([now.pieces, now.lines.length, now.extra]).toEqual([1, 1, 0])
    await receive(one, { code: on.upc, confirmed: true })
    await receive(one, { code: foreign.upc, confirmed: true })
    expect(await view(one.id_vendor_invoice)).toMatchObject({ pieces: 3, invoiced: 1, extra: 2 })
    const bare = await invoice()
    await receive(bare, { code: on.upc, confirmed: false })
    const path = `${root}/vendor_invoices/${bare.id_vendor_invoice}/receive`
    expect(await refused('POST', path, tokens.ben, { receive_id: uuidv7(), confirmed: false, code: foreign.upc })).toEqual([
      409,
      'piece-to-confirm',
    ])
  })

  test('refuses the tag of a known piece, and an unknown code', async () => {
    const one = await invoice()
    const { sku: tag, serial } = server.seed.frames.downtown[0]!
    expect(await receiveRefused(one, { code: tag })).toEqual([409, 'piece-known'])
    expect(await receiveRefused(one, { code: serial.toLowerCase() })).toEqual([409, 'piece-known'])
    expect(await receiveRefused(one, { code: '036000291452' })).toEqual([404, 'model-unknown', 'body.code'])
    expect(await receiveRefused(one, { code: 'hello' })).toEqual([404, 'model-unknown', 'body.code'])
    expect(await receiveRefused(one, { id_model: 999_999 })).toEqual([404, 'model-unknown'])
    expect(await receiveRefused(one, {})).toEqual([422, 'request-invalid', 'body'])
    expect(await receiveRefused(one, { code: 'x', quantity: 101 })).toEqual([422, 'request-invalid', 'body.quantity'])
    expect(await view(one.id_vendor_invoice)).toMatchObject({ status: 'draft', pieces: 0, lines: [] })
  })

  test('is for users with the right to receive, in the store of the invoice', async () => {
    const { upc } = await model()
    const one = await invoice()
    const path = `${root}/vendor_invoices/${one.id_vendor_invoice}/receive`
    expect(await refused('POST', path, east, { receive_id: uuidv7(), code: upc })).toEqual([403, 'store-foreign'])
    await server.db.pool
      .updateTable('users')
      .set({ role_ids: ['biller'] })
      .where('username', '=', 'ana')
      .execute()
    const biller = (await server.signIn('ana')).access_token
    expect(await refused('POST', path, biller, { receive_id: uuidv7(), code: upc })).toEqual([403, 'permission-missing'])
    expect((await view(one.id_vendor_invoice, biller)).totals).not.toBeNull()
    await server.db.pool
      .updateTable('users')
      .set({ role_ids: ['optician'] })
      .where('username', '=', 'ana')
      .execute()
  })
})

describe('an unknown UPC', () => {
  let unknown = 0
  const nextUpc = () => {
    unknown += 1
    const digits = `0360009${String(unknown).padStart(4, '0')}`
    return digits + gtinCheckDigit(digits)
  }
  const learnedOf = (id_model: number) =>
    server.db.pool
      .selectFrom('library_history')
      .select(['rep', 'detail'])
      .where('id_model', '=', id_model)
      .where('detail', 'like', 'upc %')
      .execute()

  test('belongs to the chosen model from then on, beside its own UPC; the next scan finds it, and its pieces have it', async () => {
    const [one, kind, upc] = [await invoice(), await model(), nextUpc()]
    expect(await receiveRefused(one, { code: upc })).toEqual([404, 'model-unknown', 'body.code'])
    const { pieces } = await receive(one, { id_model: kind.id_model, learn: upc }, tokens.ben)
    expect(pieces[0]!.frame.upc).toBe(upc)
    expect((await receive(one, { code: upc })).pieces[0]).toMatchObject({ id_model: kind.id_model, frame: { upc } })
    expect((await receive(one, { code: kind.upc })).pieces[0]).toMatchObject({ id_model: kind.id_model, frame: { upc: kind.upc } })
    expect((await view(one.id_vendor_invoice)).lines).toHaveLength(1)
    expect(await learnedOf(kind.id_model)).toEqual([{ rep: 'Ben Halvorsen', detail: `upc ${upc}` }])
    expect((await view(one.id_vendor_invoice)).history.filter(({ action }) => action === 'UPC learned')).toMatchObject([
      { rep: 'Ben Halvorsen', detail: `${upc} is ${kind.title}` },
    ])
    const { models: found } = await done('GET', `/api/price_book/models?search=${upc}&page=1`, tokens.maya)
    expect(found.map((row: { id_model: number }) => row.id_model)).toEqual([kind.id_model])
    // A repeated UPC is learned once.
    await receive(one, { id_model: kind.id_model, learn: upc })
    expect(await learnedOf(kind.id_model)).toHaveLength(1)
  })

  test('becomes the model’s own where it has none', async () => {
    const [one, kind, upc] = [await invoice(), await model(), nextUpc()]
    await server.db.pool.updateTable('models').set({ upc: null, gtin: null }).where('id_model', '=', kind.id_model).execute()
    await receive(one, { id_model: kind.id_model, learn: upc })
    const now = server.db.pool.selectFrom('models').select(['upc', 'version']).where('id_model', '=', kind.id_model)
    expect(await now.executeTakeFirstOrThrow()).toEqual({ upc, version: 2 })
    expect(await learnedOf(kind.id_model)).toHaveLength(1)
  })

  test('of another model, or with a wrong check digit, is refused, and nothing is received', async () => {
    const [one, kind, other, upc] = [await invoice(), await model(), await model(), nextUpc()]
    await receive(await invoice(), { id_model: other.id_model, learn: upc })
    for (const taken of [upc, other.upc])
      expect(await receiveRefused(one, { id_model: kind.id_model, learn: taken })).toEqual([409, 'upc-taken'])
    const wrong = [422, 'request-invalid', 'body.learn']
    expect(await receiveRefused(one, { id_model: kind.id_model, learn: '036000291453' })).toEqual(wrong)
    expect(await receiveRefused(one, { code: upc, learn: upc })).toEqual([422, 'request-invalid', 'body'])
    expect((await view(one.id_vendor_invoice)).pieces).toBe(0)
    expect(await learnedOf(kind.id_model)).toEqual([])
  })
})

describe('pieces scanned without a connection', () => {
  async function tabletOf(...names: string[]) {
    const tablet = new WireTablet(server, 'Tablet R')
    for (const name of names) await tablet.signIn(name)
    return tablet
  }
  const wish = ({ id_vendor_invoice }: VendorInvoice, code: string) => ({
    id_vendor_invoice,
    receive_id: uuidv7(),
    code,
    id_model: null,
    learn: null,
    quantity: 1,
    confirmed: true,
  })
  const outcomes = (receipts: { outcome: string; error?: { code: string } | null }[]) =>
    receipts.map(({ outcome, error }) => (outcome === 'refused' ? error?.code : outcome))

  test('are received once each, with the time of the scan, however often the command or an earlier call arrives', async () => {
    const tablet = await tabletOf('ben')
    const [one, kind] = [await invoice(), await model()]
    const [first, second] = [wish(one, kind.upc), wish(one, kind.upc)]
    const commands = [first, second].map((body) => tablet.command('vendor-invoice.receive', body))
    const at = commands[0]!.captured.wall
    // The tablet never got the answer to this call.
    await receive(one, { receive_id: second.receive_id, code: kind.upc }, tokens.ben)
    server.clock.advance(60_000)
    await Promise.all([tablet.push(commands), tablet.push(commands)])
    expect(outcomes(await tablet.push(commands))).toEqual(['applied', 'applied'])
    const now = await view(one.id_vendor_invoice)
    expect([now.pieces, now.status, now.lines[0]!.qty_received]).toEqual([2, 'receiving', 2])
    expect(now.received.filter(({ received_at }) => received_at === at)).toHaveLength(2)
    expect(now.history.filter(({ action }) => action === 'Received').map(({ rep }) => rep)).toEqual(['Ben Halvorsen', 'Ben Halvorsen'])
    for (const { frame } of now.received) {
      const rows = await server.db.pool.selectFrom('frame_history').selectAll().where('id_inventory', '=', frame.id_inventory).execute()
      expect(rows).toMatchObject([{ action: 'Received', rep: 'Ben Halvorsen' }])
    }
  })

  test('are refused one by one with a reason, and leave nothing', async () => {
    const tablet = await tabletOf('maya', 'ben')
    const [one, done_, kind] = [await invoice(), await invoice(), await model()]
    await receive(done_, { code: kind.upc })
    await step(await view(done_.id_vendor_invoice), 'finish')
    const command = (body: ReturnType<typeof wish>, more = {}) => tablet.command('vendor-invoice.receive', body, more)
    const used = wish(done_, kind.upc)
    const receipts = await tablet.push([
      command(wish(one, '036000999999')),
      command(used),
      command({ ...wish(one, kind.upc), id_vendor_invoice: uuidv7() }),
      command(wish(one, kind.upc), { store_id: 2 }),
      command(wish(one, kind.upc), { store_id: null }),
      command(wish(one, kind.upc)),
    ])
    expect(outcomes(receipts)).toEqual([
      'model-unknown',
      'vendor-invoice-not-allowed',
      'vendor-invoice-unknown',
      'store-foreign',
      'request-invalid',
      'applied',
    ])
    expect([(await view(one.id_vendor_invoice)).pieces, (await view(done_.id_vendor_invoice)).pieces]).toEqual([1, 1])
    const [both] = await tablet.push([command({ ...wish(one, kind.upc), id_model: kind.id_model } as never)])
    expect(outcomes([both!])).toEqual(['request-invalid'])
  })

  test('wait for a user when they are more than the invoice has; an older version of the app receives them as before', async () => {
    const tablet = await tabletOf('ben')
    const kind = await model()
    const one = await change(await invoice(), { lines: [{ id_model: kind.id_model, qty_invoiced: 1 }] })
    const [first, second, third] = [wish(one, kind.upc), wish(one, kind.upc), wish(one, kind.upc)]
    const asked = [first, second].map((body) => tablet.command('vendor-invoice.receive', { ...body, confirmed: false }))
    expect(outcomes(await tablet.push(asked))).toEqual(['applied', 'piece-to-confirm'])
    const { confirmed: _, ...old } = third
    const before = tablet.command('vendor-invoice.receive', old as never, { version: 1 } as never)
    expect(outcomes(await tablet.push([before]))).toEqual(['applied'])
    expect(await view(one.id_vendor_invoice)).toMatchObject({ pieces: 2, extra: 1 })
  })

  test('of a user who has lost the right to receive wait for a manager', async () => {
    const tablet = await tabletOf('ana', 'ben')
    const [one, kind] = [await invoice(), await model()]
    await server.db.pool
      .updateTable('users')
      .set({ role_ids: ['front_desk'] })
      .where('username', '=', 'ana')
      .execute()
    const receipts = await tablet.push([tablet.command('vendor-invoice.receive', wish(one, kind.upc), { by: 'ana' })])
    expect(outcomes(receipts)).toEqual(['work-held'])
    expect((await view(one.id_vendor_invoice)).pieces).toBe(0)
  })
})
