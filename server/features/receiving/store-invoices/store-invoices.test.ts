import * as v from 'valibot'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeInvoice, storeInvoiceEndpoints } from '#contract/receiving/store-invoices.ts'
import {
  amounts,
  change,
  closeRoom,
  done,
  east,
  entered,
  frameOf,
  header,
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

describe('a store invoice', () => {
  test('is made once under its id, and takes invoices of several vendors', async () => {
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
    ['of an unknown vendor', { vendor_id: 99 }, [422, 'vendor-unknown', 'body.vendor_invoice.vendor_id']],
    ['without a number', { vendor_invoice_no: ' ' }, [422, 'request-invalid', 'body.vendor_invoice.vendor_invoice_no']],
    ['of an impossible date', { invoice_date: '2026-02-31' }, [422, 'request-invalid', 'body.vendor_invoice.invoice_date']],
    ['of an unknown contact', { id_vendor_contact: uuidv7() }, [422, 'request-invalid', 'body.vendor_invoice.id_vendor_contact']],
  ])('with an invoice %s is refused, and leaves nothing', async (_, more, code) => {
    const body = { invoice_id: uuidv7(), vendor_invoice: entered(more) }
    expect(await refused('POST', `${root}/create`, tokens.maya, body)).toEqual(code)
    expect(await refused('GET', `${root}/view/${body.invoice_id}`, tokens.maya)).toEqual([404, 'store-invoice-unknown'])
  })

  test('of another store is visible to the users of that store only', async () => {
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
  test('is entered once, in any spelling; another vendor may have the same one', async () => {
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

describe('an edit of a vendor invoice', () => {
  test('is accepted from the newest version only, and the history keeps its author', async () => {
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

  test('cannot set the money without the right to see it, and such a user sees none', async () => {
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

  test('sets lines with invoiced quantities; new costs reach the pieces, with a row in their history', async () => {
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

describe('the steps of a vendor invoice', () => {
  test('it is received when pieces, costs and totals agree; then it is posted, paid and closed', async () => {
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

  test('a discrepancy is corrected, or posted with a reason', async () => {
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

  test('a step out of turn is refused', async () => {
    const one = await invoice()
    const path = `${root}/vendor_invoices/${one.id_vendor_invoice}/step`
    for (const name of ['finish', 'reopen', 'post', 'pay']) {
      expect(await refused('POST', path, tokens.maya, { version: one.version, step: name })).toEqual([409, 'vendor-invoice-not-allowed'])
    }
    const gone = await step(one, 'void')
    expect(await refused('POST', path, tokens.maya, { version: gone.version, step: 'void' })).toEqual([409, 'vendor-invoice-not-allowed'])
  })
})

describe('deleting', () => {
  test('a piece is shown with its invoice, leaves the stock, and stays in the history', async () => {
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
    // With the last piece of a model its line is deleted.
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
  ])('a piece that %s stays, and so does its whole invoice', async (_, happen) => {
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

  test('a posted invoice is deleted with its pieces while they are for sale; a single piece of it is not', async () => {
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

  test('is filtered by vendor, status, dates, text and differences, and paged', async () => {
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
    // A user who may not see money sees no difference in it.
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

test('vendors and their contacts are listed; contacts are added, changed and deleted', async () => {
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
