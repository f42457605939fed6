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
const change = (body: Record<string, unknown>, token = tokens.ben) => call('POST', '/api/inventory/update_state', token, body)

describe('looking up a frame', () => {
  test('works by serial, by store tag, with a scanner’s prefix, and by number', async () => {
    const [frame] = server.seed.frames.downtown
    for (const typed of [frame!.serial, frame!.sku.toLowerCase(), `]C1${frame!.serial}`, ` ${frame!.id_inventory} `]) {
      const { status, body } = await call('GET', `/api/inventory/lookup?sku=${encodeURIComponent(typed)}`, tokens.ben)
      expect([status, body.id_inventory, body.store]).toEqual([200, frame!.id_inventory, 'Downtown'])
    }
  })

  test('works by an F# without its F and by a UPC in any form: one piece is found, several are offered to choose from', async () => {
    const [frame] = server.seed.frames.downtown
    const ask = (typed: string) => call('GET', `/api/inventory/lookup?sku=${encodeURIComponent(typed)}`, tokens.ben)
    const digits = frame!.serial.slice(1)
    for (const typed of [digits, `f ${digits}`, ` ${digits} `]) expect((await ask(typed)).body.id_inventory).toBe(frame!.id_inventory)
    const shared = frame!.upc ?? ''
    const pieces = [...server.seed.frames.downtown, ...server.seed.frames.eastside].filter((one) => one.upc === shared)
    const spellings = [shared, `0${shared}`, `00${shared}`, shared.replace(/^0+/, ''), ` ${shared} `]
    for (const typed of spellings) {
      const { status, body } = await ask(typed)
      expect([status, body.code]).toEqual([409, 'frame-not-one'])
      expect(body.details.pieces.map((one: { sku: string }) => one.sku)).toEqual(expect.arrayContaining(pieces.map((one) => one.sku)))
    }
    const upc = '036000291452'
    await server.db.pool
      .updateTable('frames')
      .set({ upc, gtin: `00${upc}` })
      .where('id_inventory', '=', frame!.id_inventory)
      .execute()
    for (const typed of [upc, `00${upc}`, upc.slice(1)]) expect((await ask(typed)).body.id_inventory).toBe(frame!.id_inventory)
  })

  test('an unknown code and a hostile one get a readable refusal', async () => {
    for (const typed of ['F999999', "'; drop table frames; --", '٪٪٪', '99999999999']) {
      const { status, body } = await call('GET', `/api/inventory/lookup?sku=${encodeURIComponent(typed)}`, tokens.ben)
      expect([status, body.code]).toEqual([404, 'frame-unknown'])
    }
    expect((await call('GET', '/api/inventory/lookup?sku=', tokens.ben)).status).toBe(422)
  })

  test('costs are only for users who may see them', async () => {
    const path = `/api/inventory/lookup?sku=${server.seed.frames.downtown[0]!.serial}`
    expect((await call('GET', path, tokens.ben)).body).toMatchObject({ item_list_cost: null, item_discount: null, item_net: null })
    expect((await call('GET', path, tokens.maya)).body).toMatchObject({ item_list_cost: 4950, item_discount: 10, item_net: 4455 })
  })

  test('the lists of brands, vendors and stores are complete', async () => {
    expect((await call('GET', '/api/inventory/brands', tokens.ben)).body.brands).toHaveLength(4)
    expect((await call('GET', '/api/inventory/vendors', tokens.ben)).body.vendors.map((one: { name: string }) => one.name)).toEqual([
      'Harbour Eyewear',
      'Northlight Optical',
    ])
    const { stores } = (await call('GET', '/api/inventory/stores', tokens.ben)).body
    expect(stores.map((one: { store_name: string }) => one.store_name)).toEqual(['Downtown', 'Eastside', 'Central Warehouse'])
  })
})

describe('the seven actions', () => {
  test('a user’s note stays a note, even when it reads like the text of a count', async () => {
    const frame = server.seed.frames.downtown[20]!
    const note = 'Count #3 lists it twice'
    await change({ inventory_id: frame.id_inventory, state_defective: true, note })
    const { body } = await call('GET', `/api/inventory/lookup?sku=${frame.serial}`, tokens.ben)
    expect(body.notes).toMatchObject([{ by: 'Ben Halvorsen', text: note }])
  })

  test('a change of state raises version and revision and is in the history', async () => {
    const frame = server.seed.frames.downtown[1]!
    const before = (await call('GET', `/api/inventory/lookup?sku=${frame.serial}`, tokens.ben)).body
    const changed = await change({
      inventory_id: frame.id_inventory,
      state_defective: true,
      note: `hinge 'loose"`,
      version: before.version,
    })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ status: 'Defective', version: before.version + 1, note: 'hinge loose' })
    expect(changed.body.revision).toBeGreaterThan(before.revision)
    expect(changed.body.notes[0]).toMatchObject({ by: 'Ben Halvorsen', text: 'hinge loose' })

    const history = (await call('GET', `/api/inventory/history?sku=${frame.sku}`, tokens.ben)).body
    expect(history.general_info).toMatchObject({ defective: true, in_stock: true, store: 'Downtown', receipt_add: { number: 'R-1001' } })
    expect(history.transaction_history[0]).toMatchObject({
      rep: 'Ben Halvorsen',
      action: 'Defective',
      status: 'Defective',
      store_info: { from_store: 'N/A', to_store: 'N/A' },
      extra: 'hinge loose',
    })
  })

  test('the newest row of the history comes first', async () => {
    const frame = server.seed.frames.downtown[2]!
    await change({ inventory_id: frame.id_inventory, state_remove: true })
    server.clock.advance(60_000)
    await change({ inventory_id: frame.id_inventory, state_return_in_stock: true })
    const { transaction_history } = (await call('GET', `/api/inventory/history?sku=${frame.id_inventory}`, tokens.ben)).body
    expect(transaction_history.map((row: { action: string }) => row.action)).toEqual(['Found missing, return to stock', 'Item is missing'])
  })

  test('a call needs exactly one action, one that the state allows, and a note when required', async () => {
    const [, , , frame] = server.seed.frames.downtown
    const inventory_id = frame!.id_inventory
    const none = await change({ inventory_id })
    expect([none.status, none.body.fields[0].message]).toEqual([422, 'You must select an inventory control option'])
    expect((await change({ inventory_id, state_remove: true, state_return_vendor: true })).status).toBe(422)
    const wrong = await change({ inventory_id, state_return_in_stock: true })
    expect([wrong.status, wrong.body.code, wrong.body.error]).toEqual([
      409,
      'control-not-allowed',
      'Not possible while the frame is Ready for Sale',
    ])
    const empty = await change({ inventory_id, state_defective: true, note: ` '" ` })
    expect([empty.status, empty.body.code]).toEqual([422, 'control-note-missing'])
    expect((await change({ inventory_id: 2_000_000, state_remove: true })).body.code).toBe('frame-unknown')
    const { transaction_history } = (await call('GET', `/api/inventory/history?sku=${inventory_id}`, tokens.ben)).body
    expect(transaction_history).toEqual([])
  })

  test('of two users who change the same frame at once one succeeds and the other is refused', async () => {
    const frame = server.seed.frames.downtown[4]!
    const { version } = (await call('GET', `/api/inventory/lookup?sku=${frame.serial}`, tokens.ben)).body
    const answers = await Promise.all([
      change({ inventory_id: frame.id_inventory, state_remove: true, version }, tokens.ben),
      change({ inventory_id: frame.id_inventory, state_return_vendor: true, version }, tokens.maya),
    ])
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 409]))
    expect(answers.find((answer) => answer.status === 409)!.body.code).toBe('frame-changed')
    const { transaction_history } = (await call('GET', `/api/inventory/history?sku=${frame.serial}`, tokens.ben)).body
    expect(transaction_history).toHaveLength(1)
  })

  test('the store’s preset decides: with the specification’s, Ready for Sale cannot become Missing', async () => {
    const frame = server.seed.frames.downtown[5]!
    const settings = { blind_counts: false, control_preset: 'specification', coverage_percent: 98, scan_gap_ms: 35 }
    await server.db.pool
      .updateTable('stores')
      .set({ settings: JSON.stringify(settings) })
      .where('store_id', '=', 1)
      .execute()
    expect((await change({ inventory_id: frame.id_inventory, state_remove: true })).body.code).toBe('control-not-allowed')
    const practice = JSON.stringify({ ...settings, control_preset: 'practice' })
    await server.db.pool.updateTable('stores').set({ settings: practice }).where('store_id', '=', 1).execute()
    expect((await change({ inventory_id: frame.id_inventory, state_remove: true })).status).toBe(200)
  })

  test('a frame of another store changes only by an action that takes it into this store', async () => {
    const foreign = server.seed.frames.eastside[0]!
    expect((await change({ inventory_id: foreign.id_inventory, state_remove: true }, tokens.ana)).body.code).toBe('store-foreign')
    const missing = server.seed.frames.eastside[29]!
    const found = await change({ inventory_id: missing.id_inventory, state_return_in_stock: true }, tokens.ana)
    expect(found.body).toMatchObject({ status: 'Ready for Sale', store: 'Downtown' })
    const history = (await call('GET', `/api/inventory/history?sku=${missing.sku}`, tokens.ana)).body
    expect(history.transaction_history[0].store_info).toEqual({ from_store: 'Eastside', to_store: 'Downtown' })
  })
})

describe('all frames by filters', () => {
  test('come 50 a page in a fixed order, each once', async () => {
    const first = (await call('GET', '/api/inventory/all-filters', tokens.ben)).body
    const second = (await call('GET', '/api/inventory/all-filters?page=2', tokens.ben)).body
    expect([first.page_size, first.total, first.items.length, second.items.length]).toEqual([50, 90, 50, 40])
    const ids = [...first.items, ...second.items].map((item: { id_inventory: number }) => item.id_inventory)
    expect(new Set(ids).size).toBe(90)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect((await call('GET', '/api/inventory/all-filters?page=3', tokens.ben)).body.items).toEqual([])
  })

  test('filters combine, and wrong ones are refused', async () => {
    const path = '/api/inventory/all-filters?store_id=2,3&brand_id=1&price_min=10000&price_max=20000&search=alder'
    const { items } = (await call('GET', path, tokens.ben)).body
    expect(items.length).toBeGreaterThan(0)
    for (const item of items) {
      expect([2, 3]).toContain(item.store_id)
      expect(item.brand_id).toBe(1)
      expect(item.pb_selling_price).toBeGreaterThanOrEqual(10_000)
      expect(item.pb_selling_price).toBeLessThanOrEqual(20_000)
    }
    expect((await call('GET', '/api/inventory/all-filters?status=Sold', tokens.ben)).body.total).toBe(3)
    expect((await call('GET', '/api/inventory/all-filters?search=%25', tokens.ben)).body.total).toBe(0)
    expect((await call('GET', '/api/inventory/all-filters?store_id=99999999999', tokens.ben)).body.total).toBe(0)
    for (const wrong of ['status=Lost', 'store_id=one', 'page=0', 'price_min=-1']) {
      expect((await call('GET', `/api/inventory/all-filters?${wrong}`, tokens.ben)).status).toBe(422)
    }
  })

  test('as data.csv all frames come, readable by a spreadsheet and harmless in it', async () => {
    const at = new Date(server.clock.now()).toISOString()
    await server.db.write(['chain'], async ({ trx, revision }) => {
      const rows = Array.from({ length: 4_500 }, (_, index) => ({
        sku: `EX-${index}`,
        serial: `EXF${index}`,
        status: 'Ready for Sale' as const,
        store_id: 3,
        brand_id: 1,
        vendor_id: 1,
        title_product: index === 0 ? '=HYPERLINK("http://evil")' : 'Été "B", 12',
        title_variant: '',
        version: 1,
        changed_at: at,
        revision: revision('chain'),
      }))
      for (let start = 0; start < rows.length; start += 500)
        await trx
          .insertInto('frames')
          .values(rows.slice(start, start + 500))
          .execute()
    })
    const answer = await server.request('GET', '/api/inventory/all-filters?output=csv&search=EXF', { token: tokens.ben })
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="data.csv"')
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect(bytes.slice(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf))
    const lines = new TextDecoder().decode(bytes).trimEnd().split('\n')
    expect(lines).toHaveLength(4_501)
    expect(lines[0]).not.toContain('item_net')
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil"")"`)
    expect(lines[2]).toContain('"Été ""B"", 12"')

    const costs = await server.request('GET', '/api/inventory/all-filters?output=csv&store_id=1', { token: tokens.maya })
    expect(await costs.text()).toContain('item_list_cost,item_discount,item_net')
  })

  test('too many downloads at once are refused for a moment, and the next one begins when one has ended', async () => {
    const download = (method = 'GET') => server.request(method, '/api/inventory/all-filters?output=csv', { token: tokens.ben })
    // A HEAD request leaves no download open.
    for (let asked = 0; asked < 10; asked++) expect((await download('HEAD')).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 50 }, () => download()))
    const open = answers.filter(({ status }) => status === 200)
    expect(open).toHaveLength(4)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(46)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await call('GET', '/api/inventory/brands', tokens.ben)).status).toBe(200)

    expect((await open[0]!.text()).length).toBeGreaterThan(100_000)
    await open[1]!.body?.cancel()
    const next = await Promise.all([download(), download(), download()])
    expect(next.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429])
    await Promise.all([...open.slice(2), ...next].map(async (answer) => await answer.body?.cancel()))
  })

  test('a download with a wrong query is refused before it begins', async () => {
    expect((await call('GET', '/api/inventory/all-filters?output=csv&status=Lost', tokens.ben)).status).toBe(422)
  })

  test('a download aborts on a server error, and the log says so', async () => {
    const answer = await server.request('GET', '/api/inventory/all-filters?output=csv', { token: tokens.ben })
    await sql`alter table frames rename to frames_gone`.execute(server.db.pool)
    try {
      await expect(answer.text()).rejects.toThrow()
    } finally {
      await sql`alter table frames_gone rename to frames`.execute(server.db.pool)
    }
    expect(server.logged.filter((line) => line.msg === 'a download of frames broke off')).toMatchObject([{ err: { code: '42P01' } }])
  })
})
