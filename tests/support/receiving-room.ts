import * as v from 'valibot'
import { v7 as uuidv7 } from 'uuid'
import { gtinCheckDigit } from '#contract/core/codes.ts'
import { errorBody } from '#contract/core/errors.ts'
import { storeInvoice, storeInvoiceEndpoints, type VendorInvoice, vendorInvoice } from '#contract/receiving/store-invoices.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

export let server: TestServer
/** Maya manages all stores. Ben, a stock clerk of all stores, and Ana, an optician of Downtown, see no costs. */
export const tokens = { maya: '', ben: '', ana: '' }
/** The token of Maya at Eastside. */
export let east = ''

/** Starts the server that the tests of one file share. */
export async function openRoom(): Promise<void> {
  server = await startTestServer()
  for (const name of ['maya', 'ben', 'ana'] as const) tokens[name] = (await server.signIn(name)).access_token
  east = (await server.signIn('maya')).access_token
  await server.request('POST', '/api/home/set_store', { token: east, body: { store_id: 2 } })
}

export const closeRoom = () => server.close()

export async function call(method: string, path: string, token: string, body?: unknown) {
  const answer = await server.request(method, path, { token, ...(body !== undefined && { body }) })
  return { status: answer.status, json: await answer.json() }
}
/** The answer of a call that has to succeed. */
export async function done(method: string, path: string, token: string, body?: unknown) {
  const { status, json } = await call(method, path, token, body)
  if (status !== 200) throw new Error(JSON.stringify(json))
  return json
}
/** Status, code and fields of a refused call. */
export async function refused(method: string, path: string, token: string, body?: unknown) {
  const { status, json } = await call(method, path, token, body)
  const { code, fields } = v.parse(errorBody, json)
  return [status, code, ...(fields ? [fields.map(({ path: field }) => field).join()] : [])]
}

export const root = '/api/invoice'
let numbers = 0
export const entered = (more: Record<string, unknown> = {}) => {
  numbers += 1
  return { id_vendor_invoice: uuidv7(), vendor_id: 1, vendor_invoice_no: `NL-${numbers}`, ...more }
}
export const amounts = (total_cents: number | null, more: Record<string, unknown> = {}) => ({
  amounts: { shipping_cents: 0, tax_cents: 0, discount_cents: 0, total_cents, ...more },
})
export const view = async (id: string, token = tokens.maya) =>
  v.parse(vendorInvoice, await done('GET', `${root}/vendor_invoice/${id}`, token))
/** Makes a store invoice with one vendor invoice. */
export async function invoice(more: Record<string, unknown> = {}, token = tokens.maya): Promise<VendorInvoice> {
  const body = { invoice_id: uuidv7(), vendor_invoice: entered(more) }
  v.parse(storeInvoice, await done('POST', `${root}/create`, token, body))
  return await view(body.vendor_invoice.id_vendor_invoice, token)
}
export const header = ({ vendor_id, vendor_invoice_no, version }: VendorInvoice) => ({ vendor_id, vendor_invoice_no, version })
export const change = (one: VendorInvoice, more: Record<string, unknown>, token = tokens.maya) =>
  done('PUT', `${root}/vendor_invoices/${one.id_vendor_invoice}`, token, { ...header(one), ...more }) as Promise<VendorInvoice>
export const step = (one: VendorInvoice, name: string, more: Record<string, unknown> = {}, token = tokens.maya) =>
  done('POST', `${root}/vendor_invoices/${one.id_vendor_invoice}/step`, token, {
    version: one.version,
    step: name,
    ...more,
  }) as Promise<VendorInvoice>
export async function receive({ id_vendor_invoice }: { id_vendor_invoice: string }, what: Record<string, unknown>, token = tokens.maya) {
  const body = { receive_id: uuidv7(), ...what }
  const answer = await done('POST', `${root}/vendor_invoices/${id_vendor_invoice}/receive`, token, body)
  return v.parse(storeInvoiceEndpoints.receivePieces.response, answer)
}
export const receiveRefused = (one: VendorInvoice, what: Record<string, unknown>, token = tokens.maya) =>
  refused('POST', `${root}/vendor_invoices/${one.id_vendor_invoice}/receive`, token, { receive_id: uuidv7(), ...what })

let models = 0
/** Adds a model to the library: list cost $80, discount 10%, selling price $199. */
export async function model({ brand_id = 1, prices = {} }: { brand_id?: number; prices?: Record<string, unknown> } = {}) {
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
  // The UPC starts with a zero, which spreadsheets drop.
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
export const frameOf = async (sku: string) => await done('GET', `/api/inventory/lookup?sku=${sku}`, tokens.maya)
export const sku = (one: VendorInvoice, at = 0) => one.received[at]!.frame.sku
