import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import type { CommandBody } from '#contract/sync/commands.ts'
import { transfer, type Transfer } from '#contract/stock/transfers.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let maya = ''
let tablet: WireTablet
beforeAll(async () => {
  server = await startTestServer()
  maya = (await server.signIn('maya')).access_token
  tablet = new WireTablet(server, 'Tablet T')
  for (const name of ['ben', 'maya']) await tablet.signIn(name)
})
afterAll(() => server.close())

async function call(method: string, path: string, token: string, body?: unknown) {
  const answer = await server.request(method, path, { token, ...(body !== undefined && { body }) })
  return { status: answer.status, json: await answer.json() }
}
const read = async (id: string): Promise<Transfer> => v.parse(transfer, (await call('GET', `/api/transfer/${id}`, maya)).json)
const frameOf = async (id: number) => (await call('GET', `/api/inventory/lookup?sku=${id}`, maya)).json
/** Adds pieces in Downtown. */
async function pieces(quantity: number): Promise<number[]> {
  const model = { brand_id: 1, title_product: 'Ferry 1', title_variant: 'Slate', upc: null, board_location: 'Wall A2' }
  const sizes = { size_lens_width: 52, size_bridge_width: 17, size_temple_length: 140 }
  const prices = { item_list_cost: null, item_discount: null, pb_selling_price: 12_900 }
  const { json } = await call('POST', '/api/inventory/add', maya, { add_id: uuidv7(), ...model, ...sizes, ...prices, quantity })
  return json.items.map((item: { id_inventory: number }) => item.id_inventory)
}

type Options = Parameters<WireTablet['command']>[2]
const begin = (id_transfer: string, more: Partial<CommandBody<'transfer.begin'>> = {}, options: Options = { by: 'ben' }) =>
  tablet.command('transfer.begin', { id_transfer, to_store_id: 2, reason: 'rebalancing', note: '', ...more }, options)
const put = (id_transfer: string, id_inventory: number, on = true, options: Options = { by: 'ben' }) =>
  tablet.command('transfer.put', { id_transfer, id_inventory, on }, options)
const send = (id_transfer: string, items: number[], options: Options = { by: 'ben' }) =>
  tablet.command('transfer.send', { id_transfer, items }, options)
async function push(...commands: Parameters<WireTablet['push']>[0]) {
  const receipts = await tablet.push(commands)
  return receipts.map((receipt) => (receipt.outcome === 'refused' ? receipt.error?.code : receipt.outcome))
}
const idsOf = ({ lines }: Transfer) => lines.map(({ frame }) => frame.id_inventory)

describe('a transfer that a tablet filled offline', () => {
  test('is begun, filled and sent in its author’s name, at the time of the work, once, however often it comes', async () => {
    const id = uuidv7()
    const [one, two, off] = (await pieces(3)) as [number, number, number]
    const commands = [begin(id, { note: 'for Ana' }), put(id, one), put(id, off), put(id, two), put(id, off, false), send(id, [one, two])]
    const at = commands.at(-1)!.captured.wall
    server.clock.advance(3_600_000)
    maya = (await server.signIn('maya')).access_token
    await tablet.signIn('ben')
    expect(await push(...commands)).toEqual(Array.from(commands, () => 'applied'))
    await push(...commands)
    const made = await read(id)
    expect(made).toMatchObject({ status: 'sent', from_store_id: 1, to_store_id: 2, note: 'for Ana', sent_at: at })
    expect([made.created_by, made.sent_by]).toEqual(['Ben Halvorsen', 'Ben Halvorsen'])
    expect(idsOf(made)).toEqual([one, two])
    expect(await frameOf(one)).toMatchObject({ status: 'ICT', store_id: 2 })
    expect((await frameOf(off)).status).toBe('Ready for Sale')
    const { json } = await call('GET', `/api/inventory/history?sku=${one}`, maya)
    expect(json.transaction_history.filter(({ action }: { action: string }) => action.startsWith('Sent to'))).toHaveLength(1)
  })

  test('accepts other users’ additions to it, and is sent only with the pieces that its author saw', async () => {
    const id = uuidv7()
    const [mine, theirs] = (await pieces(2)) as [number, number]
    await push(begin(id), put(id, mine))
    const { version, ...now } = await read(id)
    const { to_store_id, reason, note, carrier, tracking } = now
    await call('PUT', `/api/transfer/${id}`, maya, { to_store_id, reason, note, carrier, tracking, items: [mine, theirs], version })
    expect(await push(put(id, theirs), send(id, [mine]))).toEqual(['applied', 'transfer-changed'])
    expect((await read(id)).status).toBe('draft')
    expect(await push(send(id, [theirs, mine]))).toEqual(['applied'])
  })

  test('is sent already when its call arrived and the answer was lost', async () => {
    const id = uuidv7()
    const [one, late] = (await pieces(2)) as [number, number]
    await push(begin(id), put(id, one))
    const { version } = await read(id)
    await call('POST', `/api/transfer/${id}/send`, maya, { version })
    expect(await push(send(id, [one]), put(id, one), put(id, late))).toEqual(['applied', 'applied', 'transfer-not-allowed'])
  })

  test('names a sold frame on it, and is sent once that frame is taken off', async () => {
    const id = uuidv7()
    const [one, sold] = (await pieces(2)) as [number, number]
    await server.db.pool.updateTable('frames').set({ status: 'Sold' }).where('id_inventory', '=', sold).execute()
    const receipts = await tablet.push([begin(id), put(id, one), put(id, sold), send(id, [one, sold])])
    const words = `${(await frameOf(sold)).sku}: Sold — can’t be transferred`
    expect(receipts.map(({ error }) => error && [error.code, error.message])).toEqual([
      undefined,
      undefined,
      ['transfer-piece-elsewhere', words],
      ['transfer-piece-elsewhere', words],
    ])
    expect(await push(send(id, [one]))).toEqual(['applied'])
  })

  test('is refused, without any effect, when it is no longer possible', async () => {
    const id = uuidv7()
    const [one, gone] = (await pieces(2)) as [number, number]
    const foreign = server.seed.frames.eastside[0]!.id_inventory
    expect(await push(put(id, one))).toEqual(['transfer-unknown'])
    expect(
      await push(
        begin(id),
        put(id, one),
        put(id, gone),
        put(id, foreign),
        put(id, 2_000_000),
        begin(uuidv7(), { to_store_id: 1 }),
        begin(uuidv7(), { to_store_id: 99 }),
        begin(id, { reason: 'defective' }),
        begin(uuidv7(), {}, { by: 'ben', store_id: null }),
      ),
    ).toEqual([
      'applied',
      'applied',
      'applied',
      'store-foreign',
      'frame-unknown',
      'request-invalid',
      'store-unknown',
      'key-reused',
      'request-invalid',
    ])
    await server.db.pool.updateTable('frames').set({ status: 'Sold' }).where('id_inventory', '=', gone).execute()
    expect(await push(send(id, [one, gone]))).toEqual(['transfer-piece-elsewhere'])
    expect([(await read(id)).status, (await frameOf(one)).status]).toEqual(['draft', 'Ready for Sale'])
    await server.db.pool
      .updateTable('users')
      .set({ role_ids: ['front_desk'] })
      .where('username', '=', 'ben')
      .execute()
    expect(await push(put(id, gone, false))).toEqual(['work-held'])
  })
})
