import { sql, type Insertable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { invoiceStatuses } from '#contract/money/invoice-money.ts'
import { invoicePageSize, listInvoices, listInvoiceStatuses } from '#contract/money/invoices.ts'
import { patientAudit, patientRecord } from '#contract/patients/patients.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya manages all stores, Ana is an optician of Downtown, Ben a stock clerk. */
const tokens = { maya: '', ana: '', ben: '' }
let idPatient: string
beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
})
afterAll(() => server.close())
beforeEach(async () => {
  const body = {
    first_name: 'Zuzana',
    street_address: '12 Quarry Ln',
    city: 'Millbrook Falls',
    state: 'NY',
    zip_code: '12345',
    gender: 'Female',
  }
  const answer = await server.request('POST', '/api/patient/add', { token: tokens.ana, body })
  idPatient = v.parse(patientRecord, await answer.json()).id
})

type Header = Partial<Insertable<Schema['invoices']>>
type Line = Partial<Insertable<Schema['invoice_items']>>
type Entry = Pick<Insertable<Schema['invoice_payments']>, 'kind' | 'amount_cents'> & { id_payment?: string; reverses?: string }

/** Inserts an invoice as a sale would. The app sells nothing yet. */
async function invoiced(header: Header = {}, lines: Line[] = [{}], entries: Entry[] = []): Promise<string> {
  const id = uuidv7()
  const at = '2026-11-19T15:00:00.000Z'
  const status = header.status ?? 'finalized'
  const { pool } = server.db
  await pool
    .insertInto('invoices')
    .values({
      id_invoice: id,
      id_patient: idPatient,
      store_id: 1,
      date: '2026-11-19',
      status,
      created_at: at,
      finalized_at: status === 'finalized' ? at : null,
      ...header,
    })
    .execute()
  if (lines.length > 0) {
    const line = (more: Line, at: number): Insertable<Schema['invoice_items']> => ({
      item_sale_id: uuidv7(),
      id_invoice: id,
      position: at + 1,
      kind: 'service',
      description: 'Refraction',
      qty: 1,
      unit_price_cents: 50_00,
      ...more,
    })
    await pool.insertInto('invoice_items').values(lines.map(line)).execute()
  }
  for (const entry of entries) await paid(id, entry)
  return id
}
async function paid(idInvoice: string, entry: Entry): Promise<void> {
  await server.db.pool
    .insertInto('invoice_payments')
    .values({ id_payment: uuidv7(), id_invoice: idInvoice, at: '2026-11-19T15:05:00.000Z', store_id: 1, ...entry })
    .execute()
}
const ask = (query: string, token = tokens.ana) => server.request('GET', `/api/patient/invoice?${query}`, { token })
async function listed(page = 1) {
  const answer = await ask(`id_patient=${idPatient}&page=${page}`)
  if (answer.status !== 200) throw new Error(await answer.text())
  return v.parse(listInvoices.response, await answer.json())
}
const refusal = async (answer: Response) => [answer.status, v.parse(errorBody, await answer.json()).code]

describe('the invoices of a patient', () => {
  test('are none at first, and nothing is owed', async () => {
    expect(await listed()).toEqual({
      invoices: [],
      total: 0,
      page: 1,
      balance: { balance_cents: 0, pt_balance_cents: 0, ins_balance_cents: 0 },
      drafts: { count: 0, total_cents: 0 },
    })
  })

  test('come newest first, each with its total from its lines and entries', async () => {
    const older = await invoiced(
      { date: '2026-03-02' },
      [
        { unit_price_cents: 200_00, discount_cents: 12_00, insurance_cents: 140_00 },
        { unit_price_cents: 19_99, discount_pct: 15, tax_rate_pct: 8.875 },
      ],
      [{ kind: 'visa', amount_cents: 50_00 }],
    )
    const newer = await invoiced({ promised_date: '2026-11-27' }, [{ qty: 2 }], [{ kind: 'cash', amount_cents: 100_00 }])
    const sameDay = await invoiced({ status: 'draft' }, [])
    const { invoices, total } = await listed()
    expect(invoices.map(({ id_invoice }) => id_invoice)).toEqual([sameDay, newer, older])
    expect(total).toBe(3)
    expect(invoices[1]).toEqual({
      id_invoice: newer,
      invoice_no: expect.any(Number),
      store_id: 1,
      store_name: 'Downtown',
      date: '2026-11-19',
      status: 'finalized',
      finalized: true,
      payment_status: 'paid',
      promised_date: '2026-11-27',
      items_count: 1,
      total_cents: 100_00,
      pt_due_cents: 100_00,
      pt_balance_cents: 0,
      ins_balance_cents: 0,
      balance_cents: 0,
    })
    // 188.00, and 16.99 with 1.51 of tax.
    expect(invoices[2]).toMatchObject({
      payment_status: 'partial',
      items_count: 2,
      total_cents: 206_50,
      pt_due_cents: 66_50,
      pt_balance_cents: 16_50,
      ins_balance_cents: 140_00,
      balance_cents: 156_50,
    })
    expect(invoices[0]).toMatchObject({ status: 'draft', finalized: false, items_count: 0, total_cents: 0 })
  })

  test('are owed together: finalized ones of every store, without drafts and void ones', async () => {
    await invoiced({}, [{ insurance_cents: 30_00 }], [{ kind: 'cash', amount_cents: 5_00 }])
    await invoiced({ store_id: 2, date: '2025-01-31' }, [{ unit_price_cents: 10_00 }])
    await invoiced({}, [{}], [{ kind: 'amex', amount_cents: 51_00 }])
    await invoiced({ status: 'draft' }, [{ unit_price_cents: 400_00 }, {}])
    await invoiced({ status: 'void' }, [{ unit_price_cents: 700_00 }])
    const { balance, drafts, invoices } = await listed()
    expect(balance).toEqual({ balance_cents: 54_00, pt_balance_cents: 24_00, ins_balance_cents: 30_00 })
    expect(drafts).toEqual({ count: 1, total_cents: 450_00 })
    expect(invoices.find(({ status }) => status === 'void')).toMatchObject({ finalized: false, total_cents: 0, balance_cents: 0 })
    expect(invoices.map(({ payment_status }) => payment_status).toSorted()).toEqual(['credit', 'paid', 'partial', 'unpaid', 'unpaid'])
  })

  test('belong to this patient only', async () => {
    await invoiced()
    const other = idPatient
    const body = { first_name: 'Petra', street_address: '1 Mill Rd', city: 'Larkspur', state: 'NY', zip_code: '12345', gender: 'Female' }
    const answer = await server.request('POST', '/api/patient/add', { token: tokens.ana, body })
    idPatient = v.parse(patientRecord, await answer.json()).id
    expect((await listed()).total).toBe(0)
    idPatient = other
    expect((await listed()).total).toBe(1)
  })

  test('come in pages, and every page has the balance over all of them', async () => {
    for (let nth = 0; nth < invoicePageSize + 2; nth++) await invoiced({}, [{ unit_price_cents: 1_00 }])
    const [first, second, third] = [await listed(1), await listed(2), await listed(3)]
    expect([first, second, third].map(({ invoices }) => invoices.length)).toEqual([invoicePageSize, 2, 0])
    const numbers = [...first.invoices, ...second.invoices].map(({ invoice_no }) => invoice_no)
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a))
    for (const page of [first, second, third]) {
      expect([page.total, page.balance.balance_cents]).toEqual([invoicePageSize + 2, (invoicePageSize + 2) * 100])
    }
  })

  test('leave the same audit entry for a look as the rest of the record', async () => {
    await listed()
    await listed()
    await ask(`id_patient=${idPatient}&reason=patient%20page`, tokens.maya)
    const answer = await server.request('GET', `/api/patient/${idPatient}/audit`, { token: tokens.maya })
    const { entries } = v.parse(patientAudit.response, await answer.json())
    const views = entries.filter(({ action }) => action === 'invoice.view')
    expect(views.map(({ rep, reason }) => [rep, reason])).toEqual([
      ['Maya Okonjo', 'patient page'],
      ['Ana Teixeira', ''],
    ])
  })
})

describe('refused requests for invoices', () => {
  test('a stock clerk', async () => {
    expect(await refusal(await ask(`id_patient=${idPatient}`, tokens.ben))).toEqual([403, 'permission-missing'])
    const statuses = await server.request('GET', '/api/patient/invoice/statuses', { token: tokens.ben })
    expect(await refusal(statuses)).toEqual([403, 'permission-missing'])
  })

  test('an optician of another store, without an audit entry', async () => {
    await server.db.pool.updateTable('patients').set({ store_id: 2 }).where('id', '=', idPatient).execute()
    expect(await refusal(await ask(`id_patient=${idPatient}`))).toEqual([403, 'patient-of-other-store'])
    const answer = await server.request('GET', `/api/patient/${idPatient}/audit`, { token: tokens.maya })
    expect(v.parse(patientAudit.response, await answer.json()).entries.map(({ action }) => action)).not.toContain('invoice.view')
    expect((await ask(`id_patient=${idPatient}`, tokens.maya)).status).toBe(200)
  })

  test.each([
    ['', 'id_patient'],
    ['id_patient=', 'id_patient'],
    ['id_patient=7', 'id_patient'],
    [`id_patient=${uuidv7()}%00`, 'id_patient'],
    [`id_patient=${uuidv7()}&page=0`, 'page'],
    [`id_patient=${uuidv7()}&page=x`, 'page'],
  ])('a request with %j gets the name of the wrong field', async (query, field) => {
    const answer = await ask(query)
    expect(answer.status).toBe(422)
    const { fields = [] } = v.parse(errorBody, await answer.json())
    expect(fields.map(({ path }) => path.split('.').at(-1))).toEqual([field])
  })

  test('a request for an unknown patient', async () => {
    expect(await refusal(await ask(`id_patient=${uuidv7()}`))).toEqual([404, 'patient-unknown'])
  })
})

test('every status has a title', async () => {
  const answer = await server.request('GET', '/api/patient/invoice/statuses', { token: tokens.ana })
  const { statuses } = v.parse(listInvoiceStatuses.response, await answer.json())
  expect(statuses.map(({ key }) => key)).toEqual([...invoiceStatuses])
  for (const { title } of statuses) expect(title).toMatch(/^[A-Z][a-z]+$/)
})

describe('the tables', () => {
  test('keep every entry as it was written', async () => {
    const id = await invoiced({}, [{}], [{ kind: 'cash', amount_cents: 20_00 }])
    const { pool } = server.db
    await expect(pool.updateTable('invoice_payments').set({ amount_cents: 1 }).where('id_invoice', '=', id).execute()).rejects.toThrow(
      'reversed',
    )
    await expect(pool.deleteFrom('invoice_payments').where('id_invoice', '=', id).execute()).rejects.toThrow('reversed')
    expect((await listed()).balance.balance_cents).toBe(30_00)
  })

  test('tie a reversal to the invoice, kind and amount of its entry, once', async () => {
    const id = await invoiced({}, [{}])
    const payment = uuidv7()
    await paid(id, { id_payment: payment, kind: 'cash', amount_cents: 20_00 })
    await expect(paid(id, { kind: 'visa', amount_cents: 20_00, reverses: payment })).rejects.toThrow()
    await expect(paid(id, { kind: 'cash', amount_cents: 19_99, reverses: payment })).rejects.toThrow()
    await expect(paid(await invoiced(), { kind: 'cash', amount_cents: 20_00, reverses: payment })).rejects.toThrow()
    await paid(id, { kind: 'cash', amount_cents: 20_00, reverses: payment })
    await expect(paid(id, { kind: 'cash', amount_cents: 20_00, reverses: payment })).rejects.toThrow()
    expect((await listed()).invoices.find(({ id_invoice }) => id_invoice === id)).toMatchObject({
      balance_cents: 50_00,
      payment_status: 'unpaid',
    })
  })

  test.each<[string, Line]>([
    ['a quantity of none', { qty: 0 }],
    ['a price below nothing', { unit_price_cents: -1 }],
    ['a discount above the price', { discount_cents: 50_01 }],
    ['two discounts', { discount_cents: 1, discount_pct: 1 }],
    ['two pieces of one frame', { kind: 'frame', id_inventory: 1, qty: 2 }],
  ])('refuse a line with %s', async (_what, line) => {
    await expect(invoiced({}, [line])).rejects.toThrow()
  })

  test('refuse an entry of zero, an unknown kind of entry and a draft with a finalizing time', async () => {
    const id = await invoiced()
    await expect(paid(id, { kind: 'cash', amount_cents: 0 })).rejects.toThrow()
    await expect(paid(id, { kind: 'shells' as never, amount_cents: 1 })).rejects.toThrow()
    await expect(invoiced({ status: 'draft', finalized_at: '2026-11-19T15:00:00.000Z' })).rejects.toThrow()
    const counted = await sql<{ count: number }>`select count(*)::int as count from invoice_payments where id_invoice = ${id}`.execute(
      server.db.pool,
    )
    expect(counted.rows[0]?.count).toBe(0)
  })
})
