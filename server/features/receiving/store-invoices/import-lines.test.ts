import fs from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gtinCheckDigit, isGtin } from '#contract/core/codes.ts'
import { vendorInvoice } from '#contract/receiving/store-invoices.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya is a manager; Ben a stock clerk, who sees no costs. */
const tokens = { maya: '', ben: '' }
beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
})
afterAll(() => server.close())

async function call(method: string, where: string, body?: unknown, token = tokens.maya) {
  const answer = await server.request(method, where, { token, ...(body !== undefined && { body }) })
  return { status: answer.status, json: await answer.json() }
}
let numbers = 0
async function invoice(): Promise<string> {
  numbers += 1
  const id_vendor_invoice = uuidv7()
  const vendor_invoice = { id_vendor_invoice, vendor_id: 1, vendor_invoice_no: `IM-${numbers}` }
  expect((await call('POST', '/api/invoice/create', { invoice_id: uuidv7(), vendor_invoice })).status).toBe(200)
  return id_vendor_invoice
}
const view = async (id: string) => v.parse(vendorInvoice, (await call('GET', `/api/invoice/vendor_invoice/${id}`)).json)
async function bring(id: string, rows: unknown[], { check_only = false, token = tokens.maya } = {}) {
  const { status, json } = await call('POST', `/api/invoice/vendor_invoices/${id}/import`, { check_only, rows }, token)
  if (status !== 200) throw new Error(JSON.stringify(json))
  return (json.results as { verdict: string; why: string | null }[]).map(({ verdict, why }) => why ?? verdict)
}
const upcOf = (number: number) => {
  const digits = `0360009${String(number).padStart(4, '0')}`
  return digits + gtinCheckDigit(digits)
}
const row = (number: number, more: Record<string, unknown> = {}) => ({
  upc: upcOf(number),
  brand: 'alder',
  title_product: `Quay ${number}`,
  title_variant: 'Teal',
  quantity: 2,
  list_cost: 6000,
  discount_pct: 25,
  ...more,
})

test('a check reports the verdict on each row, and writes nothing', async () => {
  const id = await invoice()
  const rows = [
    row(1),
    row(2, { brand: 'Nobody' }),
    row(3, { brand: '', title_product: '' }),
    row(4, { upc: '036000291453' }),
    { title_variant: 'Red' },
    { upc: server.seed.frames.downtown[0]!.upc },
  ]
  expect(await bring(id, rows, { check_only: true })).toEqual([
    'new',
    'The library has no brand Nobody',
    'No model has this UPC, and the row has no brand and model',
    'Not a valid UPC or EAN. Check the digits',
    'It has no UPC and no brand and model',
    'new',
  ])
  expect(await view(id)).toMatchObject({ lines: [], version: 1 })
})

test('lines come as on the paper; the same file again changes nothing, even without its leading zeros', async () => {
  const id = await invoice()
  const rows = [row(11), row(12, { quantity: 1 }), row(11, { quantity: 3 })]
  expect(await bring(id, rows)).toEqual(['imported', 'imported', 'imported'])
  const after = await view(id)
  expect(after.lines.map(({ title_product, upc, qty_invoiced, costs }) => [title_product, upc, qty_invoiced, costs?.net_cost])).toEqual([
    ['Quay 11', upcOf(11), 5, 4500],
    ['Quay 12', upcOf(12), 1, 4500],
  ])
  const eaten = rows.map((one) => ({ ...one, upc: String(Number(one.upc)) }))
  expect(await bring(id, eaten)).toEqual(['already-there', 'already-there', 'already-there'])
  expect(await bring(id, eaten, { check_only: true })).toEqual(['already-there', 'already-there', 'already-there'])
  const again = await view(id)
  expect([again.lines, again.received, again.history]).toEqual([after.lines, [], after.history])
})

test('pieces received in the meantime stay, and are compared with the new lines', async () => {
  const id = await invoice()
  await bring(id, [row(21, { quantity: 1 })])
  const { json } = await call('POST', `/api/invoice/vendor_invoices/${id}/receive`, { receive_id: uuidv7(), code: upcOf(21) })
  expect(json.vendor_invoice).toMatchObject({ pieces: 1, lines_off: 0 })
  await bring(id, [row(21, { quantity: 2 }), row(22)])
  expect(await view(id)).toMatchObject({ pieces: 1, invoiced: 4, lines_off: 2, status: 'receiving' })
})

test('a model without a UPC gets the one of the file, and a row with a different UPC is left out', async () => {
  const id = await invoice()
  expect(await bring(id, [row(41, { upc: null })])).toEqual(['imported'])
  expect((await view(id)).lines[0]?.upc).toBeNull()
  expect(await bring(id, [row(41)])).toEqual(['already-there'])
  expect((await view(id)).lines[0]?.upc).toBe(upcOf(41))
  const other = 'Another UPC has this model, color and size'
  expect(await bring(id, [row(41, { upc: upcOf(42) })])).toEqual([other])
  expect(await bring(id, [row(43), row(43, { upc: upcOf(44) })])).toEqual(['imported', other])
})

test('a user who sees no costs imports none', async () => {
  const id = await invoice()
  expect(await bring(id, [row(31)], { token: tokens.ben })).toEqual(['imported'])
  expect((await view(id)).lines[0]?.costs).toEqual({ list_cost: null, discount_pct: null, net_cost: null })
  expect(await bring(id, [row(31)], { token: tokens.ben })).toEqual(['already-there'])
})

test('the server keeps columns for each vendor', async () => {
  const where = '/api/invoice/vendors/1/columns'
  expect((await call('GET', where)).json).toEqual({ columns: {} })
  for (const columns of [{ upc: 'Barcode' }, { upc: 'EAN', quantity: 'Qty' }]) {
    expect((await call('PUT', where, { columns }, tokens.ben)).status).toBe(200)
    expect((await call('GET', where)).json).toEqual({ columns })
  }
  expect((await call('PUT', '/api/invoice/vendors/99/columns', { columns: {} })).json.code).toBe('vendor-unknown')
  expect((await call('PUT', where, { columns: { upc: '' } })).status).toBe(422)
})

const file = path.resolve(process.env['LORGNETTE_TEST_DATA'] ?? '../shared/data', 'frames-sunglasshut/skus.csv')
test.skipIf(!fs.existsSync(file))(
  'a whole list of a vendor is imported once, and its bad rows are reported',
  { timeout: 120_000 },
  async () => {
    const lines = fs.readFileSync(file, 'utf8').trim().split('\n').slice(1)
    // Lines with quotation marks are left out. Another test covers reading files.
    const cells = lines.filter((line) => !line.includes('"')).map((line) => line.split(','))
    const rows = cells.slice(0, 450).map(([upc = '', brand = '', , , title_product = '', title_variant = '']) => ({
      upc: upc.replace(/^0+/, ''),
      brand,
      title_product,
      title_variant,
    }))
    for (const name of new Set(rows.map(({ brand }) => brand)))
      await call('POST', '/api/frame_library/add_brand', { vendor_id: 1, name, type: 'sun' })
    const id = await invoice()
    const first = await bring(id, rows)
    const again = await bring(id, rows)
    const good = first.filter((verdict) => verdict === 'imported').length
    const wrong = rows.filter(({ upc }) => !isGtin(upc.padStart(14, '0')))
    const doubtful = first.filter((verdict) => verdict.startsWith('Another UPC')).length
    expect(good).toBeGreaterThan(200)
    expect(good + doubtful + wrong.length).toBe(rows.length)
    expect(first.filter((verdict) => verdict === 'Not a valid UPC or EAN. Check the digits').length).toBe(wrong.length)
    expect(again.filter((verdict) => verdict === 'already-there').length).toBe(good)
    const { lines: made } = await view(id)
    expect(made.reduce((sum, line) => sum + (line.qty_invoiced ?? 0), 0)).toBe(good)
  },
)
