import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { type VendorReturn, vendorReturn, vendorReturnEndpoints } from '#contract/returns/vendor-returns.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya manages all stores, Ana is an optician of Downtown, Ben a stock clerk there; a doctor orders nothing. */
const tokens = { maya: '', ana: '', ben: '' }
let east = ''
beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
  east = (await server.signIn('maya')).access_token
  await server.request('POST', '/api/home/set_store', { token: east, body: { store_id: 2 } })
})
afterAll(() => server.close())

const list = '/api/invoice/return_invoices'
const one = ({ return_id }: { return_id: string }) => `/api/invoice/return_invoice/${return_id}`

async function call(method: string, path: string, token: string, body?: unknown) {
  const answer = await server.request(method, path, { token, ...(body !== undefined && { body }) })
  return { status: answer.status, json: await answer.json() }
}
async function done(method: string, path: string, token: string, body?: unknown): Promise<VendorReturn> {
  const { status, json } = await call(method, path, token, body)
  if (status !== 200) throw new Error(JSON.stringify(json))
  return v.parse(vendorReturn, json)
}
async function refused(method: string, path: string, token: string, body?: unknown) {
  const { status, json } = await call(method, path, token, body)
  const { code, error } = v.parse(errorBody, json)
  return [status, code, error]
}
const frameOf = async (id: number) => (await call('GET', `/api/inventory/lookup?sku=${id}`, tokens.maya)).json
const historyOf = async (id: number) =>
  (await call('GET', `/api/inventory/history?sku=${id}`, tokens.maya)).json.transaction_history as Record<string, unknown>[]
const stateOf = async (id: number, flag: string, note?: string) =>
  await call('POST', '/api/inventory/update_state', tokens.ben, { inventory_id: id, [flag]: true, ...(note !== undefined && { note }) })

/** Adds pieces in Downtown, from the vendor of the first brand. Each cost 60.00 less 10 %. */
async function pieces(quantity: number, more: Record<string, unknown> = {}): Promise<number[]> {
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
    pb_selling_price: 12_900,
    board_location: 'Wall A2',
    quantity,
    ...more,
  }
  const { status, json } = await call('POST', '/api/inventory/add', tokens.maya, body)
  if (status !== 200) throw new Error(JSON.stringify(json))
  return json.items.map((item: { id_inventory: number }) => item.id_inventory)
}
let vendorId = 0
async function draftBody(items: number[], more: Record<string, unknown> = {}) {
  vendorId ||= (await frameOf((await pieces(1))[0]!)).vendor_id
  return { return_id: uuidv7(), vendor_id: vendorId, reason: 'defective', items, ...more }
}
const begin = async (items: number[], more: Record<string, unknown> = {}) =>
  await done('POST', list, tokens.ben, await draftBody(items, more))
const step = async (back: VendorReturn, given: Record<string, unknown>, token = tokens.maya) =>
  await done('POST', `${one(back)}/step`, token, { version: back.version, do: given })
async function shipped(items: number[]) {
  const asked = await step(await begin(items), { step: 'request' })
  const approved = await step(asked, { step: 'approve', ra_number: 'RMA-77' })
  return await step(approved, { step: 'ship', carrier: 'UPS', tracking: '1Z9' })
}
const standing = ({ lines }: VendorReturn) => lines.map(({ frame }) => frame.status)

describe('a draft', () => {
  test('is written once under its id, and takes nothing out of the stock', async () => {
    const items = (await pieces(2)).toReversed()
    const body = await draftBody(items, { note: ' hinges ' })
    const [first, second] = await Promise.all([done('POST', list, tokens.ben, body), done('POST', list, tokens.ben, body)])
    expect(first).toEqual(second)
    expect(first).toMatchObject({ status: 'draft', note: 'hinges', pieces: 2, reason: 'defective', ra_number: '' })
    expect(first.lines.map(({ frame }) => frame.id_inventory)).toEqual(items)
    expect(standing(first)).toEqual(['Ready for Sale', 'Ready for Sale'])
    expect((await refused('POST', list, tokens.ben, { ...body, vendor_id: vendorId + 1 }))[1]).toBe('key-reused')
  })

  test('expects the cost of its pieces as credit, for users who may see costs', async () => {
    const back = await begin(await pieces(2))
    expect((await done('GET', one(back), tokens.maya)).credit).toEqual({ expected_cents: 10_800, received_cents: null, missing_costs: 0 })
    const seen = await done('GET', one(back), tokens.ana)
    expect([seen.credit, seen.lines[0]?.cost_cents]).toEqual([null, null])
  })

  test('changes only from its newest version, and its timeline says so', async () => {
    const [kept, gone, fresh] = (await pieces(3)) as [number, number, number]
    const back = await begin([kept, gone])
    const wanted = { reason: 'discontinued', note: '', items: [kept, fresh], version: back.version }
    const changed = await done('PUT', one(back), tokens.ana, wanted)
    expect([changed.reason, changed.lines.map(({ frame }) => frame.id_inventory)]).toEqual(['discontinued', [kept, fresh]])
    expect(changed.timeline.map(({ action }) => action)).toEqual(['Frame taken off', 'Frame added', 'Begun'])
    expect((await refused('PUT', one(back), tokens.ben, wanted)).slice(0, 2)).toEqual([409, 'vendor-return-changed'])
  })

  test('can be deleted, and its frames are free for another one', async () => {
    const items = await pieces(1)
    const back = await begin(items)
    const taken = await refused('POST', list, tokens.ben, await draftBody(items))
    expect(taken).toEqual([409, 'return-piece-elsewhere', expect.stringMatching(new RegExp(`^\\S+ is on return ${back.number}$`))])
    expect((await call('DELETE', `${one(back)}?version=${back.version}`, tokens.ben)).status).toBe(200)
    expect((await refused('GET', one(back), tokens.ben))[1]).toBe('vendor-return-unknown')
    expect((await begin(items)).pieces).toBe(1)
  })

  test('accepts no frame of another vendor or another store, and no sold one', async () => {
    const foreign = server.seed.frames.eastside[0]!.id_inventory
    const sold = server.seed.frames.downtown.find(({ status }) => status === 'Sold')
    for (const id of [foreign, ...(sold ? [sold.id_inventory] : [])]) {
      expect((await refused('POST', list, tokens.ben, await draftBody([id]))).slice(0, 2)).toEqual([409, 'return-piece-elsewhere'])
    }
    expect((await refused('POST', list, tokens.ben, await draftBody([2_000_000_000]))).slice(0, 2)).toEqual([404, 'frame-unknown'])
  })

  test.each([
    ['of no vendor', { vendor_id: 4711 }, [422, 'vendor-unknown']],
    ['for no known reason', { reason: 'fun' }, [422, 'request-invalid']],
    ['that names a frame twice', { items: [1, 1] }, [422, 'request-invalid']],
    ['under no id', { return_id: 'one' }, [422, 'request-invalid']],
  ])('%s is refused', async (_, more, answer) => {
    expect((await refused('POST', list, tokens.ben, await draftBody([], more))).slice(0, 2)).toEqual(answer)
  })
})

describe('its steps', () => {
  test('lead from the draft to the credit; shipping takes the pieces out of the stock with a row of history each', async () => {
    const [sound, broken] = (await pieces(2)) as [number, number]
    await stateOf(broken, 'state_defective', 'hinge')
    const back = await shipped([sound, broken])
    expect(back).toMatchObject({ status: 'shipped', ra_number: 'RMA-77', carrier: 'UPS', tracking: '1Z9' })
    expect(standing(back)).toEqual(['Removed', 'Removed'])
    expect(await historyOf(broken)).toMatchObject([
      { action: 'Returned to vendor', status: 'Removed', stock: 'Out of stock', extra: `Return ${back.number}, RMA RMA-77` },
      {},
      {},
    ])
    const credited = await step(back, { step: 'credit', credit_memo_no: 'CM-1', credit_received_cents: 10_000 })
    expect([credited.status, credited.credit]).toEqual(['credited', { expected_cents: 10_800, received_cents: 10_000, missing_costs: 0 }])
    const closed = await step(credited, { step: 'close', note: 'Short by 8.00, agreed on the telephone' })
    expect(closed.timeline.map(({ action }) => action)).toEqual(['Closed', 'Credited', 'Shipped', 'RMA approved', 'RMA requested', 'Begun'])
    expect(closed.timeline[0]).toMatchObject({ rep: expect.stringContaining('Maya'), detail: 'Short by 8.00, agreed on the telephone' })
  })

  test('a denied return puts its pieces back: sound ones for sale, broken ones as Defective', async () => {
    const [sound, broken] = (await pieces(2)) as [number, number]
    await stateOf(broken, 'state_defective', 'hinge')
    const denied = await step(await shipped([sound, broken]), { step: 'deny', why: 'Older than a year' })
    expect([denied.status, standing(denied)]).toEqual(['ra_denied', ['Ready for Sale', 'Defective']])
    expect((await historyOf(sound))[0]).toMatchObject({ action: 'Back from the vendor return' })
    expect((await begin([sound])).status).toBe('draft')
  })

  test('of two users at once one succeeds', async () => {
    const back = await begin(await pieces(1))
    const ask = () => call('POST', `${one(back)}/step`, tokens.ben, { version: back.version, do: { step: 'request' } })
    const answers = await Promise.all([ask(), ask()])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('shipping is all or nothing: a piece that was removed in the meantime is named', async () => {
    const [first, second] = (await pieces(2)) as [number, number]
    const approved = await step(await begin([first, second]), { step: 'approve', ra_number: 'R' })
    await stateOf(second, 'state_remove')
    const answer = await refused('POST', `${one(approved)}/step`, tokens.ben, { version: approved.version, do: { step: 'ship' } })
    expect(answer).toEqual([409, 'return-piece-elsewhere', expect.stringMatching(/^\S+ is \w+/)])
    expect((await frameOf(first)).status).toBe('Ready for Sale')
    expect((await done('GET', one(approved), tokens.ben)).status).toBe('ra_approved')
  })

  test('none works out of order, on an empty return, or without its data', async () => {
    const empty = await begin([])
    const ask = (back: VendorReturn, given: unknown, token = tokens.maya) =>
      refused('POST', `${one(back)}/step`, token, { version: back.version, do: given })
    expect((await ask(empty, { step: 'request' })).slice(0, 2)).toEqual([422, 'vendor-return-empty'])
    const back = await begin(await pieces(1))
    expect((await ask(back, { step: 'ship' })).slice(0, 2)).toEqual([409, 'vendor-return-not-allowed'])
    expect((await ask(back, { step: 'approve', ra_number: '  ' })).slice(0, 2)).toEqual([422, 'request-invalid'])
    expect((await ask(back, { step: 'credit', credit_memo_no: 'x', credit_received_cents: -1 })).slice(0, 2)).toEqual([
      422,
      'request-invalid',
    ])
    expect((await ask(back, { step: 'fly' })).slice(0, 2)).toEqual([422, 'request-invalid'])
    const credit = { step: 'credit', credit_memo_no: 'x', credit_received_cents: 1 }
    expect((await ask(back, credit, tokens.ben)).slice(0, 2)).toEqual([403, 'permission-missing'])
  })
})

describe('a piece that a user returns from the frame lookup', () => {
  test('joins the draft of its vendor, and begins one when there is none', async () => {
    const [first, second] = (await pieces(2, { brand_id: 2 })) as [number, number]
    await stateOf(first, 'state_return_vendor')
    await stateOf(second, 'state_return_vendor')
    const { json } = await call('GET', list, tokens.ben)
    const found = v.parse(vendorReturnEndpoints.listVendorReturns.response, json).return_invoices
    const vendor = (await frameOf(first)).vendor_id
    const drafts = found.filter((card) => card.vendor_id === vendor && card.status === 'draft')
    const held = await Promise.all(drafts.map((card) => done('GET', one(card), tokens.maya)))
    const own = held.find(({ lines }) => lines.some(({ frame }) => frame.id_inventory === first))
    expect(own?.lines.map(({ frame }) => [frame.id_inventory, frame.status])).toEqual([
      [first, 'Removed'],
      [second, 'Removed'],
    ])
    expect(own?.credit?.expected_cents).toBe(10_800)
    // A piece that a user took out earlier leaves with the parcel. A piece that is taken off the return is for sale
    // again.
    const without = { reason: 'stock balance', note: '', items: [first], version: own?.version }
    const changed = await done('PUT', one(own!), tokens.ben, without)
    expect((await frameOf(second)).status).toBe('Ready for Sale')
    const sent = await step(await step(changed, { step: 'approve', ra_number: 'R2' }), { step: 'ship' })
    expect(sent.status).toBe('shipped')
    const denied = await step(sent, { step: 'deny', why: 'No' })
    expect(standing(denied)).toEqual(['Ready for Sale'])
  })

  test('and that is on a return already stays on that return', async () => {
    const [only] = (await pieces(1)) as [number]
    const back = await begin([only])
    await stateOf(only, 'state_return_vendor')
    const now = await done('GET', one(back), tokens.ben)
    expect([now.pieces, standing(now)]).toEqual([1, ['Removed']])
    await call('DELETE', `${one(now)}?version=${now.version}`, tokens.ben)
    expect((await frameOf(only)).status).toBe('Ready for Sale')
  })
})

test('lists show the returns of the user’s current store, by state and vendor', async () => {
  const back = await begin(await pieces(1))
  const listed = async (query: string, token = tokens.ben) =>
    v
      .parse(vendorReturnEndpoints.listVendorReturns.response, (await call('GET', `${list}?${query}`, token)).json)
      .return_invoices.map(({ return_id }) => return_id)
  expect(await listed('')).toContain(back.return_id)
  expect(await listed('status=shipped')).not.toContain(back.return_id)
  expect(await listed(`vendor_id=${back.vendor_id}`)).toContain(back.return_id)
  expect(await listed(`vendor_id=${back.vendor_id + 1}`)).not.toContain(back.return_id)
  expect(await listed('list=done')).not.toContain(back.return_id)
  expect(await listed('', east)).not.toContain(back.return_id)
  expect((await refused('GET', `${list}?status=nowhere`, tokens.ben)).slice(0, 2)).toEqual([422, 'request-invalid'])
})

test('a user may read a return of another of her stores and change nothing; roles without receiving have no access', async () => {
  const back = await begin(await pieces(1))
  const roles = (role: 'doctor' | 'optician') =>
    server.db.pool
      .updateTable('users')
      .set({ role_ids: [role] })
      .where('username', '=', 'ana')
      .execute()
  expect((await done('GET', one(back), east)).store).toBe('Downtown')
  const body = { version: back.version, do: { step: 'request' } }
  expect((await refused('POST', `${one(back)}/step`, east, body)).slice(0, 2)).toEqual([403, 'store-foreign'])
  await roles('doctor')
  const doctor = (await server.signIn('ana')).access_token
  for (const [method, path, given] of [
    ['GET', list, undefined],
    ['POST', list, await draftBody([])],
    ['GET', one(back), undefined],
    ['POST', `${one(back)}/step`, body],
    ['DELETE', `${one(back)}?version=1`, undefined],
  ] as const) {
    expect((await refused(method, path, doctor, given)).slice(0, 2)).toEqual([403, 'permission-missing'])
  }
  await roles('optician')
})
