import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { labelEndpoints } from '#contract/stock/labels.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya manages all stores, Ana is an optician of Downtown. */
const tokens = { maya: '', ana: '' }
beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ana'] as const) tokens[name] = (await server.signIn(name)).access_token
})
afterAll(() => server.close())
beforeEach(() => server.db.pool.deleteFrom('label_request').execute())

const frames = (store: 'downtown' | 'eastside') => server.seed.frames[store]
const frame = (at: number, store: 'downtown' | 'eastside' = 'downtown') => {
  const found = frames(store)[at]
  if (!found) throw new Error('The seed has no such frame')
  return found
}
const ids = (from: number, to: number) =>
  frames('downtown')
    .slice(from, to)
    .map(({ id_inventory }) => id_inventory)

const ask = (method: string, path: string, token: string, body?: unknown) =>
  server.request(method, path, { token, ...(body !== undefined && { body }) })
async function refused(method: string, path: string, token: string, body?: unknown) {
  const answer = await ask(method, path, token, body)
  const { code, fields } = v.parse(errorBody, await answer.json())
  return [answer.status, code, ...(fields?.map(({ path: at }) => at) ?? [])]
}
async function saidOn(answer: Response): Promise<string[][]> {
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'application/pdf',
    'no-store',
  ])
  return readPdf(new Uint8Array(await answer.arrayBuffer())).pages.map(({ texts }) => texts.map(({ text }) => text))
}
async function waiting(token = tokens.ana) {
  const answer = await ask('GET', '/api/inventory/label_requests', token)
  return v.parse(labelEndpoints.listLabelRequests.response, await answer.json())
}
async function request(items: number[], token = tokens.ana) {
  const answer = await ask('POST', '/api/inventory/label_requests', token, { items })
  return v.parse(labelEndpoints.requestLabels.response, await answer.json())
}
async function settle(idList: string[], outcome: 'printed' | 'withdrawn', token = tokens.ana) {
  const answer = await ask('POST', '/api/inventory/label_requests/settle', token, { ids: idList, outcome })
  return v.parse(labelEndpoints.settleLabelRequests.response, await answer.json()).settled
}

describe('the label of one frame', () => {
  test('is refused for a UPC that several pieces share, with the pieces to choose from', async () => {
    const { upc } = frame(0)
    expect(await refused('GET', `/api/inventory/print-label?sku=${upc}`, tokens.maya)).toEqual([409, 'frame-not-one'])
    expect(labelEndpoints.printLabel.refuses).toContain('frame-not-one')
  })

  test('is a PDF with the data of the piece, found by tag, serial or number', async () => {
    const { sku, serial, id_inventory } = frame(0)
    for (const typed of [sku, serial.toLowerCase(), String(id_inventory)]) {
      const [texts = [], ...more] = await saidOn(await ask('GET', `/api/inventory/print-label?sku=${typed}`, tokens.ana))
      expect(more).toEqual([])
      expect(texts.at(-1)).toBe(`${sku} · F# ${serial}`)
      expect(texts.join(' ')).toMatch(/Matte Black · 5\d-17-140 \$99\.00/)
    }
  })

  test('has the size of the requested stock', async () => {
    const answer = await ask('GET', `/api/inventory/print-label?sku=${frame(0).sku}&stock=letter-30`, tokens.ana)
    expect(readPdf(new Uint8Array(await answer.arrayBuffer())).pages).toMatchObject([{ width: 612, height: 792 }])
  })

  test('is only for pieces of the user’s stores, and an unknown piece or wrong stock is refused', async () => {
    const path = '/api/inventory/print-label'
    expect(await refused('GET', `${path}?sku=${frame(0, 'eastside').sku}`, tokens.ana)).toEqual([403, 'store-foreign'])
    expect((await ask('GET', `${path}?sku=${frame(0, 'eastside').sku}`, tokens.maya)).status).toBe(200)
    expect(await refused('GET', `${path}?sku=NO-SUCH-1`, tokens.ana)).toEqual([404, 'frame-unknown'])
    expect(await refused('GET', path, tokens.ana)).toEqual([422, 'request-invalid', 'query.sku'])
    expect(await refused('GET', `${path}?sku=%20`, tokens.ana)).toEqual([422, 'request-invalid', 'query.sku'])
    expect(await refused('GET', `${path}?sku=1&stock=parchment`, tokens.ana)).toEqual([422, 'request-invalid', 'query.stock'])
  })

  test('is not drawn when the tag is too long for any label', async () => {
    const { id_inventory, sku } = frame(9)
    const set = (to: string) => server.db.pool.updateTable('frames').set({ sku: to }).where('id_inventory', '=', id_inventory).execute()
    await set('LONG-'.repeat(300))
    expect(await refused('GET', `/api/inventory/print-label?sku=${id_inventory}`, tokens.ana)).toEqual([422, 'label-too-small'])
    await set(sku)
  })
})

describe('labels of many frames', () => {
  const path = '/api/inventory/print-labels'
  const body = (items: number[], more: object = {}) => ({ items, stock: 'letter-30', ...more })

  test('are one PDF in the requested order', async () => {
    const items = ids(0, 30).toReversed()
    const pages = await saidOn(await ask('POST', path, tokens.ana, body(items, { skip: 28 })))
    const tags = pages.map((texts) => texts.filter((text) => text.includes(' · F# ')).map((text) => text.split(' · ')[0]))
    expect(tags.map(({ length }) => length)).toEqual([2, 28])
    expect(tags.flat()).toEqual(items.map((id) => frames('downtown').find(({ id_inventory }) => id_inventory === id)?.sku))
  })

  test('come all or none', async () => {
    expect(await refused('POST', path, tokens.ana, body([...ids(0, 2), 999_999]))).toEqual([404, 'frame-unknown'])
    expect(await refused('POST', path, tokens.ana, body([...ids(0, 2), frame(0, 'eastside').id_inventory]))).toEqual([403, 'store-foreign'])
    expect(await refused('POST', path, tokens.ana, body([]))).toEqual([422, 'request-invalid', 'body.items'])
    expect(await refused('POST', path, tokens.ana, body([...ids(0, 1), ...ids(0, 1)]))).toEqual([422, 'request-invalid', 'body.items'])
    expect(await refused('POST', path, tokens.ana, body(Array.from({ length: 501 }, (_, at) => at + 1)))).toEqual([
      422,
      'request-invalid',
      'body.items',
    ])
    expect(await refused('POST', path, tokens.ana, body(ids(0, 1), { skip: 30 }))).toEqual([422, 'request-invalid', 'body.skip'])
    expect(await refused('POST', path, tokens.ana, { items: ids(0, 1), stock: 'roll-57x32', skip: 1 })).toEqual([
      422,
      'request-invalid',
      'body.skip',
    ])
    expect(await refused('POST', path, tokens.ana, 'not json')).toEqual([400, 'request-unreadable'])
  })
})

describe('requests for labels', () => {
  test('are listed once each with the user who asked, even when two users ask at once', async () => {
    expect(await request(ids(0, 2))).toEqual({ added: 2, waiting: 2 })
    const both = await Promise.all([request(ids(1, 4), tokens.ana), request(ids(1, 4).toReversed(), tokens.maya)])
    expect(both.map(({ added }) => added).toSorted((a, b) => a - b)).toEqual([0, 2])
    const { requests, total } = await waiting()
    expect(total).toBe(4)
    expect(requests.map(({ frame: { id_inventory } }) => id_inventory)).toEqual(ids(0, 4))
    expect(requests[0]).toMatchObject({
      asked_by: server.seed.users.ana.name,
      asked_at: '2026-11-20T14:00:00.000Z',
      frame: { sku: frame(0).sku },
    })
  })

  test('stay after a print, until a user says that the labels are ready; then the pieces can be requested again', async () => {
    await request(ids(0, 2))
    await saidOn(await ask('POST', '/api/inventory/print-labels', tokens.ana, { items: ids(0, 2), stock: 'roll-57x32' }))
    const [first, second] = (await waiting()).requests.map(({ id_request }) => id_request)
    if (!first || !second) throw new Error('Nobody waits')
    expect(await settle([first], 'printed')).toBe(1)
    expect((await waiting()).requests.map(({ id_request }) => id_request)).toEqual([second])
    // A second or different answer changes nothing.
    expect(await settle([first, second], 'withdrawn')).toBe(1)
    const rows = await server.db.pool
      .selectFrom('label_request')
      .select(['id_request', 'state', 'settled_by'])
      .orderBy('id_request')
      .execute()
    const settled_by = server.seed.users.ana.name
    expect(rows).toEqual([
      { id_request: first, state: 'printed', settled_by },
      { id_request: second, state: 'withdrawn', settled_by },
    ])
    expect(await request(ids(0, 1))).toEqual({ added: 1, waiting: 1 })
  })

  test('are those of the user’s store, and a piece that moves waits in its new store', async () => {
    await request([frame(5, 'eastside').id_inventory], tokens.maya)
    expect((await waiting()).total).toBe(0)
    await server.db.pool.updateTable('frames').set({ store_id: 1 }).where('id_inventory', '=', frame(5, 'eastside').id_inventory).execute()
    expect((await waiting()).requests.map(({ frame: { sku } }) => sku)).toEqual([frame(5, 'eastside').sku])
    await server.db.pool.updateTable('frames').set({ store_id: 2 }).where('id_inventory', '=', frame(5, 'eastside').id_inventory).execute()
  })

  test('are added and settled by users of the store, all or none', async () => {
    const path = '/api/inventory/label_requests'
    const eastside = frame(5, 'eastside').id_inventory
    expect(await refused('POST', path, tokens.ana, { items: [...ids(0, 1), eastside] })).toEqual([403, 'store-foreign'])
    expect(await refused('POST', path, tokens.ana, { items: [...ids(0, 1), 999_999] })).toEqual([404, 'frame-unknown'])
    expect((await waiting()).total).toBe(0)
    await request([...ids(0, 1), eastside], tokens.maya)
    const all = await server.db.pool.selectFrom('label_request').select('id_request').orderBy('id_inventory').execute()
    const both = all.map(({ id_request }) => id_request)
    expect(await refused('POST', `${path}/settle`, tokens.ana, { ids: both, outcome: 'printed' })).toEqual([403, 'store-foreign'])
    expect(await refused('POST', `${path}/settle`, tokens.ana, { ids: [both[0], uuidv7()], outcome: 'printed' })).toEqual([
      404,
      'label-request-unknown',
    ])
    expect(await refused('POST', `${path}/settle`, tokens.ana, { ids: ['1'], outcome: 'printed' })).toEqual([
      422,
      'request-invalid',
      'body.ids.0',
    ])
    expect(await refused('POST', `${path}/settle`, tokens.ana, { ids: both, outcome: 'lost' })).toEqual([
      422,
      'request-invalid',
      'body.outcome',
    ])
    expect((await waiting(tokens.maya)).total).toBe(1)
    expect(
      await settle(
        both.map((id) => id.toUpperCase()),
        'printed',
        tokens.maya,
      ),
    ).toBe(2)
  })
})

describe('a request for a label from offline', () => {
  const rows = () => server.db.pool.selectFrom('label_request').selectAll().orderBy('asked_at').execute()
  async function tabletOf(...names: string[]) {
    const tablet = new WireTablet(server, 'Tablet L')
    for (const name of names) await tablet.signIn(name)
    return tablet
  }

  test('is on the list once, however often it comes, at the time of the request, and a second request changes nothing', async () => {
    const tablet = await tabletOf('ana')
    const { id_inventory } = frame(0)
    const [wish, again] = [tablet.command('label.request', { id_inventory }), tablet.command('label.request', { id_inventory })]
    const at = wish.captured.wall
    server.clock.advance(3_600_000)
    await tablet.signIn('ana')
    await Promise.all([tablet.push([wish]), tablet.push([wish])])
    const [receipt] = await tablet.push([again])
    expect(receipt).toMatchObject({ outcome: 'applied' })
    expect(await rows()).toMatchObject([{ id_request: wish.id, id_inventory, asked_by: 'Ana Teixeira', state: 'waiting' }])
    expect((await waiting((await server.signIn('ana')).access_token)).requests).toMatchObject([{ id_request: wish.id, asked_at: at }])
  })

  test('is done when its label was printed in the meantime, and waits when another request was withdrawn', async () => {
    const tablet = await tabletOf('ana')
    const { access_token } = await server.signIn('ana')
    const wishes = [1, 2].map((place) => tablet.command('label.request', { id_inventory: frame(place).id_inventory }))
    server.clock.advance(60_000)
    await request(ids(1, 3), access_token)
    const [first, second] = (await waiting(access_token)).requests
    const [printed, withdrawn] = first!.frame.id_inventory === frame(1).id_inventory ? [first!, second!] : [second!, first!]
    await settle([printed.id_request], 'printed', access_token)
    await settle([withdrawn.id_request], 'withdrawn', access_token)
    server.clock.advance(60_000)
    const receipts = await tablet.push(wishes)
    expect(receipts.map(({ outcome }) => outcome)).toEqual(['applied', 'applied'])
    expect((await waiting(access_token)).requests.map(({ id_request }) => id_request)).toEqual([wishes[1]!.id])
  })

  test('is refused in words for an unknown frame or another store, and held for a manager after its author lost the right', async () => {
    const tablet = await tabletOf('maya', 'ana')
    const receipts = await tablet.push([
      tablet.command('label.request', { id_inventory: 2_000_000 }),
      tablet.command('label.request', { id_inventory: frame(0, 'eastside').id_inventory }),
      tablet.command('label.request', { id_inventory: frame(3).id_inventory }, { store_id: null }),
      tablet.command('label.request', { id_inventory: frame(0, 'eastside').id_inventory }, { by: 'maya' }),
    ])
    expect(receipts.map((receipt) => (receipt.outcome === 'refused' ? receipt.error?.code : receipt.outcome))).toEqual([
      'frame-unknown',
      'store-foreign',
      'request-invalid',
      'applied',
    ])
    await server.db.pool
      .updateTable('users')
      .set({ role_ids: ['front_desk'] })
      .where('username', '=', 'ana')
      .execute()
    const [receipt] = await tablet.push([tablet.command('label.request', { id_inventory: frame(4).id_inventory })])
    expect(receipt).toMatchObject({ outcome: 'refused', error: { code: 'work-held' } })
    expect((await rows()).map(({ id_inventory }) => id_inventory)).toEqual([frame(0, 'eastside').id_inventory])
  })
})
