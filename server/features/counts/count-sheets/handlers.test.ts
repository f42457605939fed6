import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countLine, countScan, countSheet, wholeStore, type CountScope } from '#contract/counts/count-sheets.ts'
import { isInScope } from '#contract/counts/counting.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

const sheets = '/api/inventory/count_sheets'

describe('the calls of counting', () => {
  let server: TestServer
  let maya: string
  let ben: string
  let ana: string

  beforeAll(async () => {
    server = await startTestServer()
    maya = (await server.signIn('maya')).access_token
    ben = (await server.signIn('ben')).access_token
    ana = (await server.signIn('ana')).access_token
  })
  afterAll(() => server.close())

  const call = async (method: string, path: string, token: string, body?: unknown, key?: string) => {
    const answer = await server.request(method, path, {
      token,
      ...(body !== undefined && { body }),
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    })
    return { status: answer.status, body: v.parse(v.record(v.string(), v.unknown()), await answer.json()) }
  }
  const create = async (body: object = {}, token = ben) => v.parse(countSheet, (await call('POST', sheets, token, body)).body)

  it('lead from an empty shelf to a closed sheet', async () => {
    const made = await create({ notes: 'Monday' })
    expect(made).toMatchObject({ phase: 'counting', expected_count: 28, notes: 'Monday', created_by_name: 'Ben Halvorsen', blind: false })
    const listed = await call('GET', sheets, ben)
    expect(listed.body.count_sheets).toMatchObject([{ id_count_sheet: made.id_count_sheet }])

    const noted = await call('PUT', `${sheets}/${made.id_count_sheet}`, ben, { notes: 'Tuesday' })
    expect(noted.body).toMatchObject({ notes: 'Tuesday' })

    const frame = server.seed.frames.downtown[0]!
    const scanned = await call('POST', `${sheets}/items`, ben, { id_count_sheet: made.id_count_sheet, code: frame.serial.toLowerCase() })
    const scan = v.parse(countScan, scanned.body)
    expect(scan).toMatchObject({ id_inventory: frame.id_inventory, finding: 'expected', via: 'typed' })
    const undone = await call('DELETE', `${sheets}/items`, ben, { id_count_sheet: made.id_count_sheet, item_id: scan.id })
    expect(undone.body).toEqual({ ok: true })
    await call('POST', `${sheets}/items`, ben, { id_count_sheet: made.id_count_sheet, code: frame.sku })

    const preview = await call('GET', `${sheets}/items?id_count_sheet=${made.id_count_sheet}`, ben)
    const lines = v.parse(v.array(countLine), preview.body.items)
    expect(lines.filter((line) => line.outcome === 'missing')).toHaveLength(27)
    expect(lines.filter((line) => line.outcome === 'counted')).toMatchObject([{ sku: frame.sku, counted_by: 'Ben Halvorsen' }])

    expect(lines.every((line) => line.cost === null)).toBe(true)
    const hers = await call('GET', `${sheets}/items?id_count_sheet=${made.id_count_sheet}`, maya)
    expect(v.parse(v.array(countLine), hers.body.items).some((line) => typeof line.cost === 'number')).toBe(true)
    expect(lines[0]).toMatchObject({ expected_store: server.seed.stores.downtown.store_name })

    expect(await call('POST', `${sheets}/close/${made.id_count_sheet}`, ben, { confirmed_missing: 27 })).toMatchObject({
      status: 403,
      body: { code: 'permission-missing' },
    })
    expect(await call('POST', `${sheets}/close/${made.id_count_sheet}`, maya, { confirmed_missing: 26 })).toMatchObject({
      status: 422,
      body: { code: 'count-number-wrong' },
    })
    expect(await call('POST', `${sheets}/close/${made.id_count_sheet}`, maya, { confirmed_missing: 27 })).toMatchObject({
      status: 200,
      body: { phase: 'closed' },
    })

    const closed = await call('GET', `${sheets}/items?id_count_sheet=${made.id_count_sheet}`, ben)
    expect(closed.body.items).toEqual(lines)
    // The history of the frame names the count and who saw it there. The undone scan is no row.
    const history = await call('GET', `/api/inventory/history?sku=${frame.sku}`, ben)
    expect(history.body.transaction_history).toMatchObject([
      { action: 'Counted', rep: 'Ben Halvorsen', extra: `Count #${made.number}`, store_info: { from_store: 'Downtown' } },
    ])
    expect(await call('PUT', `${sheets}/${made.id_count_sheet}`, ben, { notes: 'late' })).toMatchObject({
      status: 409,
      body: { code: 'count-closed' },
    })

    await server.db.write(['chain'], async ({ trx, revision }) => {
      for (const { id_inventory, status } of server.seed.frames.downtown) {
        await trx
          .updateTable('frames')
          .set({ status, revision: revision('chain') })
          .where('id_inventory', '=', id_inventory)
          .execute()
      }
    })
  })

  it('make one sheet and one scan from a repeated call', async () => {
    const key = uuidv7()
    const [first, second] = [
      await call('POST', sheets, ben, { notes: 'once' }, key),
      await call('POST', sheets, ben, { notes: 'once' }, key),
    ]
    expect(second).toEqual(first)
    expect(await call('POST', sheets, ben, { notes: 'other' }, key)).toMatchObject({ status: 409, body: { code: 'key-reused' } })

    const id = first.body.id_count_sheet
    const scans = await Promise.all(
      Array.from({ length: 10 }, () => call('POST', `${sheets}/items`, ben, { id_count_sheet: id, code: 'ONCE' }, 'a key of my own')),
    )
    expect(new Set(scans.map((scan) => scan.body.id)).size).toBe(1)
    // Another user's key with the same text is a different key.
    const hers = await call('POST', `${sheets}/items`, maya, { id_count_sheet: id, code: 'ONCE' }, 'a key of my own')
    expect(hers.status).toBe(200)
    expect(hers.body.id).not.toBe(scans[0]!.body.id)
  })

  it('hide from a counter what a blind sheet expects', async () => {
    const blind = await create({ blind: true })
    expect(blind.expected_count).toBe(0)
    const path = `${sheets}/${blind.id_count_sheet}`
    expect((await call('GET', path, ben)).body).toMatchObject({ expected_count: 0, devices: [] })
    expect((await call('GET', path, maya)).body).toMatchObject({ expected_count: 28 })
    const items = `${sheets}/items?id_count_sheet=${blind.id_count_sheet}`
    expect(await call('GET', items, ben)).toMatchObject({ status: 403, body: { code: 'permission-missing' } })
    expect((await call('GET', items, maya)).status).toBe(200)
  })

  it("treat another store's sheet as unknown", async () => {
    const mine = await create()
    await call('POST', '/api/home/set_store', ben, { store_id: server.seed.stores.eastside.store_id })
    const id = mine.id_count_sheet
    for (const [method, path, body] of [
      ['GET', `${sheets}/${id}`, undefined],
      ['PUT', `${sheets}/${id}`, { notes: '' }],
      ['GET', `${sheets}/items?id_count_sheet=${id}`, undefined],
      ['POST', `${sheets}/items`, { id_count_sheet: id, code: 'X' }],
      ['DELETE', `${sheets}/items`, { id_count_sheet: id, item_id: uuidv7() }],
      ['DELETE', sheets, { id_count_sheet: id }],
    ] as const) {
      expect([method, path, await call(method, path, ben, body)]).toMatchObject([
        method,
        path,
        { status: 404, body: { code: 'count-unknown' } },
      ])
    }
    expect((await call('GET', sheets, ben)).body).toEqual({ count_sheets: [] })
    await call('POST', '/api/home/set_store', ben, { store_id: server.seed.stores.downtown.store_id })
  })

  it('let the maker delete an empty sheet, and only the scanning user undo a scan', async () => {
    const mine = await create()
    const scanned = await call('POST', `${sheets}/items`, ben, { id_count_sheet: mine.id_count_sheet, code: 'X' })
    const undo = { id_count_sheet: mine.id_count_sheet, item_id: scanned.body.id }
    expect(await call('DELETE', `${sheets}/items`, ana, undo)).toMatchObject({ status: 403, body: { code: 'scan-foreign' } })
    expect(await call('DELETE', sheets, ana, { id_count_sheet: mine.id_count_sheet })).toMatchObject({
      status: 403,
      body: { code: 'permission-missing' },
    })
    expect(await call('DELETE', sheets, ben, { id_count_sheet: mine.id_count_sheet })).toMatchObject({
      status: 409,
      body: { code: 'count-not-empty' },
    })
    expect(await call('DELETE', sheets, maya, { id_count_sheet: mine.id_count_sheet })).toMatchObject({ status: 200 })
    expect(await call('GET', `${sheets}/${mine.id_count_sheet}`, ben)).toMatchObject({ status: 404 })
  })

  it('refuse a scope that nothing matches, and make no sheet', async () => {
    const before = await call('GET', sheets, ben)
    const scope = { brand_ids: [], vendor_ids: [], statuses: [], price_min_cents: 99_999_999, price_max_cents: null }
    expect(await call('POST', sheets, ben, { scope })).toMatchObject({ status: 422, body: { code: 'count-scope-empty' } })
    expect(await call('GET', sheets, ben)).toEqual(before)
  })

  it.each<[string, Partial<CountScope>, number]>([
    ['vendor', { vendor_ids: [2] }, 13],
    ['vendor and brand', { vendor_ids: [2], brand_ids: [4] }, 6],
    ['a vendor that does not have the brand', { vendor_ids: [1], brand_ids: [4] }, 0],
    ['status', { statuses: ['Sold'] }, 1],
    ['several statuses', { statuses: ['Missing', 'Defective'] }, 2],
    ['lowest price, which is part of it', { price_min_cents: 29_900 }, 5],
    ['highest price, which is part of it', { price_max_cents: 12_400 }, 6],
    ['a range of prices', { price_min_cents: 12_401, price_max_cents: 17_400 }, 6],
    [
      'all of them',
      { vendor_ids: [1], brand_ids: [1, 3], statuses: ['Ready for Sale'], price_min_cents: 10_000, price_max_cents: 15_000 },
      3,
    ],
  ])('expect the frames of the store by %s', async (_, part, expected) => {
    const scope: CountScope = { ...wholeStore, ...part }
    const made = await call('POST', sheets, ben, { scope })
    if (expected === 0) {
      expect(made).toMatchObject({ status: 422, body: { code: 'count-scope-empty' } })
      return
    }
    expect(made).toMatchObject({ status: 200, body: { expected_count: expected, scope } })
    const { id_count_sheet } = v.parse(countSheet, made.body)
    const items = await server.db.pool.selectFrom('count_items').select('sku').where('id_count_sheet', '=', id_count_sheet).execute()
    const frames = await server.db.pool.selectFrom('frames').selectAll().where('store_id', '=', 1).execute()
    // A tablet without a network has to choose the same frames.
    const here = frames.filter((frame) => isInScope(frame, scope))
    expect(items.map(({ sku }) => sku).sort()).toEqual(here.map(({ sku }) => sku).sort())
    expect(items).toHaveLength(expected)
  })

  it('show the tablets that work on a sheet', async () => {
    const tablet = new WireTablet(server, 'Back room')
    await tablet.signIn('ben')
    const id = await tablet.createSheet()
    await tablet.push([], { open_sheets: [id] })
    expect((await call('GET', `${sheets}/${id}`, ben)).body.devices).toMatchObject([
      { device_name: 'Back room', person_name: 'Ben Halvorsen', open: true, unsent: 0 },
    ])
  })
})
