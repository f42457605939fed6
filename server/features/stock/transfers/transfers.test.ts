import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { transfer, type Transfer, transferEndpoints } from '#contract/stock/transfers.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya manages all stores, Ana is an optician of Downtown, Ben a stock clerk there. */
const tokens = { maya: '', ana: '', ben: '' }
let east = ''
beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
  east = (await server.signIn('maya')).access_token
  await server.request('POST', '/api/home/set_store', { token: east, body: { store_id: 2 } })
})
afterAll(() => server.close())

async function call(method: string, path: string, token: string, body?: unknown) {
  const answer = await server.request(method, path, { token, ...(body !== undefined && { body }) })
  return { status: answer.status, json: await answer.json() }
}
async function done(method: string, path: string, token: string, body?: unknown): Promise<Transfer> {
  const { status, json } = await call(method, path, token, body)
  if (status !== 200) throw new Error(JSON.stringify(json))
  return v.parse(transfer, json)
}
async function refused(method: string, path: string, token: string, body?: unknown) {
  const { status, json } = await call(method, path, token, body)
  return [status, v.parse(errorBody, json).code]
}
const frameOf = async (id: number) => (await call('GET', `/api/inventory/lookup?sku=${id}`, tokens.maya)).json
const historyOf = async (id: number) =>
  (await call('GET', `/api/inventory/history?sku=${id}`, tokens.maya)).json.transaction_history as Record<string, unknown>[]

/** Adds pieces in Downtown. */
async function pieces(quantity: number): Promise<number[]> {
  const body = {
    add_id: uuidv7(),
    brand_id: 1,
    title_product: 'Ferry 1',
    title_variant: 'Slate',
    size_lens_width: 52,
    size_bridge_width: 17,
    size_temple_length: 140,
    upc: null,
    item_list_cost: null,
    item_discount: null,
    pb_selling_price: 12_900,
    board_location: 'Wall A2',
    quantity,
  }
  const { json } = await call('POST', '/api/inventory/add', tokens.ben, body)
  return json.items.map((item: { id_inventory: number }) => item.id_inventory)
}
const draft = (items: number[], more: Record<string, unknown> = {}) => ({
  id_transfer: uuidv7(),
  to_store_id: 2,
  reason: 'rebalancing',
  items,
  ...more,
})
const create = (body: unknown, token = tokens.ben) => done('POST', '/api/transfer', token, body)
async function sent(items: number[], more: Record<string, unknown> = {}) {
  const made = await create(draft(items, more))
  return await done('POST', `/api/transfer/${made.id_transfer}/send`, tokens.ben, { version: made.version })
}
/** Maya, working at the destination store. */
async function atEastside<T>(work: (token: string) => Promise<T>): Promise<T> {
  return await work(east)
}
const arrive = async (id: string, token: string, ...ids: (number | { id_inventory: number; damaged: boolean; note: string })[]) => {
  const body = { pieces: ids.map((id_inventory) => (typeof id_inventory === 'number' ? { id_inventory } : id_inventory)) }
  const { status, json } = await call('POST', `/api/transfer/${id}/receive`, token, body)
  if (status !== 200) throw new Error(JSON.stringify(json))
  return v.parse(transferEndpoints.receiveTransfer.response, json)
}
const states = ({ lines }: Transfer) => lines.map(({ state, frame }) => [state, frame.status, frame.store_id])

describe('a draft', () => {
  test('is written once under its id, with its pieces in order, and moves nothing', async () => {
    const items = (await pieces(2)).toReversed()
    const body = draft(items, { note: ' for the window ', carrier: 'Van' })
    const [one, two] = await Promise.all([create(body), create(body)])
    expect(one).toEqual(two)
    expect(one).toMatchObject({
      status: 'draft',
      from_store_id: 1,
      to_store_id: 2,
      note: 'for the window',
      carrier: 'Van',
      pieces: 2,
      arrived: 0,
    })
    expect(one.lines.map(({ frame }) => frame.id_inventory)).toEqual(items)
    expect(states(one)).toEqual([
      ['listed', 'Ready for Sale', 1],
      ['listed', 'Ready for Sale', 1],
    ])
    expect(await refused('POST', '/api/transfer', tokens.ben, { ...body, to_store_id: 3 })).toEqual([409, 'key-reused'])
  })

  test('changes only from its newest version', async () => {
    const [first, second] = (await pieces(2)) as [number, number]
    const made = await create(draft([first]))
    const path = `/api/transfer/${made.id_transfer}`
    const wanted = { to_store_id: 3, reason: 'customer order', note: '', carrier: '', tracking: '', items: [second], version: made.version }
    const changed = await done('PUT', path, tokens.ana, wanted)
    expect([changed.to_store_id, changed.reason, changed.lines.map(({ frame }) => frame.id_inventory)]).toEqual([
      3,
      'customer order',
      [second],
    ])
    expect(await refused('PUT', path, tokens.ben, wanted)).toEqual([409, 'transfer-changed'])
  })

  test.each([
    ['to the store that it is in', { to_store_id: 1 }, [422, 'request-invalid']],
    ['to no store', { to_store_id: 4711 }, [404, 'store-unknown']],
    ['for no known reason', { reason: 'fun' }, [422, 'request-invalid']],
    ['of frames that are not there', { items: [2_000_000_000] }, [404, 'frame-unknown']],
    ['that names a frame twice', { items: [1, 1] }, [422, 'request-invalid']],
  ])('%s is refused', async (_, more, code) => {
    expect(await refused('POST', '/api/transfer', tokens.ben, draft([], more))).toEqual(code)
  })

  test('with frames of another store is refused', async () => {
    const foreign = server.seed.frames.eastside[0]!.id_inventory
    expect(await refused('POST', '/api/transfer', tokens.ben, draft([foreign]))).toEqual([403, 'store-foreign'])
  })
})

describe('a store that found frames of another store', () => {
  const found = () => server.seed.frames.eastside[1]!.id_inventory
  const asking = (more: Record<string, unknown> = {}) =>
    draft([found()], { from_store_id: 2, to_store_id: 1, reason: 'count correction', ...more })

  test('asks that store, which sends them', async () => {
    const asked = await create(asking())
    expect(asked).toMatchObject({ status: 'draft', from_store_id: 2, to_store_id: 1, pieces: 1 })
    expect(states(asked)).toEqual([['listed', 'Ready for Sale', 2]])
    const send = `/api/transfer/${asked.id_transfer}/send`
    expect(await refused('POST', send, tokens.ben, { version: asked.version })).toEqual([403, 'store-foreign'])
    const { json } = await call('GET', '/api/transfer?tab=to-send&page=1', east)
    expect(json.transfers.map(({ id_transfer }: Transfer) => id_transfer)).toContain(asked.id_transfer)
    expect((await done('POST', send, east, { version: asked.version })).status).toBe('sent')
    expect((await arrive(asked.id_transfer, tokens.ben, found())).transfer.status).toBe('received')
  })

  test.each([
    ['for another reason', { reason: 'rebalancing' }],
    ['for a third store', { to_store_id: 3 }],
  ])('cannot ask %s', async (_, more) => {
    expect(await refused('POST', '/api/transfer', tokens.ben, asking(more))).toEqual([403, 'store-foreign'])
  })
})

describe('a frame that cannot leave', () => {
  const put = (made: Transfer, items: number[]) => {
    const { to_store_id, reason, note, carrier, tracking, version } = made
    return { to_store_id, reason, note, carrier, tracking, version, items }
  }
  const become = (id: number, status: 'Sold' | 'Missing' | 'Defective' | 'On Hold' | 'Removed' | 'ICT') =>
    server.db.pool.updateTable('frames').set({ status }).where('id_inventory', '=', id).execute()

  test.each(['Sold', 'Missing', 'On Hold', 'Removed', 'ICT'] as const)('is not put on a draft while it is %s', async (status) => {
    const [sound, other] = (await pieces(2)) as [number, number]
    await become(other, status)
    const { sku } = await frameOf(other)
    const words = `${sku}: ${status} — can’t be transferred`
    const begun = await call('POST', '/api/transfer', tokens.ben, draft([other]))
    expect([begun.status, begun.json.code, begun.json.error]).toEqual([409, 'transfer-piece-elsewhere', words])
    const made = await create(draft([sound]))
    const { status: answer, json } = await call('PUT', `/api/transfer/${made.id_transfer}`, tokens.ben, put(made, [sound, other]))
    expect([answer, json.code, json.error]).toEqual([409, 'transfer-piece-elsewhere', words])
  })

  test('goes on a transfer of defective pieces when it is Defective, and on no other', async () => {
    const [id] = (await pieces(1)) as [number]
    await become(id, 'Defective')
    expect(await refused('POST', '/api/transfer', tokens.ben, draft([id]))).toEqual([409, 'transfer-piece-elsewhere'])
    expect((await create(draft([id], { reason: 'defective' }))).pieces).toBe(1)
  })

  test('can be taken off a draft after it was sold', async () => {
    const [sold, sound, other] = (await pieces(3)) as [number, number, number]
    const made = await create(draft([sold, sound]))
    await become(sold, 'Sold')
    const path = `/api/transfer/${made.id_transfer}`
    const more = await done('PUT', path, tokens.ben, put(made, [sold, sound, other]))
    expect((await done('PUT', path, tokens.ben, put(more, [sound]))).pieces).toBe(1)
  })
})

describe('sending', () => {
  test('makes its pieces ICT of the other store, with a row of history each', async () => {
    const items = await pieces(2)
    const before = await frameOf(items[0]!)
    const under = await sent(items, { tracking: '1Z' })
    expect(under).toMatchObject({ status: 'sent', sent_by: 'Ben Halvorsen', version: 2 })
    expect(states(under)).toEqual([
      ['in transit', 'ICT', 2],
      ['in transit', 'ICT', 2],
    ])
    expect(await frameOf(items[0]!)).toMatchObject({ status: 'ICT', store_id: 2, board_location: null, version: before.version + 1 })
    expect((await historyOf(items[0]!))[0]).toMatchObject({
      action: 'Sent to Eastside',
      status: 'ICT',
      extra: `Transfer ${under.number}`,
      store_info: { from_store: 'Downtown', to_store: 'Eastside' },
    })
  })

  test('is all or nothing: a piece that was sold or sent in the meantime is named', async () => {
    const items = await pieces(3)
    const one = await create(draft(items))
    const two = await create(draft([items[1]!]))
    await done('POST', `/api/transfer/${two.id_transfer}/send`, tokens.ben, { version: two.version })
    const { status, json } = await call('POST', `/api/transfer/${one.id_transfer}/send`, tokens.ben, { version: one.version })
    expect([status, json.code, json.error]).toEqual([409, 'transfer-piece-elsewhere', expect.stringMatching(/^\S+ is in Eastside$/)])
    expect((await frameOf(items[0]!)).status).toBe('Ready for Sale')
  })

  test('of two users at once one succeeds', async () => {
    const made = await create(draft(await pieces(1)))
    const send = () => call('POST', `/api/transfer/${made.id_transfer}/send`, tokens.ben, { version: made.version })
    const answers = await Promise.all([send(), send()])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('needs at least one piece, and sends a defective piece only with defective ones', async () => {
    const empty = await create(draft([]))
    expect(await refused('POST', `/api/transfer/${empty.id_transfer}/send`, tokens.ben, { version: 1 })).toEqual([422, 'transfer-empty'])
    const [broken] = (await pieces(1)) as [number]
    const made = await create(draft([broken]))
    await call('POST', '/api/inventory/update_state', tokens.ben, { inventory_id: broken, state_defective: true, note: 'hinge' })
    expect(await refused('POST', `/api/transfer/${made.id_transfer}/send`, tokens.ben, { version: 1 })).toEqual([
      409,
      'transfer-piece-elsewhere',
    ])
    const under = await sent([broken], { reason: 'defective' })
    await atEastside(async (token) => {
      const { transfer: all } = await arrive(under.id_transfer, token, broken)
      expect(states(all)).toEqual([['received', 'Defective', 2]])
    })
  })
})

describe('receiving', () => {
  test('works piece by piece, each once; a piece from elsewhere is reported and left alone', async () => {
    const items = (await pieces(3)) as [number, number, number]
    const [stranger] = (await pieces(1)) as [number]
    const under = await sent(items)
    await atEastside(async (token) => {
      const first = await arrive(under.id_transfer, token, items[0], stranger)
      expect(first.arrivals.map(({ outcome }) => outcome)).toEqual(['received', 'unexpected'])
      expect(first.transfer).toMatchObject({ status: 'partly received', arrived: 1, pieces: 3 })
      expect((await frameOf(stranger)).store_id).toBe(1)
      const again = await arrive(under.id_transfer, token, items[0], items[1])
      expect(again.arrivals.map(({ outcome }) => outcome)).toEqual(['here', 'received'])
      const last = await arrive(under.id_transfer, token, { id_inventory: items[2], damaged: true, note: 'lens cracked' })
      expect(last.transfer).toMatchObject({ status: 'received', arrived: 3 })
      expect(states(last.transfer)).toEqual([
        ['received', 'Ready for Sale', 2],
        ['received', 'Ready for Sale', 2],
        ['damaged', 'Defective', 2],
      ])
      expect(last.transfer.closed_at).not.toBeNull()
    })
    expect(await historyOf(items[2])).toMatchObject([
      { action: 'Received damaged', extra: expect.stringContaining('lens cracked') },
      {},
      {},
    ])
  })

  test('is for the destination store', async () => {
    const items = await pieces(1)
    const under = await sent(items)
    const body = { pieces: [{ id_inventory: items[0] }] }
    expect(await refused('POST', `/api/transfer/${under.id_transfer}/receive`, tokens.ben, body)).toEqual([403, 'store-foreign'])
  })

  test('pieces that never arrive are given up with a reason, become Missing, and may turn up', async () => {
    const items = (await pieces(2)) as [number, number]
    const under = await sent(items)
    await atEastside(async (token) => {
      const { transfer: partly } = await arrive(under.id_transfer, token, items[0])
      const path = `/api/transfer/${under.id_transfer}/close`
      expect((await call('POST', path, token, { version: partly.version, discrepancy: ' ' })).status).toBe(422)
      const closed = await done('POST', path, token, { version: partly.version, discrepancy: 'Parcel was open' })
      expect(closed).toMatchObject({ status: 'discrepancy', discrepancy: 'Parcel was open', arrived: 1 })
      expect(states(closed)[1]).toEqual(['lost', 'Missing', 2])
      const late = await arrive(under.id_transfer, token, items[1])
      expect(late.arrivals).toMatchObject([{ outcome: 'unexpected', status: 'Missing' }])
    })
  })

  test('an arrival by the frame’s own action settles its line too', async () => {
    const items = (await pieces(2)) as [number, number]
    const under = await sent(items)
    await atEastside(async (token) => {
      await call('POST', '/api/inventory/update_state', token, { inventory_id: items[0], state_in_stock: true })
      await call('POST', '/api/inventory/update_state', token, { inventory_id: items[1], state_remove: true })
      const now = await done('GET', `/api/transfer/${under.id_transfer}`, token)
      expect([now.status, ...now.lines.map(({ state }) => state)]).toEqual(['discrepancy', 'received', 'lost'])
    })
  })
})

describe('canceling', () => {
  test('gives every piece its former store and status', async () => {
    const items = await pieces(2)
    const under = await sent(items)
    const off = await done('POST', `/api/transfer/${under.id_transfer}/cancel`, tokens.ben, { version: under.version })
    expect(off.status).toBe('cancelled')
    expect(states(off)).toEqual([
      ['returned', 'Ready for Sale', 1],
      ['returned', 'Ready for Sale', 1],
    ])
  })

  test('is too late when a piece has arrived', async () => {
    const items = await pieces(2)
    const under = await sent(items)
    const { transfer: partly } = await atEastside((token) => arrive(under.id_transfer, token, items[0]!))
    const body = { version: partly.version }
    expect(await refused('POST', `/api/transfer/${under.id_transfer}/cancel`, tokens.ben, body)).toEqual([409, 'transfer-not-allowed'])
  })
})

test('lists show a store its drafts, its sent, its expected and its finished transfers', async () => {
  const made = await create(draft(await pieces(1)))
  const under = await sent(await pieces(2))
  const list = async (tab: string, token: string) =>
    (await call('GET', `/api/transfer?tab=${tab}`, token)).json.transfers.map((one: { number: number }) => one.number)
  expect(await list('to-send', tokens.ben)).toContain(made.number)
  expect(await list('in-transit', tokens.ben)).toContain(under.number)
  expect(await list('to-receive', tokens.ben)).not.toContain(under.number)
  await atEastside(async (token) => {
    expect(await list('to-receive', token)).toContain(under.number)
    expect(await list('to-send', token)).not.toContain(made.number)
  })
  await done('POST', `/api/transfer/${under.id_transfer}/cancel`, tokens.ben, { version: under.version })
  expect(await list('done', tokens.ben)).toContain(under.number)
})
