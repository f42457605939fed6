import type { Insertable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { patientReturnEndpoints as calls, type PatientReturn } from '#contract/returns/patient-returns.ts'
import { patientAudit, patientRecord } from '#contract/patients/patients.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya manages all stores, Ana is an optician of Downtown, Ben a stock clerk there. */
const tokens = { maya: '', ana: '', ben: '' }
let east = ''
let idPatient = ''
beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
  east = (await server.signIn('maya')).access_token
  await server.request('POST', '/api/home/set_store', { token: east, body: { store_id: 2 } })
  idPatient = await newPatient('Zuzana')
})
afterAll(() => server.close())

async function newPatient(first_name: string): Promise<string> {
  const body = { first_name, street_address: '12 Quarry Ln', city: 'Millbrook', state: 'NY', zip_code: '12345', gender: 'Female' }
  const answer = await server.request('POST', '/api/patient/add', { token: tokens.ana, body })
  return v.parse(patientRecord, await answer.json()).id
}
async function call(method: string, path: string, token: string, body?: unknown) {
  const answer = await server.request(method, path, { token, ...(body !== undefined && { body }) })
  return { status: answer.status, json: await answer.json() }
}
async function done(method: string, path: string, token: string, body?: unknown): Promise<PatientReturn> {
  const { status, json } = await call(method, path, token, body)
  if (status !== 200) throw new Error(JSON.stringify(json))
  return v.parse(calls.readPatientReturn.response, json)
}
async function refused(method: string, path: string, token: string, body?: unknown) {
  const { status, json } = await call(method, path, token, body)
  return [status, v.parse(errorBody, json).code]
}
const frameOf = async (id: number) => (await call('GET', `/api/inventory/lookup?sku=${id}`, tokens.maya)).json
const historyOf = async (id: number) =>
  (await call('GET', `/api/inventory/history?sku=${id}`, tokens.maya)).json.transaction_history as Record<string, unknown>[]

type Line = Partial<Insertable<Schema['invoice_items']>>
/** Adds a finalized invoice and the patient's payment, as a sale would. Returns the line ids in order. */
async function sold(lines: Line[], paid = 0, header: Partial<Insertable<Schema['invoices']>> = {}) {
  const { pool } = server.db
  const id_invoice = uuidv7()
  const at = '2026-11-19T15:00:00.000Z'
  await pool
    .insertInto('invoices')
    .values({
      id_invoice,
      id_patient: idPatient,
      store_id: 1,
      date: '2026-11-19',
      status: 'finalized',
      created_at: at,
      finalized_at: at,
      ...header,
    })
    .execute()
  const rows = lines.map((line, place) => ({
    item_sale_id: uuidv7(),
    id_invoice,
    position: place + 1,
    kind: 'frame' as const,
    description: 'Ferry 1, Slate',
    qty: 1,
    unit_price_cents: 120_00,
    ...line,
  }))
  await pool.insertInto('invoice_items').values(rows).execute()
  if (paid > 0) {
    await pool
      .insertInto('invoice_payments')
      .values({ id_payment: uuidv7(), id_invoice, kind: 'visa', amount_cents: paid, at, store_id: 1 })
      .execute()
  }
  return { id_invoice, items: rows.map(({ item_sale_id }) => item_sale_id) }
}
/** Sells a frame of Downtown to the patient. */
async function soldFrame(): Promise<number> {
  const body = {
    add_id: uuidv7(),
    brand_id: 1,
    title_product: 'Ferry 1',
    title_variant: 'Slate',
    size_lens_width: 52,
    size_bridge_width: 17,
    size_temple_length: 140,
    upc: null,
    item_list_cost: 6000,
    item_discount: 10,
    pb_selling_price: 12_000,
    board_location: 'Wall A2',
    quantity: 1,
  }
  const { json } = await call('POST', '/api/inventory/add', tokens.maya, body)
  const id = json.items[0].id_inventory as number
  await server.db.pool.updateTable('frames').set({ status: 'Sold' }).where('id_inventory', '=', id).execute()
  return id
}
const asking = (items: string[], more: Record<string, unknown> = {}) => ({
  return_id: uuidv7(),
  lines: items.map((item_sale_id) => ({ item_sale_id, qty: 1, reason: 'changed mind' })),
  ...more,
})
const ask = async (idInvoice: string, items: string[], more: Record<string, unknown> = {}) =>
  await done('POST', `/api/patient/invoice/${idInvoice}/return`, tokens.ana, asking(items, more))
const confirmation = (back: PatientReturn, restock: string, more: Record<string, unknown> = {}) => ({
  version: back.version,
  restocking_fee_cents: 0,
  refund_method: 'original tender',
  lines: back.lines.map(({ item_sale_id }) => ({ item_sale_id, restock })),
  ...more,
})
const confirm = async (back: PatientReturn, restock: string, more: Record<string, unknown> = {}, token = tokens.maya) =>
  await done('PUT', `/api/patient/return/${back.return_id}/confirm`, token, confirmation(back, restock, more))
async function balanceOf(idInvoice: string) {
  const { json } = await call('GET', `/api/patient/invoice?id_patient=${idPatient}`, tokens.maya)
  const found = json.invoices.find((invoice: { id_invoice: string }) => invoice.id_invoice === idInvoice)
  return { total: found.total_cents, patient: found.pt_balance_cents, insurance: found.ins_balance_cents }
}
const actionsOf = async () =>
  v
    .parse(patientAudit.response, (await call('GET', `/api/patient/${idPatient}/audit`, tokens.maya)).json)
    .entries.map(({ action }) => action)

describe('a patient return', () => {
  test('is written once under its id, and moves nothing before it is confirmed', async () => {
    const id_inventory = await soldFrame()
    const { id_invoice, items } = await sold([{ id_inventory, sku: 'DOWN-1' }], 120_00)
    const body = asking(items, { note: ' hinge ', warranty: 'manufacturer' })
    const path = `/api/patient/invoice/${id_invoice}/return`
    const [first, second] = await Promise.all([done('POST', path, tokens.ana, body), done('POST', path, tokens.ana, body)])
    expect(first).toEqual(second)
    expect(first).toMatchObject({
      status: 'pending',
      note: 'hinge',
      warranty: 'manufacturer',
      patient: { id_patient: idPatient, name: 'Zuzana' },
      decided_by: null,
      lines: [{ id_inventory, sku: 'DOWN-1', qty: 1, reason: 'changed mind', restock: null, share_cents: 120_00 }],
      money: { pt_balance_cents: 0, credit_cents: null, refund_cents: null },
    })
    expect((await frameOf(id_inventory)).status).toBe('Sold')
    expect(await balanceOf(id_invoice)).toEqual({ total: 120_00, patient: 0, insurance: 0 })
    const other = await sold([{}])
    expect(
      await refused('POST', `/api/patient/invoice/${other.id_invoice}/return`, tokens.ana, {
        ...body,
        ...asking(other.items),
        return_id: body.return_id,
      }),
    ).toEqual([409, 'key-reused'])
  })

  test('of a piece happens once: a pending return holds the piece, and a denied or deleted one releases it', async () => {
    const { id_invoice, items } = await sold([{ kind: 'accessory', qty: 3, unit_price_cents: 10_00 }])
    const path = `/api/patient/invoice/${id_invoice}/return`
    const two = await ask(id_invoice, [], { lines: [{ item_sale_id: items[0], qty: 2, reason: 'changed mind' }] })
    expect(
      await refused('POST', path, tokens.ana, asking(items, { lines: [{ item_sale_id: items[0], qty: 2, reason: 'remake' }] })),
    ).toEqual([409, 'return-line-taken'])
    const left = async () => (await call('GET', `${path}s`, tokens.ana)).json.lines[0].left
    expect(await left()).toBe(1)
    await done('PUT', `/api/patient/return/${two.return_id}/deny`, tokens.maya, { version: 1, reason: 'worn' })
    expect(await left()).toBe(3)
    const again = await ask(id_invoice, items)
    expect(await left()).toBe(2)
    expect((await call('DELETE', `/api/patient/return/${again.return_id}?version=1`, tokens.ana)).status).toBe(200)
    expect(await left()).toBe(3)
    expect(await refused('GET', `/api/patient/return/${again.return_id}`, tokens.ana)).toEqual([404, 'patient-return-unknown'])
  })

  test('of the last piece by two users at once succeeds for one of them', async () => {
    const { id_invoice, items } = await sold([{ kind: 'accessory' }])
    const path = `/api/patient/invoice/${id_invoice}/return`
    const both = await Promise.all([call('POST', path, tokens.ana, asking(items)), call('POST', path, tokens.maya, asking(items))])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('cannot include a service or an item of a draft', async () => {
    const exam = await sold([{ kind: 'exam' }])
    expect((await call('GET', `/api/patient/invoice/${exam.id_invoice}/returns`, tokens.ana)).json.lines).toEqual([])
    expect(await refused('POST', `/api/patient/invoice/${exam.id_invoice}/return`, tokens.ana, asking(exam.items))).toEqual([
      409,
      'return-line-taken',
    ])
    const draft = await sold([{}], 0, { status: 'draft', finalized_at: null })
    expect(await refused('POST', `/api/patient/invoice/${draft.id_invoice}/return`, tokens.ana, asking(draft.items))).toEqual([
      409,
      'patient-invoice-not-finalized',
    ])
  })

  test.each<[string, Record<string, unknown>]>([
    ['nothing', { lines: [] }],
    ['none of something', { lines: [{ item_sale_id: uuidv7(), qty: 0, reason: 'remake' }] }],
    ['for no known reason', { lines: [{ item_sale_id: uuidv7(), qty: 1, reason: 'fun' }] }],
    [
      'a line twice',
      { lines: Array.from({ length: 2 }, () => ({ item_sale_id: '0198c2f4-0000-7000-8000-000000000001', qty: 1, reason: 'remake' })) },
    ],
    ['under no id', { return_id: 'one' }],
  ])('%s is refused', async (_, more) => {
    const { id_invoice, items } = await sold([{}])
    expect(await refused('POST', `/api/patient/invoice/${id_invoice}/return`, tokens.ana, asking(items, more))).toEqual([
      422,
      'request-invalid',
    ])
  })
})

describe('a confirmed return', () => {
  test('puts a frame back for sale, takes it off the invoice and refunds what was paid', async () => {
    const id_inventory = await soldFrame()
    const { id_invoice, items } = await sold([{ id_inventory }, { kind: 'lens', qty: 2, unit_price_cents: 55_00 }], 230_00)
    const back = await confirm(await ask(id_invoice, items.slice(0, 1)), 'to_stock', { restocking_fee_cents: 20_00, note: 'as new' })
    expect(back).toMatchObject({
      status: 'confirmed',
      decided_by: 'Maya Okonjo',
      decision_note: 'as new',
      lines: [{ restock: 'to_stock' }],
      money: { restocking_fee_cents: 20_00, credit_cents: 100_00, refund_cents: 100_00, pt_balance_cents: 0 },
    })
    const frame = await frameOf(id_inventory)
    expect([frame.status, frame.last_seen_at]).toEqual(['Ready for Sale', new Date(server.clock.now()).toISOString()])
    expect((await historyOf(id_inventory))[0]).toMatchObject({ action: 'Returned by a patient', extra: `Patient return ${back.number}` })
    expect(await balanceOf(id_invoice)).toEqual({ total: 130_00, patient: 0, insurance: 0 })
    expect(await refused('PUT', `/api/patient/return/${back.return_id}/confirm`, tokens.maya, confirmation(back, 'to_stock'))).toEqual([
      409,
      'patient-return-settled',
    ])
    expect(await balanceOf(id_invoice)).toMatchObject({ total: 130_00 })
  })

  test('refunds no more than was paid, and cancels the rest of the debt', async () => {
    const { id_invoice, items } = await sold([{ kind: 'accessory', unit_price_cents: 100_00 }], 30_00)
    const back = await confirm(await ask(id_invoice, items), 'none')
    expect(back.money).toMatchObject({ credit_cents: 100_00, refund_cents: 30_00 })
    expect(await balanceOf(id_invoice)).toEqual({ total: 0, patient: 0, insurance: 0 })
  })

  test('as store credit stays on the invoice as credit of the patient', async () => {
    const { id_invoice, items } = await sold([{ kind: 'accessory', unit_price_cents: 40_00 }], 40_00)
    const back = await confirm(await ask(id_invoice, items), 'none', { refund_method: 'store credit' })
    expect(back.money).toMatchObject({ refund_cents: 40_00, refund_method: 'store credit', pt_balance_cents: -40_00 })
  })

  test('takes only the patient’s share off the invoice, and for part of a line the same part', async () => {
    const { id_invoice, items } = await sold([{ kind: 'contact_lens', qty: 3, unit_price_cents: 50_00, insurance_cents: 50_00 }], 100_00)
    const one = await confirm(await ask(id_invoice, items), 'none')
    const two = await confirm(await ask(id_invoice, [], { lines: [{ item_sale_id: items[0], qty: 2, reason: 'wrong Rx' }] }), 'none')
    expect([one.money?.refund_cents, two.money?.refund_cents]).toEqual([33_33, 66_67])
    expect(await balanceOf(id_invoice)).toEqual({ total: 50_00, patient: 0, insurance: 50_00 })
  })

  test('makes a frame Defective, joins the return to its vendor, or leaves it with the patient', async () => {
    const pieces = [await soldFrame(), await soldFrame(), await soldFrame()]
    const { id_invoice, items } = await sold(
      pieces.map((id_inventory) => ({ id_inventory })),
      360_00,
    )
    const back = await ask(id_invoice, items)
    const places = ['defective', 'vendor', 'none']
    const lines = items.map((item_sale_id, place) => ({ item_sale_id, restock: places[place] }))
    await done('PUT', `/api/patient/return/${back.return_id}/confirm`, tokens.maya, { ...confirmation(back, 'none'), lines })
    const standing = await Promise.all(pieces.map(async (id) => (await frameOf(id)).status))
    expect(standing).toEqual(['Defective', 'Removed', 'Sold'])
    const { json } = await call('GET', '/api/invoice/return_invoices', tokens.maya)
    const draft = (await call('GET', `/api/invoice/return_invoice/${json.return_invoices[0].return_id}`, tokens.maya)).json
    expect(draft.lines.map(({ frame }: { frame: { id_inventory: number } }) => frame.id_inventory)).toContain(pieces[1])
  })

  test('does all or nothing: a missing destination or a frame that is elsewhere stops it', async () => {
    const pieces = [await soldFrame(), await soldFrame()]
    const { id_invoice, items } = await sold(
      pieces.map((id_inventory) => ({ id_inventory })),
      240_00,
    )
    const back = await ask(id_invoice, items)
    const path = `/api/patient/return/${back.return_id}/confirm`
    const half = { ...confirmation(back, 'to_stock'), lines: [{ item_sale_id: items[0], restock: 'to_stock' }] }
    expect(await refused('PUT', path, tokens.maya, half)).toEqual([422, 'return-destination-missing'])
    await server.db.pool.updateTable('frames').set({ status: 'Missing' }).where('id_inventory', '=', pieces[1]!).execute()
    expect(await refused('PUT', path, tokens.maya, confirmation(back, 'to_stock'))).toEqual([409, 'returned-piece-elsewhere'])
    expect([(await frameOf(pieces[0]!)).status, await balanceOf(id_invoice)]).toEqual(['Sold', { total: 240_00, patient: 0, insurance: 0 }])
  })

  test('of two decisions at once one succeeds', async () => {
    const { id_invoice, items } = await sold([{ kind: 'accessory' }], 120_00)
    const back = await ask(id_invoice, items)
    const both = await Promise.all([
      call('PUT', `/api/patient/return/${back.return_id}/confirm`, tokens.maya, confirmation(back, 'none')),
      call('PUT', `/api/patient/return/${back.return_id}/deny`, tokens.maya, { version: 1, reason: 'worn' }),
    ])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await refused('DELETE', `/api/patient/return/${back.return_id}?version=2`, tokens.ana)).toEqual([409, 'patient-return-settled'])
  })

  test('moves the frame to the store that took it back, whichever store sold it', async () => {
    const id_inventory = await soldFrame()
    const { id_invoice, items } = await sold([{ id_inventory }], 120_00)
    const back = await done('POST', `/api/patient/invoice/${id_invoice}/return`, east, asking(items))
    expect(await refused('PUT', `/api/patient/return/${back.return_id}/confirm`, tokens.maya, confirmation(back, 'to_stock'))).toEqual([
      403,
      'store-foreign',
    ])
    await confirm(back, 'to_stock', {}, east)
    expect(await frameOf(id_inventory)).toMatchObject({ status: 'Ready for Sale', store_id: 2, board_location: null })
  })
})

describe('the feed', () => {
  test('has pending returns first, then the newest, of the store where the user works now', async () => {
    const { id_invoice, items } = await sold([{ kind: 'accessory' }, { kind: 'accessory' }])
    const older = await ask(id_invoice, items.slice(0, 1))
    const denied = await ask(id_invoice, items.slice(1))
    await done('PUT', `/api/patient/return/${denied.return_id}/deny`, tokens.maya, { version: 1, reason: 'worn' })
    const { json } = await call('GET', '/api/invoice/patient_returns', tokens.maya)
    const { patient_returns, total } = v.parse(calls.listPatientReturns.response, json)
    expect(total).toBe(patient_returns.length)
    expect(patient_returns[0]?.return_id).toBe(older.return_id)
    const settled = patient_returns.findIndex(({ status }) => status !== 'pending')
    expect(patient_returns.slice(settled).some(({ status }) => status === 'pending')).toBe(false)
    expect(patient_returns[settled]?.return_id).toBe(denied.return_id)
    const only = await call('GET', '/api/invoice/patient_returns?status=denied', tokens.maya)
    expect(only.json.patient_returns.every(({ status }: { status: string }) => status === 'denied')).toBe(true)
    const eastern = (await call('GET', '/api/invoice/patient_returns?status=pending', east)).json
    expect(eastern.total).toBe(0)
  })

  test('shows a stock clerk the item and the reason, and neither patient nor price', async () => {
    const { id_invoice, items } = await sold([{ kind: 'accessory' }])
    const { return_id } = await ask(id_invoice, items)
    const seen = await done('GET', `/api/patient/return/${return_id}`, tokens.ben)
    expect(seen).toMatchObject({ patient: null, money: null, lines: [{ description: 'Ferry 1, Slate', share_cents: null }] })
    const { json } = await call('GET', '/api/invoice/patient_returns', tokens.ben)
    expect(JSON.stringify(json)).not.toContain('Zuzana')
  })

  test('every action and look is in the patient’s audit', async () => {
    const { id_invoice, items } = await sold([{ kind: 'accessory' }])
    const back = await ask(id_invoice, items)
    await call('GET', `/api/patient/return/${back.return_id}`, tokens.maya)
    await confirm(back, 'none')
    const actions = await actionsOf()
    for (const action of ['return.request', 'return.view', 'return.confirm', 'return.deny', 'return.delete'])
      expect(actions).toContain(action)
  })
})

describe('the server refuses', () => {
  test('a stock clerk who asks for a return, and an optician who decides one', async () => {
    const { id_invoice, items } = await sold([{ kind: 'accessory' }])
    expect(await refused('POST', `/api/patient/invoice/${id_invoice}/return`, tokens.ben, asking(items))).toEqual([
      403,
      'permission-missing',
    ])
    expect(await refused('GET', `/api/patient/invoice/${id_invoice}/returns`, tokens.ben)).toEqual([403, 'permission-missing'])
    const back = await ask(id_invoice, items)
    expect(await refused('PUT', `/api/patient/return/${back.return_id}/confirm`, tokens.ana, confirmation(back, 'none'))).toEqual([
      403,
      'permission-missing',
    ])
    expect(await refused('PUT', `/api/patient/return/${back.return_id}/deny`, tokens.ana, { version: 1, reason: 'no' })).toEqual([
      403,
      'permission-missing',
    ])
  })

  test('an optician who opens the invoice of a patient of another store', async () => {
    const { id_invoice, items } = await sold([{ kind: 'accessory' }])
    await server.db.pool.updateTable('patients').set({ store_id: 2 }).where('id', '=', idPatient).execute()
    const path = `/api/patient/invoice/${id_invoice}/return`
    expect(await refused('GET', `${path}s`, tokens.ana)).toEqual([403, 'patient-of-other-store'])
    expect(await refused('POST', path, tokens.ana, asking(items))).toEqual([403, 'patient-of-other-store'])
    const made = await done('POST', path, tokens.maya, asking(items))
    expect((await done('GET', `/api/patient/return/${made.return_id}`, tokens.ana)).patient).toBeNull()
    await server.db.pool.updateTable('patients').set({ store_id: 1 }).where('id', '=', idPatient).execute()
  })

  test('a decision from an older version, and unknown ids', async () => {
    const { id_invoice, items } = await sold([{ kind: 'accessory' }])
    const back = await ask(id_invoice, items)
    const path = `/api/patient/return/${back.return_id}/deny`
    expect(await refused('PUT', path, tokens.maya, { version: 2, reason: 'worn' })).toEqual([409, 'patient-return-changed'])
    expect(await refused('PUT', path, tokens.maya, { version: 1, reason: ' ' })).toEqual([422, 'request-invalid'])
    expect(await refused('PUT', `/api/patient/return/${uuidv7()}/deny`, tokens.maya, { version: 1, reason: 'worn' })).toEqual([
      404,
      'patient-return-unknown',
    ])
    expect(await refused('POST', `/api/patient/invoice/${uuidv7()}/return`, tokens.ana, asking(items))).toEqual([
      404,
      'patient-invoice-unknown',
    ])
    expect(await refused('GET', '/api/patient/return/7', tokens.ana)).toEqual([422, 'request-invalid'])
  })
})
