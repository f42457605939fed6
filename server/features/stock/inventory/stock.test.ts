import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
const tokens = { maya: '', ben: '', ana: '' }

beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ben', 'ana'] as const) tokens[name] = (await server.signIn(name)).access_token
})
afterAll(() => server.close())

async function call(method: string, path: string, token: string, body?: unknown) {
  const answer = await server.request(method, path, { token, ...(body !== undefined && { body }) })
  return { status: answer.status, body: await answer.json() }
}
const lookUp = async (sku: string | number) => (await call('GET', `/api/inventory/lookup?sku=${sku}`, tokens.maya)).body
const historyOf = async (sku: string | number) =>
  (await call('GET', `/api/inventory/history?sku=${sku}`, tokens.maya)).body.transaction_history as Record<string, unknown>[]

let adds = 0
function adding(more: Record<string, unknown> = {}) {
  adds += 1
  return {
    add_id: `0198c2f4-0000-7000-8000-${String(adds).padStart(12, '0')}`,
    brand_id: 1,
    title_product: 'Cove 12',
    title_variant: 'Slate',
    size_lens_width: 52,
    size_bridge_width: 17.5,
    size_temple_length: 140,
    upc: '36000291452',
    item_list_cost: 4950,
    item_discount: 12.5,
    pb_selling_price: 12_900,
    board_location: 'Wall A2',
    quantity: 1,
    ...more,
  }
}
const add = (body: unknown, token = tokens.ben) => call('POST', '/api/inventory/add', token, body)

describe('adding frames', () => {
  test('each piece has its own store tag and F#, its net, its UPC with the lost zero restored, and a row of history', async () => {
    const { status, body } = await add(adding({ quantity: 3, note: 'From the sample case' }))
    expect(status).toBe(200)
    expect(body.items).toHaveLength(3)
    expect(body.item).toEqual(body.items[0])
    expect(new Set(body.items.flatMap(({ sku, serial }: { sku: string; serial: string }) => [sku, serial])).size).toBe(6)
    for (const { sku } of body.items) {
      const record = await lookUp(sku)
      expect(record).toMatchObject({
        status: 'Ready for Sale',
        store: 'Downtown',
        upc: '036000291452',
        item_net: 4331,
        item_discount: 12.5,
        pb_selling_price: 12_900,
        note: 'From the sample case',
        board_location: 'Wall A2',
        size_bridge_width: 17.5,
      })
      expect(await historyOf(sku)).toMatchObject([
        { action: 'Added', rep: 'Ben Halvorsen', status: 'Ready for Sale', stock: 'In stock', store_info: { to_store: 'Downtown' } },
      ])
    }
    expect(body.items[0].revision).toBeGreaterThan((await lookUp(server.seed.frames.downtown[0]!.sku)).revision)
  })

  test('a call that comes twice, even at once, adds them once; other content with its id is refused', async () => {
    const body = adding({ title_product: 'Twice 1', quantity: 2 })
    const answers = await Promise.all([add(body), add(body)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0].body).toEqual(answers[1].body)
    expect((await add(body)).body).toEqual(answers[0].body)
    const other = await add({ ...body, title_product: 'Other' })
    expect([other.status, other.body.code]).toEqual([409, 'key-reused'])
    expect((await call('GET', '/api/inventory/all-filters?search=Twice', tokens.ben)).body.total).toBe(2)
  })

  test('numbers that a user gave by hand are skipped', async () => {
    const { body } = await add(adding())
    const next = body.item.id_inventory + 1
    const at = new Date(server.clock.now()).toISOString()
    await server.db.write(['chain'], async ({ trx, revision }) => {
      const taken = { store_id: 3, brand_id: 1, vendor_id: 1, title_product: 'By hand', title_variant: '', version: 1, changed_at: at }
      const row = { ...taken, status: 'Ready for Sale' as const, revision: revision('chain') }
      const tag = body.item.sku.split('-')[0]
      await trx
        .insertInto('frames')
        .values([
          { ...row, id_inventory: 900_001, sku: `${tag}-${String(next).padStart(6, '0')}`, serial: 'BY-HAND-1' },
          { ...row, id_inventory: 900_002, sku: 'BY-HAND-2', serial: `F${String(100_000 + next + 1).padStart(7, '0')}` },
        ])
        .execute()
    })
    const after = await add(adding({ quantity: 2 }))
    expect(after.status).toBe(200)
    const ids = after.body.items.map(({ id_inventory }: { id_inventory: number }) => id_inventory)
    expect(ids).toHaveLength(2)
    for (const id of ids) expect(id).toBeGreaterThan(next + 1)
  })

  test('an invalid value is refused at its field, and nothing is added', async () => {
    const before = (await call('GET', '/api/inventory/all-filters', tokens.ben)).body.total
    for (const [field, value] of [
      ['upc', '036000291453'],
      ['upc', 'F100001'],
      ['brand_id', 999],
      ['title_product', ' '],
      ['title_product', 'x'.repeat(121)],
      ['quantity', 0],
      ['quantity', 101],
      ['quantity', 1.5],
      ['item_discount', 101],
      ['item_discount', 33.333],
      ['item_list_cost', -1],
      ['pb_selling_price', 1.5],
      ['size_lens_width', 0],
      ['title_variant', 'a\u0000b'],
      ['add_id', 'no id'],
    ] as const) {
      const { status, body } = await add(adding({ [field]: value }))
      expect([field, status, body.fields?.[0]?.path]).toEqual([field, 422, `body.${field}`])
    }
    expect((await call('GET', '/api/inventory/all-filters', tokens.ben)).body.total).toBe(before)
  })

  test('a hostile name is stored as a name', async () => {
    const title_product = `'); drop table frames; -- <b>`
    const { body } = await add(adding({ title_product, upc: null }))
    expect((await lookUp(body.item.sku)).title_product).toBe(title_product)
  })
})

describe('prices', () => {
  const put = (id: number, body: unknown, token = tokens.maya) => call('PUT', `/api/inventory/update_price/${id}`, token, body)

  test('one price changes with its row of history, and a change from an older version is refused', async () => {
    const [frame] = server.seed.frames.downtown
    const before = await lookUp(frame!.sku)
    const changed = await put(frame!.id_inventory, { pb_selling_price: 15_995, version: before.version })
    expect([changed.status, changed.body.pb_selling_price, changed.body.version]).toEqual([200, 15_995, before.version + 1])
    expect(changed.body.revision).toBeGreaterThan(before.revision)
    expect((await historyOf(frame!.sku))[0]).toMatchObject({ action: 'Price', rep: 'Maya Okonjo', extra: '$99.00 to $159.95' })
    const late = await put(frame!.id_inventory, { pb_selling_price: 1, version: before.version })
    expect([late.status, late.body.code]).toEqual([409, 'frame-changed'])
    expect((await lookUp(frame!.sku)).pb_selling_price).toBe(15_995)
  })

  test('the same price again is no change, and writes no history', async () => {
    const frame = server.seed.frames.downtown[1]!
    const { pb_selling_price, version } = await lookUp(frame.sku)
    expect((await put(frame.id_inventory, { pb_selling_price })).body.version).toBe(version)
    expect(await historyOf(frame.sku)).toEqual([])
  })

  test('only managers may change prices, only of their stores, and only of known frames', async () => {
    const frame = server.seed.frames.downtown[2]!
    expect((await put(frame.id_inventory, { pb_selling_price: 1 }, tokens.ben)).status).toBe(403)
    expect((await call('POST', '/api/inventory/preview_prices', tokens.ben, { ids: [1], change: { kind: 'set', cents: 1 } })).status).toBe(
      403,
    )
    expect((await put(4_000_000, { pb_selling_price: 1 })).body.code).toBe('frame-unknown')
    for (const wrong of [{ pb_selling_price: -1 }, { pb_selling_price: 0.5 }, { pb_selling_price: null }, {}]) {
      expect((await put(frame.id_inventory, wrong)).status).toBe(422)
    }
    expect((await put(99_999_999_999, { pb_selling_price: 1 })).status).toBe(422)
    await sql`delete from user_stores where id_user = ${server.seed.users.maya.id_user} and store_id = 2`.execute(server.db.pool)
    try {
      const foreign = server.seed.frames.eastside[0]!
      const refused = await put(foreign.id_inventory, { pb_selling_price: 1 })
      expect([refused.status, refused.body.code]).toEqual([403, 'store-foreign'])
      const items = [frame, foreign].map(({ id_inventory }) => ({ id_inventory, version: 1, pb_selling_price: 1 }))
      expect((await call('POST', '/api/inventory/update_prices', tokens.maya, { items })).body.code).toBe('store-foreign')
      expect((await lookUp(frame.sku)).pb_selling_price).not.toBe(1)
    } finally {
      await sql`insert into user_stores (id_user, store_id) values (${server.seed.users.maya.id_user}, 2)`.execute(server.db.pool)
    }
  })

  test('many at once: first a preview, then all of them, or none when one has changed', async () => {
    const frames = server.seed.frames.downtown.slice(5, 9)
    const ids = frames.map(({ id_inventory }) => id_inventory)
    const asked = { ids, change: { kind: 'percent', percent: 10, ending: '.95' } }
    const { rows } = (await call('POST', '/api/inventory/preview_prices', tokens.maya, asked)).body
    expect(rows.map((row: { id_inventory: number }) => row.id_inventory)).toEqual(ids)
    for (const { before, after, problem, margin_pct } of rows) {
      expect(Math.abs(after - before * 1.1)).toBeLessThanOrEqual(50)
      expect(after % 100).toBe(95)
      expect([problem, typeof margin_pct]).toEqual([null, 'number'])
    }
    const items = rows.map((row: { id_inventory: number; version: number; after: number }) => ({
      id_inventory: row.id_inventory,
      version: row.version,
      pb_selling_price: row.after,
    }))
    const ending = await call('POST', '/api/inventory/update_state', tokens.ben, { inventory_id: ids[3], state_remove: true })
    expect(ending.status).toBe(200)
    const refused = await call('POST', '/api/inventory/update_prices', tokens.maya, { items })
    expect([refused.status, refused.body.code, refused.body.details.ids]).toEqual([409, 'frame-changed', [ids[3]]])
    expect((await lookUp(frames[0]!.sku)).pb_selling_price).toBe(rows[0].before)

    const done = await call('POST', '/api/inventory/update_prices', tokens.maya, { items: items.slice(0, 3) })
    expect([done.status, done.body]).toEqual([200, { changed: 3 }])
    for (const [at, { sku }] of frames.slice(0, 3).entries()) {
      expect((await lookUp(sku)).pb_selling_price).toBe(rows[at].after)
      expect((await historyOf(sku))[0]).toMatchObject({ action: 'Price' })
    }
    // The same call again names versions that are older than its own change.
    expect((await call('POST', '/api/inventory/update_prices', tokens.maya, { items: items.slice(0, 3) })).status).toBe(409)
    expect((await call('POST', '/api/inventory/update_prices', tokens.maya, { items: [items[0], items[0]] })).status).toBe(422)
  })

  test('of two users who price the same frames at once one succeeds completely', async () => {
    const frames = server.seed.frames.downtown.slice(10, 16)
    const priced = (cents: number) => ({
      items: frames.map(({ id_inventory }) => ({ id_inventory, version: 1, pb_selling_price: cents })),
    })
    const answers = await Promise.all([1111, 2222].map((cents) => call('POST', '/api/inventory/update_prices', tokens.maya, priced(cents))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    const prices = await Promise.all(frames.map(async ({ sku }) => (await lookUp(sku)).pb_selling_price))
    expect(new Set(prices).size).toBe(1)
    for (const { sku } of frames) expect(await historyOf(sku)).toHaveLength(1)
  })
})

describe('lists', () => {
  const list = async (query: string) => (await call('GET', `/api/inventory/all-filters?${query}`, tokens.ben)).body

  test('filter by not seen since and received before', async () => {
    const [seen, unseen, longAgo] = server.seed.frames.eastside.slice(0, 3)
    const set = (id: number, more: string) =>
      sql`update frames set last_seen_at = ${more} where id_inventory = ${id}`.execute(server.db.pool)
    await sql`update frames set last_seen_at = '2026-11-01T00:00:00Z' where store_id = 2`.execute(server.db.pool)
    await set(seen!.id_inventory, '2026-10-01T00:00:00Z')
    await sql`update frames set last_seen_at = null where id_inventory = ${unseen!.id_inventory}`.execute(server.db.pool)
    await sql`update frames set receipt_at = '2025-01-01T00:00:00Z' where id_inventory = ${longAgo!.id_inventory}`.execute(server.db.pool)
    const ids = ({ items }: { items: { id_inventory: number }[] }) => items.map(({ id_inventory }) => id_inventory)
    expect(ids(await list('store_id=2&not_seen_since=2026-10-15T00:00:00.000Z&sort=last_seen'))).toEqual([
      unseen!.id_inventory,
      seen!.id_inventory,
    ])
    expect(ids(await list('store_id=2&received_before=2026-01-01T00:00:00.000Z'))).toEqual([longAgo!.id_inventory])
    expect((await call('GET', '/api/inventory/all-filters?not_seen_since=yesterday', tokens.ben)).status).toBe(422)
  })

  test('every order is complete and fixed over its pages', async () => {
    for (const sort of ['sku', 'serial', 'model', 'status', 'store', 'price', 'last_seen', 'received']) {
      const up: number[] = []
      const down: number[] = []
      for (let page = 1; page <= 3; page++) {
        up.push(...(await list(`sort=${sort}&page=${page}`)).items.map((item: { id_inventory: number }) => item.id_inventory))
        down.push(...(await list(`sort=${sort}&order=desc&page=${page}`)).items.map((item: { id_inventory: number }) => item.id_inventory))
      }
      expect(new Set(up).size).toBe(up.length)
      expect([sort, down.toReversed()]).toEqual([sort, up])
    }
    expect((await call('GET', '/api/inventory/all-filters?sort=item_net', tokens.ben)).status).toBe(422)
    const prices = (await list('sort=price&order=desc')).items.map((item: { pb_selling_price: number }) => item.pb_selling_price)
    expect(prices).toEqual(prices.toSorted((a: number, b: number) => b - a))
  })

  test('by model: the number of pieces in stock by store', async () => {
    const { body } = await call('GET', '/api/inventory?search=Cove', tokens.ben)
    expect(body.models).toMatchObject([{ brand_id: 1, model: 'Cove 12', title_variant: 'Slate', locations: [{ store_name: 'Downtown' }] }])
    expect(body.total).toBe(1)
    const all = await call('GET', '/api/inventory', tokens.ben)
    const { body: ready } = await call('GET', '/api/inventory?status=Missing', tokens.ben)
    const missing = await list('status=Missing')
    const sum = (models: { locations: { quantity: number }[] }[]) =>
      models.flatMap(({ locations }) => locations).reduce((total, { quantity }) => total + quantity, 0)
    expect(sum(ready.models)).toBe(missing.total)
    expect(sum(all.body.models)).toBe(
      (await list('status=Ready for Sale')).total + (await list('status=Defective')).total + (await list('status=On Hold')).total,
    )
    expect(all.body.models.some(({ locations }: { locations: unknown[] }) => locations.length > 1)).toBe(true)
  })

  test('products are found by brand, by the start of a name and by UPC, with costs only for users who may see them', async () => {
    const search = async (query: string, token = tokens.ben) =>
      (await call('GET', `/api/inventory/products/search?query=${encodeURIComponent(query)}`, token)).body.products
    for (const query of ['cove 1', '036000291452', '36000291452']) {
      const products = await search(query)
      expect(products).toContainEqual(expect.objectContaining({ title_product: 'Cove 12', upc: '036000291452', item_list_cost: null }))
    }
    expect((await search('cove', tokens.maya))[0]).toMatchObject({ item_list_cost: 4950, item_discount: 12.5 })
    const { name, brand_id } = server.seed.brands[0]!
    expect((await search(name)).every((one: { brand_id: number }) => one.brand_id === brand_id)).toBe(true)
    expect(await search('%')).toEqual([])
    expect((await call('GET', '/api/inventory/products/search?query=%20', tokens.ben)).status).toBe(422)
  })
})
