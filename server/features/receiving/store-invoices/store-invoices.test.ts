import * as v from 'valibot'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gtinCheckDigit } from '#contract/core/codes.ts'
import { errorBody } from '#contract/core/errors.ts'
import { storeInvoice, storeInvoiceEndpoints, type VendorInvoice, vendorInvoice } from '#contract/receiving/store-invoices.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

let server: TestServer
/** Maya manages all stores, Ben is a stock clerk of all and Ana an optician of Downtown, who see no costs. */
const tokens = { maya: '', ben: '', ana: '' }
/** Maya, working at Eastside. */
let east = ''
beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ben', 'ana'] as const) tokens[name] = (await server.signIn(name)).access_token
  east = (await server.signIn('maya')).access_token
  await server.request('POST', '/api/home/set_store', { token: east, body: { store_id: 2 } })
})
afterAll(() => server.close())

async function call(method: string, path: string, token: string, body?: unknown) {
  const answer = await server.request(method, path, { token, ...(body !== undefined && { body }) })
  return { status: answer.status, json: await answer.json() }
}
async function done(method: string, path: string, token: string, body?: unknown) {
  const { status, json } = await call(method, path, token, body)
  if (status !== 200) throw new Error(JSON.stringify(json))
  return json
}
async function refused(method: string, path: string, token: string, body?: unknown) {
  const { status, json } = await call(method, path, token, body)
  const { code, fields } = v.parse(errorBody, json)
  return [status, code, ...(fields ? [fields.map(({ path: field }) => field).join()] : [])]
}

const root = '/api/invoice'
let numbers = 0
const entered = (more: Record<string, unknown> = {}) => {
  numbers += 1
  return { id_vendor_invoice: uuidv7(), vendor_id: 1, vendor_invoice_no: `NL-${numbers}`, ...more }
}
const amounts = (total_cents: number | null, more: Record<string, unknown> = {}) => ({
  amounts: { shipping_cents: 0, tax_cents: 0, discount_cents: 0, total_cents, ...more },
})
const view = async (id: string, token = tokens.maya) => v.parse(vendorInvoice, await done('GET', `${root}/vendor_invoice/${id}`, token))
async function invoice(more: Record<string, unknown> = {}, token = tokens.maya): Promise<VendorInvoice> {
  const body = { invoice_id: uuidv7(), vendor_invoice: entered(more) }
  v.parse(storeInvoice, await done('POST', `${root}/create`, token, body))
  return await view(body.vendor_invoice.id_vendor_invoice, token)
}
const header = ({ vendor_id, vendor_invoice_no, version }: VendorInvoice) => ({ vendor_id, vendor_invoice_no, version })
const change = (one: VendorInvoice, more: Record<string, unknown>, token = tokens.maya) =>
  done('PUT', `${root}/vendor_invoices/${one.id_vendor_invoice}`, token, { ...header(one), ...more }) as Promise<VendorInvoice>
const step = (one: VendorInvoice, name: string, more: Record<string, unknown> = {}, token = tokens.maya) =>
  done('POST', `${root}/vendor_invoices/${one.id_vendor_invoice}/step`, token, {
    version: one.version,
    step: name,
    ...more,
  }) as Promise<VendorInvoice>
async function receive({ id_vendor_invoice }: { id_vendor_invoice: string }, what: Record<string, unknown>, token = tokens.maya) {
  const body = { receive_id: uuidv7(), ...what }
  const answer = await done('POST', `${root}/vendor_invoices/${id_vendor_invoice}/receive`, token, body)
  return v.parse(storeInvoiceEndpoints.receivePieces.response, answer)
}
const receiveRefused = (one: VendorInvoice, what: Record<string, unknown>, token = tokens.maya) =>
  refused('POST', `${root}/vendor_invoices/${one.id_vendor_invoice}/receive`, token, { receive_id: uuidv7(), ...what })

let models = 0
/** A new colour in the library, at a list price of $80 less 10 per cent, sold for $199. */
async function model({ brand_id = 1, prices = {} }: { brand_id?: number; prices?: Record<string, unknown> } = {}) {
  models += 1
  const style = {
    brand_id,
    title: `Ferry ${models}`,
    material: null,
    shape: null,
    gender: null,
    rim: null,
    launch_date: null,
    discontinued_at: null,
  }
  const { id_product } = await done('POST', '/api/product/add', tokens.maya, style)
  // Begins with a zero that spreadsheets eat.
  const digits = `0360002${String(models).padStart(4, '0')}`
  const upc = digits + gtinCheckDigit(digits)
  const sizes = { eye: 52, bridge: 17, temple: 140, a: null, b: null, ed: null, dbl: null }
  const { id_model } = await done('POST', '/api/frame_library/add_model', tokens.maya, {
    id_product,
    color_code: 'C1',
    color_name: 'Slate',
    ...sizes,
    upc,
    min_qty: 0,
    discontinued_at: null,
    prices: { list_cost: 8000, discount_pct: 10, msrp: null, rule: { kind: 'fixed', cents: 19_900 }, ...prices },
  })
  return { id_model: id_model as number, upc, title: style.title }
}
const frameOf = async (sku: string) => await done('GET', `/api/inventory/lookup?sku=${sku}`, tokens.maya)
const sku = (one: VendorInvoice, at = 0) => one.received[at]!.frame.sku

describe('a store invoice', () => {
  test('is made once under its id, and takes several vendors’ invoices', async () => {
    const body = { invoice_id: uuidv7(), vendor_invoice: entered({ po_no: ' P 7 ', invoice_date: '2026-11-18' }) }
    const [one, two] = await Promise.all([1, 2].map(() => done('POST', `${root}/create`, tokens.ben, body)))
    expect(one).toEqual(two)
    const more = await done('POST', `${root}/create`, tokens.ben, { ...body, vendor_invoice: entered({ vendor_id: 2 }) })
    const read = v.parse(storeInvoice, more)
    expect(read).toMatchObject({ store: 'Downtown', created_by: 'Ben Halvorsen', invoices: 2, open: 2, pieces: 0 })
    expect(read.vendors).toEqual(['Harbour Eyewear', 'Northlight Optical'])
    expect(read.vendor_invoices[0]).toMatchObject({ po_no: 'P 7', invoice_date: '2026-11-18', status: 'draft', version: 1 })
    expect(await done('GET', `${root}/view/${body.invoice_id}`, tokens.ana)).toEqual(more)
    expect(await refused('POST', `${root}/create`, east, body)).toEqual([409, 'key-reused'])
  })

  test.each([
    ['of no vendor', { vendor_id: 99 }, [422, 'vendor-unknown', 'body.vendor_invoice.vendor_id']],
    ['without a number', { vendor_invoice_no: ' ' }, [422, 'request-invalid', 'body.vendor_invoice.vendor_invoice_no']],
    ['of no day', { invoice_date: '2026-02-31' }, [422, 'request-invalid', 'body.vendor_invoice.invoice_date']],
    ['of nobody there', { id_vendor_contact: uuidv7() }, [422, 'request-invalid', 'body.vendor_invoice.id_vendor_contact']],
  ])('with an invoice %s is refused, and leaves nothing', async (_, more, code) => {
    const body = { invoice_id: uuidv7(), vendor_invoice: entered(more) }
    expect(await refused('POST', `${root}/create`, tokens.maya, body)).toEqual(code)
    expect(await refused('GET', `${root}/view/${body.invoice_id}`, tokens.maya)).toEqual([404, 'store-invoice-unknown'])
  })

  test('of another store is seen by those who belong to it', async () => {
    const one = await invoice({}, east)
    expect((await view(one.id_vendor_invoice, tokens.ben)).store).toBe('Eastside')
    expect(await refused('GET', `${root}/vendor_invoice/${one.id_vendor_invoice}`, tokens.ana)).toEqual([404, 'vendor-invoice-unknown'])
    expect(await refused('GET', `${root}/view/${one.invoice_id}`, tokens.ana)).toEqual([404, 'store-invoice-unknown'])
    expect(await refused('GET', `${root}/receipt?store_id=2`, tokens.ana)).toEqual([403, 'store-foreign'])
    const path = `${root}/vendor_invoices/${one.id_vendor_invoice}`
    expect(await refused('PUT', path, tokens.ben, header(one))).toEqual([403, 'store-foreign'])
    expect(await refused('DELETE', `${root}/delete/${one.id_vendor_invoice}`, tokens.maya)).toEqual([403, 'store-foreign'])
  })
})

describe('a vendor’s number', () => {
  test('is entered once, however it is written; of another vendor it is another', async () => {
    const one = await invoice({ vendor_invoice_no: 'Dup-1' })
    const body = { invoice_id: uuidv7(), vendor_invoice: entered({ vendor_invoice_no: ' dUP-1 ' }) }
    const taken = [409, 'vendor-invoice-taken', 'body.vendor_invoice.vendor_invoice_no']
    expect(await refused('POST', `${root}/create`, tokens.ben, body)).toEqual(taken)
    await invoice({ vendor_invoice_no: 'DUP-1', vendor_id: 2 })
    const other = await invoice()
    const path = `${root}/vendor_invoices/${other.id_vendor_invoice}`
    expect(await refused('PUT', path, tokens.ben, { ...header(other), vendor_invoice_no: 'dup-1' })).toEqual([
      409,
      'vendor-invoice-taken',
      'body.vendor_invoice_no',
    ])
    const check = (more = '') => done('GET', `${root}/vendor_invoice_no?vendor_id=1&vendor_invoice_no=dup-1${more}`, tokens.ben)
    expect(await check()).toEqual({ taken: `This number is already on receipt ${one.number} at Downtown` })
    expect(await check(`&except=${one.id_vendor_invoice}`)).toEqual({ taken: null })
    await step(one, 'void')
    expect(await check()).toEqual({ taken: null })
    await invoice({ vendor_invoice_no: 'Dup-1' })
  })
})

describe('what stands on it', () => {
  test('is changed from its newest version only, and by whom is kept', async () => {
    const one = await invoice()
    const changed = await change(one, { terms: 'Net 30', ...amounts(5000, { shipping_cents: 250 }) })
    expect(changed).toMatchObject({ terms: 'Net 30', version: 2, totals: { shipping_cents: 250, total_cents: 5000, out_by_cents: -4750 } })
    expect(changed.history.map(({ action, detail, rep }) => [action, detail, rep])).toEqual([
      ['Changed', 'terms, shipping_cents, total_cents', 'Maya Okonjo'],
      ['Entered', '', 'Maya Okonjo'],
    ])
    const path = `${root}/vendor_invoices/${one.id_vendor_invoice}`
    expect(await refused('PUT', path, tokens.ben, header(one))).toEqual([409, 'vendor-invoice-changed'])
    expect((await view(one.id_vendor_invoice)).terms).toBe('Net 30')
  })

  test('keeps its money from those who may see none, and from being given by them', async () => {
    const { id_model } = await model()
    const one = await change(await invoice(amounts(7200)), { lines: [{ id_model, qty_invoiced: 1 }] })
    await receive(one, { id_model })
    const seen = await view(one.id_vendor_invoice, tokens.ben)
    expect([seen.totals, seen.lines[0]?.costs, seen.received[0]?.item_net]).toEqual([null, null, null])
    const path = `${root}/vendor_invoices/${one.id_vendor_invoice}`
    expect(await refused('PUT', path, tokens.ben, { ...header(seen), ...amounts(1) })).toEqual([403, 'permission-missing'])
    const lines = [{ id_model, qty_invoiced: 1, costs: { list_cost: 1, discount_pct: null } }]
    expect(await refused('PUT', path, tokens.ben, { ...header(seen), lines })).toEqual([403, 'permission-missing'])
    await change(seen, { note: 'box was wet' }, tokens.ben)
    expect((await view(one.id_vendor_invoice)).totals).toMatchObject({ total_cents: 7200, subtotal_cents: 7200, out_by_cents: 0 })
  })

  test('of the paper: lines with what was invoiced; new costs reach the pieces, with a row of their history', async () => {
    const [a, b] = [await model(), await model()]
    const lines = [
      { id_model: a.id_model, qty_invoiced: 2 },
      { id_model: b.id_model, qty_invoiced: 1 },
    ]
    const one = await change(await invoice(), { lines }, tokens.ben)
    expect(one.lines.map(({ title_product, qty_invoiced, qty_received }) => [title_product, qty_invoiced, qty_received])).toEqual([
      [a.title, 2, 0],
      [b.title, 1, 0],
    ])
    const { vendor_invoice: begun } = await receive(one, { code: a.upc })
    expect(begun).toMatchObject({ status: 'receiving', invoiced: 3, pieces: 1, lines_off: 2, totals: { subtotal_cents: 7200 } })
    const costs = { list_cost: 10_000, discount_pct: 25 }
    const recosted = await change(begun, { lines: [{ ...lines[0], costs }, lines[1]] })
    expect(recosted.totals).toMatchObject({ subtotal_cents: 7500 })
    expect(await frameOf(sku(recosted))).toMatchObject({ item_list_cost: 10_000, item_discount: 25, item_net: 7500, version: 2 })
    const { transaction_history } = await done('GET', `/api/inventory/history?sku=${sku(recosted)}`, tokens.maya)
    expect(transaction_history.map(({ action }: { action: string }) => action)).toEqual(['Cost', 'Received'])
    const path = `${root}/vendor_invoices/${one.id_vendor_invoice}`
    expect(await refused('PUT', path, tokens.maya, { ...header(recosted), lines: [lines[1]] })).toEqual([
      422,
      'request-invalid',
      'body.lines',
    ])
    expect(await refused('PUT', path, tokens.maya, { ...header(recosted), lines: [{ id_model: 999_999, qty_invoiced: 1 }] })).toEqual([
      404,
      'model-unknown',
    ])
    expect(await refused('PUT', path, tokens.maya, { ...header(recosted), lines: [lines[1], lines[1]] })).toEqual([
      422,
      'request-invalid',
      'body.lines',
    ])
  })
})

describe('receiving', () => {
  test('makes a piece with tag, F#, price by the book, cost and the first row of its history', async () => {
    const { upc, id_model, title } = await model()
    const one = await invoice()
    // As a spreadsheet or a scanner gives it.
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

  test('the same request again makes no second piece, at once or later, or when the piece is gone', async () => {
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

  test('tells what is not on the paper, of another vendor, or without a price', async () => {
    const [on, off] = [await model(), await model({ brand_id: 2, prices: { rule: { kind: 'fixed', cents: null }, list_cost: null } })]
    const one = await change(await invoice(), { lines: [{ id_model: on.id_model, qty_invoiced: 1 }] })
    const { warning, vendor_invoice: now } = await receive(one, { id_model: off.id_model })
    expect(warning).toBe('Not on this invoice. Northlight Optical doesn’t carry this brand. No selling price yet.')
    expect(now).toMatchObject({ missing_prices: 1, lines_off: 2, totals: { missing_costs: 1, subtotal_cents: 0 } })
  })

  test('asks before it receives more than the paper has, what is not on it, or another vendor’s brand', async () => {
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

  test('the tag of a piece is never received as another one, nor a code that nobody knows', async () => {
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

  test('is for the store that it came to, and for those who receive', async () => {
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

describe('the steps', () => {
  test('received when pieces, costs and totals agree; then posted and paid, and closed', async () => {
    const { id_model } = await model()
    const total = 2 * 7200 + 500 + 120 - 20
    const one = await change(await invoice(amounts(total, { shipping_cents: 500, tax_cents: 120, discount_cents: 20 })), {
      lines: [{ id_model, qty_invoiced: 2 }],
    })
    const { vendor_invoice: here } = await receive(one, { id_model, quantity: 2 })
    const received = await step(here, 'finish', {}, tokens.ben)
    expect(received).toMatchObject({ status: 'received', received_date: '2026-11-20', totals: null })
    expect(await receiveRefused(received, { id_model })).toEqual([409, 'vendor-invoice-not-allowed'])
    const path = `${root}/vendor_invoices/${one.id_vendor_invoice}`
    expect(await refused('POST', `${path}/step`, tokens.ben, { version: received.version, step: 'post' })).toEqual([
      403,
      'permission-missing',
    ])
    const posted = await step(received, 'post')
    expect(await refused('PUT', path, tokens.maya, { ...header(posted), terms: 'x' })).toEqual([409, 'vendor-invoice-not-allowed'])
    expect(await refused('POST', `${path}/step`, tokens.maya, { version: received.version, step: 'pay' })).toEqual([
      409,
      'vendor-invoice-changed',
    ])
    const paid = await step(posted, 'pay', { paid_on: '2026-12-01', paid_reference: 'check 12' })
    expect(paid).toMatchObject({ status: 'paid', paid_on: '2026-12-01', paid_reference: 'check 12' })
    expect(await refused('DELETE', `${root}/delete/${one.id_vendor_invoice}`, tokens.maya)).toEqual([409, 'vendor-invoice-not-allowed'])
    expect(await done('GET', `${root}/view/${one.invoice_id}`, tokens.maya)).toMatchObject({ open: 0, pieces: 2 })
  })

  test('a discrepancy is put right, or posted with a reason', async () => {
    const { id_model } = await model()
    const { vendor_invoice: here } = await receive(await invoice(amounts(7500)), { id_model })
    const off = await step(here, 'finish')
    expect(off).toMatchObject({ status: 'discrepancy', totals: { out_by_cents: -300 } })
    const path = `${root}/vendor_invoices/${off.id_vendor_invoice}/step`
    expect(await refused('POST', path, tokens.maya, { version: off.version, step: 'post' })).toEqual([422, 'request-invalid', 'body.note'])
    const right = await change(off, amounts(7200))
    expect(right.status).toBe('received')
    const wrong = await change(right, amounts(7100))
    expect(wrong.status).toBe('discrepancy')
    const open = await step(wrong, 'reopen')
    expect(open.status).toBe('receiving')
    const posted = await step(await step(open, 'finish'), 'post', { note: 'Agreed by phone' })
    expect(posted).toMatchObject({ status: 'posted', posted_note: 'Agreed by phone' })
  })

  test('out of turn are refused', async () => {
    const one = await invoice()
    const path = `${root}/vendor_invoices/${one.id_vendor_invoice}/step`
    for (const name of ['finish', 'reopen', 'post', 'pay']) {
      expect(await refused('POST', path, tokens.maya, { version: one.version, step: name })).toEqual([409, 'vendor-invoice-not-allowed'])
    }
    const gone = await step(one, 'void')
    expect(await refused('POST', path, tokens.maya, { version: gone.version, step: 'void' })).toEqual([409, 'vendor-invoice-not-allowed'])
  })
})

describe('taking off', () => {
  test('a piece is shown with its invoice, leaves the stock and stays in the record', async () => {
    const { id_model } = await model()
    const { vendor_invoice: one } = await receive(await invoice(), { id_model, quantity: 2 })
    const { id_inventory } = one.received[0]!.frame
    const item = await done('GET', `${root}/view-item/${id_inventory}`, tokens.ben)
    expect(item).toMatchObject({ stays: null, item: { frame: { sku: sku(one) } }, vendor_invoice: { number: one.number } })
    const body = { sku: sku(one), invoice_id: one.invoice_id }
    const now = await done('DELETE', `${root}/delete-item`, tokens.ben, body)
    expect(now).toMatchObject({ pieces: 1, status: 'receiving', history: [{ action: 'Taken off', detail: sku(one) }, {}, {}] })
    expect(await refused('GET', `/api/inventory/lookup?sku=${sku(one)}`, tokens.maya)).toEqual([404, 'frame-unknown'])
    expect(await refused('GET', `${root}/view-item/${id_inventory}`, tokens.ben)).toEqual([404, 'frame-unknown'])
    expect(await refused('DELETE', `${root}/delete-item`, tokens.ben, body)).toEqual([404, 'frame-unknown'])
    const rows = await server.db.pool
      .selectFrom('frame_history')
      .select(['action', 'status'])
      .where('id_inventory', '=', id_inventory)
      .execute()
    expect(rows).toContainEqual({ action: 'Taken out', status: 'Removed' })
    // The last one takes its line along.
    const last = await done('DELETE', `${root}/delete-item`, tokens.ben, { ...body, sku: sku(one, 1) })
    expect(last).toMatchObject({ status: 'draft', lines: [] })
  })

  test.each([
    [
      'is defective',
      async (id: number) =>
        void (await done('POST', '/api/inventory/update_state', tokens.ben, { inventory_id: id, state_defective: true, note: 'hinge' })),
    ],
    [
      'is on a transfer',
      async (id: number) =>
        void (await done('POST', '/api/transfer', tokens.ben, {
          id_transfer: uuidv7(),
          to_store_id: 2,
          reason: 'rebalancing',
          items: [id],
        })),
    ],
    [
      'was sold',
      async (id: number) =>
        void (await server.db.pool.updateTable('frames').set({ status: 'Sold' }).where('id_inventory', '=', id).execute()),
    ],
  ])('what %s stays, and so does its whole invoice', async (_, happen) => {
    const { id_model } = await model()
    const { vendor_invoice: one } = await receive(await invoice(), { id_model, quantity: 2 })
    const { id_inventory } = one.received[0]!.frame
    await happen(id_inventory)
    const body = { sku: sku(one), invoice_id: one.invoice_id }
    expect(await refused('DELETE', `${root}/delete-item`, tokens.ben, body)).toEqual([409, 'piece-in-use'])
    expect((await done('GET', `${root}/view-item/${id_inventory}`, tokens.ben)).stays).toContain(sku(one))
    for (const id of [one.id_vendor_invoice, one.invoice_id]) {
      expect(await refused('DELETE', `${root}/delete/${id}`, tokens.maya)).toEqual([409, 'piece-in-use'])
    }
    expect((await view(one.id_vendor_invoice)).pieces).toBe(2)
  })

  test('a posted invoice goes with its pieces while they are for sale; a piece alone does not', async () => {
    const { id_model } = await model()
    const { vendor_invoice: here } = await receive(await invoice(amounts(7200)), { id_model })
    const posted = await step(await step(here, 'finish'), 'post')
    const body = { sku: sku(posted), invoice_id: posted.invoice_id }
    expect(await refused('DELETE', `${root}/delete-item`, tokens.ben, body)).toEqual([409, 'vendor-invoice-not-allowed'])
    const path = `${root}/delete/${posted.id_vendor_invoice}`
    expect(await refused('DELETE', path, tokens.ben)).toEqual([403, 'permission-missing'])
    expect(await refused('DELETE', `${path}?version=1`, tokens.maya)).toEqual([409, 'vendor-invoice-changed'])
    await done('DELETE', `${path}?version=${posted.version}`, tokens.maya)
    expect(await refused('GET', `/api/inventory/lookup?sku=${sku(posted)}`, tokens.maya)).toEqual([404, 'frame-unknown'])
    expect(await refused('GET', `${root}/vendor_invoice/${posted.id_vendor_invoice}`, tokens.maya)).toEqual([404, 'vendor-invoice-unknown'])
    await done('DELETE', `${root}/delete/${posted.invoice_id}`, tokens.maya)
    expect(await refused('DELETE', `${root}/delete/${posted.invoice_id}`, tokens.maya)).toEqual([404, 'store-invoice-unknown'])
  })
})

describe('the list', () => {
  const list = async (query: string, token = tokens.maya) => {
    const answer = await done('GET', `${root}/receipt?${query}`, token)
    return v.parse(storeInvoiceEndpoints.listReceipts.response, answer)
  }

  test('is filtered by vendor, status, days, words and differences, and paged', async () => {
    const { id_model } = await model()
    const off = await invoice({ vendor_id: 2, vendor_invoice_no: 'List-1', po_no: '50%', invoice_date: '2025-03-04', ...amounts(1) })
    await receive(off, { id_model })
    const right = await invoice({ vendor_id: 2, vendor_invoice_no: 'List-2', invoice_date: '2025-03-05', ...amounts(7200) })
    await receive(right, { id_model })
    const draft = await invoice({ vendor_id: 2, vendor_invoice_no: 'List-3', invoice_date: '2025-03-06' })
    const found = async (query: string, token?: string) =>
      (await list(`vendor_id=2&search=list-&${query}`, token)).vendor_invoices.map((one) => one.vendor_invoice_no)
    expect(await found('')).toEqual(['List-3', 'List-2', 'List-1'])
    expect(await found('status=draft')).toEqual(['List-3'])
    expect(await found('from=2025-03-05&to=2025-03-05')).toEqual(['List-2'])
    expect(await found('difference=1')).toEqual(['List-1'])
    // Who sees no money is told of no difference in it.
    expect(await found('difference=1', tokens.ben)).toEqual([])
    expect((await list('search=50%25')).vendor_invoices.map((one) => one.vendor_invoice_no)).toEqual(['List-1'])
    expect((await list(`search=${draft.number}&from=2025-03-06&to=2025-03-06`)).total).toBe(1)
    expect((await list('search=list-1&tab=stores')).store_invoices).toMatchObject([{ number: off.number, pieces: 1, open: 1 }])
    expect((await list('tab=stores')).total).toBeGreaterThan(3)
    expect(await list('search=list-&page=2')).toMatchObject({ total: 3, vendor_invoices: [], page: 2 })
    expect((await list('search=list-&store_id=2')).total).toBe(0)
    expect(await refused('GET', `${root}/receipt?status=lost`, tokens.maya)).toEqual([422, 'request-invalid', 'query.status'])
  })
})

test('vendors and whom one asks there are told, added, changed and taken away', async () => {
  expect((await done('GET', `${root}/vendors`, tokens.ben)).vendors.map(({ name }: { name: string }) => name)).toEqual([
    'Harbour Eyewear',
    'Northlight Optical',
  ])
  const contact = { id_vendor_contact: uuidv7(), vendor_id: 1, name: 'Ida Marsh', role: 'Rep', email: 'ida@northlight.example', phone: '' }
  await done('POST', `${root}/vendor-contacts`, tokens.ben, contact)
  const changed = { ...contact, phone: '518-555-0142' }
  expect(await done('POST', `${root}/vendor-contacts`, tokens.ben, changed)).toEqual(changed)
  expect(await refused('POST', `${root}/vendor-contacts`, tokens.ben, { ...contact, vendor_id: 2 })).toEqual([409, 'key-reused'])
  expect(await done('GET', `${root}/vendor-contacts?vendor_id=1`, tokens.ben)).toEqual({ contacts: [changed] })
  expect(await done('GET', `${root}/vendor-contacts?vendor_id=2`, tokens.ben)).toEqual({ contacts: [] })
  const one = await invoice({ id_vendor_contact: contact.id_vendor_contact })
  expect(one.contact).toBe('Ida Marsh')
  await done('DELETE', `${root}/vendor-contacts/${contact.id_vendor_contact}`, tokens.ben)
  expect((await view(one.id_vendor_invoice)).contact).toBeNull()
})

describe('a UPC that nobody knew', () => {
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

  test('is the chosen model’s from then on, beside its own; the next scan of it resolves, and its pieces have it', async () => {
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
    // Learned once, however often it is said.
    await receive(one, { id_model: kind.id_model, learn: upc })
    expect(await learnedOf(kind.id_model)).toHaveLength(1)
  })

  test('becomes the model’s own where it had none', async () => {
    const [one, kind, upc] = [await invoice(), await model(), nextUpc()]
    await server.db.pool.updateTable('models').set({ upc: null, gtin: null }).where('id_model', '=', kind.id_model).execute()
    await receive(one, { id_model: kind.id_model, learn: upc })
    const now = server.db.pool.selectFrom('models').select(['upc', 'version']).where('id_model', '=', kind.id_model)
    expect(await now.executeTakeFirstOrThrow()).toEqual({ upc, version: 2 })
    expect(await learnedOf(kind.id_model)).toHaveLength(1)
  })

  test('that is another model’s by now, or none at all, is refused, and nothing is received', async () => {
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

describe('pieces that were scanned without a connection', () => {
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

  test('are received once each, however often a command comes and also when the call before it arrived, as of when they were scanned', async () => {
    const tablet = await tabletOf('ben')
    const [one, kind] = [await invoice(), await model()]
    const [first, second] = [wish(one, kind.upc), wish(one, kind.upc)]
    const commands = [first, second].map((body) => tablet.command('vendor-invoice.receive', body))
    const at = commands[0]!.captured.wall
    // Its answer was lost on the way.
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

  test('are refused in words, each for itself, and leave nothing', async () => {
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

  test('wait for a person when they are more than the paper has; a tablet of before receives them as it did', async () => {
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
