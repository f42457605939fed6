import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { frameLibrary } from '#server/platform/db/migrations/0030-frame-library.ts'
import { modelPhotos } from '#server/platform/db/migrations/0038-model-photos.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
const tokens = { maya: '', ben: '', ana: '' }

beforeAll(async () => {
  server = await startTestServer()
  // Here the third seeded user works at the front desk, and may look but not write.
  await server.db.pool
    .updateTable('users')
    .set({ role_ids: ['front_desk'] })
    .where('username', '=', 'ana')
    .execute()
  for (const name of ['maya', 'ben', 'ana'] as const) tokens[name] = (await server.signIn(name)).access_token
})
afterAll(() => server.close())

async function call(method: string, path: string, body?: unknown, token = tokens.maya) {
  const answer = await server.request(method, path, { token, ...(body !== undefined && { body }) })
  return { status: answer.status, body: await answer.json() }
}

const style = (title: string, more: Record<string, unknown> = {}) => ({
  brand_id: 1,
  title,
  material: 'acetate',
  shape: 'round',
  gender: 'women',
  rim: 'full rim',
  launch_date: '2026-01-15',
  discontinued_at: null,
  ...more,
})
const color = (id_product: number, more: Record<string, unknown> = {}) => ({
  id_product,
  color_code: 'C1',
  color_name: 'Slate',
  eye: 52,
  bridge: 17.5,
  temple: 140,
  a: 52,
  b: 38.5,
  ed: 54,
  dbl: 17.5,
  upc: null,
  min_qty: 1,
  discontinued_at: null,
  ...more,
})
const costs = { list_cost: 10_000, discount_pct: 10, msrp: 30_000, rule: { kind: 'markup', factor: 2.5, ending: '.95' } }
const addProduct = async (title: string, more = {}) => (await call('POST', '/api/product/add', style(title, more))).body
const addModel = (id: number, more = {}, token = tokens.maya) => call('POST', '/api/frame_library/add_model', color(id, more), token)
const modelsOf = async (id: number, token = tokens.maya) =>
  (await call('GET', `/api/frame_library/models_by_product/${id}`, undefined, token)).body.models as Record<string, any>[]

describe('the tree', () => {
  test('has every vendor with its brands; a search keeps the branches with a match', async () => {
    const whole = await call('GET', '/api/frame_library/vendor-brand')
    expect(whole.status).toBe(200)
    expect(whole.body.vendors.flatMap(({ brands }: any) => brands.map(({ name }: any) => name)).toSorted()).toEqual([
      'Alder',
      'Birch',
      'Cedar',
      'Dogwood',
    ])
    const found = await call('GET', '/api/frame_library/vendor_brand?search=birch%20601')
    expect(found.body.vendors).toHaveLength(1)
    expect(found.body.vendors[0].brands).toMatchObject([{ name: 'Birch', products: 1 }])
    expect((await call('GET', '/api/frame_library/vendor_brand?search=100%25')).body.vendors).toEqual([])
  })

  test('products are found by brand, name, color and UPC, with the number of pieces in stock', async () => {
    const [frame] = server.seed.frames.downtown
    const byUpc = await call('GET', `/api/frame_library/products?search=${frame!.upc}`)
    expect(byUpc.body).toMatchObject({ total: 1, products: [{ brand_name: 'Alder', models: 1 }] })
    const { in_stock, id_product } = byUpc.body.products[0]
    const [model] = await modelsOf(id_product)
    expect(model!.locations.reduce((sum: number, { quantity }: any) => sum + quantity, 0)).toBe(in_stock)
    expect(in_stock).toBeGreaterThan(1)
    const byColor = await call('GET', '/api/frame_library/products?brand_id=2&search=tortoise')
    expect(byColor.body.total).toBe(5)
    expect((await call('GET', '/api/frame_library/products?search=%25')).body.total).toBe(0)
    expect((await call('GET', '/api/frame_library/models_by_product/99999')).body.code).toBe('product-unknown')
  })

  test('discontinued products are left out unless a user asks for them', async () => {
    const { id_product } = await addProduct('Gone 1', { discontinued_at: '2026-02-01' })
    const path = '/api/frame_library/products?search=Gone'
    expect((await call('GET', path)).body.total).toBe(0)
    expect((await call('GET', `${path}&discontinued=1`)).body.products[0]).toMatchObject({ id_product, discontinued_at: '2026-02-01' })
  })
})

describe('products and models', () => {
  test('a product is added once by its name, and changes only from its newest version', async () => {
    const added = await call('POST', '/api/product/add', style('Cove 12'), tokens.ben)
    expect([added.status, added.body.title, added.body.version]).toEqual([200, 'Cove 12', 1])
    const again = await call('POST', '/api/product/add', style('cove 12'))
    expect([again.status, again.body.code, again.body.fields[0].path]).toEqual([409, 'product-taken', 'body.title'])
    const { brand_id: _, ...input } = style('Cove 12', { shape: 'oval' })
    const path = `/api/product/update/${added.body.id_product}`
    expect((await call('PUT', path, { ...input, version: 1 })).body).toMatchObject({ shape: 'oval', version: 2 })
    const late = await call('PUT', path, { ...input, shape: 'square', version: 1 })
    expect([late.status, late.body.code, late.body.details.now.shape]).toEqual([409, 'product-changed', 'oval'])
  })

  test('a model has its net cost, its price by the rule, and its UPC with the lost zero restored', async () => {
    const { id_product } = await addProduct('Priced 1')
    const { status, body } = await addModel(id_product, { upc: '36000291452', prices: costs })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      title_variant: 'C1 Slate',
      upc: '036000291452',
      prices: { net_cost: 9000, selling_price: 22_495, margin_pct: 60 },
    })
    const other = await addModel(id_product, { color_name: 'Rose', upc: '0036000291452' })
    expect([other.status, other.body.code, other.body.fields[0].path]).toEqual([409, 'upc-taken', 'body.upc'])
    const same = await addModel(id_product, { color_name: 'slate' })
    expect([same.status, same.body.code]).toEqual([409, 'model-taken'])
    expect((await addModel(id_product, { color_name: 'slate', eye: 54 })).status).toBe(200)
  })

  test('two users who add the same model at once make one', async () => {
    const { id_product } = await addProduct('Twice 1')
    const answers = await Promise.all([addModel(id_product), addModel(id_product, {}, tokens.ben)])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(await modelsOf(id_product)).toHaveLength(1)
  })

  test('a change keeps the prices unless they are given; a change from an older version gets the current model', async () => {
    const { id_product } = await addProduct('Changed 1')
    const { body: made } = await addModel(id_product, { prices: costs })
    const { id_product: _, ...input } = color(id_product, { min_qty: 3 })
    const path = `/api/frame_library/update_model/${made.id_model}`
    const changed = await call('PUT', path, { ...input, version: 1 }, tokens.ben)
    expect(changed.status).toBe(200)
    expect([changed.body.min_qty, changed.body.version, changed.body.prices.selling_price]).toEqual([3, 2, 22_495])
    const late = await call('PUT', path, { ...input, min_qty: 9, version: 1 })
    expect([late.status, late.body.code, late.body.details.now.min_qty]).toEqual([409, 'model-changed', 3])
    const prices = { ...costs, rule: { kind: 'fixed', cents: 19_900 } }
    expect((await call('PUT', path, { ...input, version: 2, prices }, tokens.ben)).body.code).toBe('permission-missing')
    expect((await call('PUT', path, { ...input, version: 2, prices })).body.prices.selling_price).toBe(19_900)
    const { history } = (await call('GET', `/api/price_book/history/${made.id_model}`)).body
    expect(history.map((row: any) => [row.rep, row.prices.selling_price])).toEqual([
      ['Maya Okonjo', 19_900],
      ['Maya Okonjo', 22_495],
    ])
    const record = await server.db.pool
      .selectFrom('library_history')
      .selectAll()
      .where('id_model', '=', made.id_model)
      .orderBy('id')
      .execute()
    expect(record.map(({ action, rep, detail }) => [action, rep, detail])).toEqual([
      ['model.add', 'Maya Okonjo', ''],
      ['model.change', 'Ben Halvorsen', 'min_qty'],
      ['model.change', 'Maya Okonjo', 'prices'],
    ])
  })

  test('an invalid value is refused at its field, and nothing is added', async () => {
    const { id_product } = await addProduct('Wrong 1')
    for (const [field, value] of [
      ['upc', '036000291453'],
      ['eye', 0],
      ['b', 38.55],
      ['min_qty', -1],
      ['color_name', 'a\u0000b'],
      ['discontinued_at', 'soon'],
      ['prices.discount_pct', { ...costs, discount_pct: 101 }],
      ['prices.rule.factor', { ...costs, rule: { kind: 'markup', factor: 0, ending: '.95' } }],
      ['prices.rule', { ...costs, list_cost: null }],
    ] as const) {
      const { status, body } = await addModel(id_product, { [field.split('.')[0]!]: value })
      expect([field, status, body.fields?.[0]?.path]).toEqual([field, 422, `body.${field}`])
    }
    expect(await modelsOf(id_product)).toEqual([])
    expect((await addModel(99_999)).body.code).toBe('product-unknown')
    expect((await call('POST', '/api/product/add', style('No brand', { brand_id: 999 }))).status).toBe(422)
    expect((await call('POST', '/api/product/add', style('No day', { launch_date: '2026-02-31' }))).body.fields?.[0]?.path).toBe(
      'body.launch_date',
    )
  })

  test('a user who may not write the library reads it without costs', async () => {
    const { id_product } = await addProduct('Read 1')
    await addModel(id_product, { prices: costs })
    expect((await call('POST', '/api/product/add', style('Not mine'), tokens.ana)).body.code).toBe('permission-missing')
    expect((await addModel(id_product, { color_name: 'Not mine' }, tokens.ana)).body.code).toBe('permission-missing')
    const [model] = await modelsOf(id_product, tokens.ana)
    expect(model!.prices).toEqual({
      list_cost: null,
      discount_pct: null,
      net_cost: null,
      msrp: 30_000,
      rule: null,
      selling_price: 22_495,
      margin_pct: null,
    })
  })

  test('vendors and brands are added once by their name', async () => {
    const vendor = { name: 'Pellworth', account_no: ' 4711 ', terms: 'Net 30', ra_policy: '' }
    const { body } = await call('POST', '/api/frame_library/add_vendor', vendor)
    expect((await call('POST', '/api/frame_library/add_vendor', { ...vendor, name: 'PELLWORTH' })).body.code).toBe('vendor-taken')
    const brand = { vendor_id: body.vendor_id, name: 'Quillmoor', type: 'sun' }
    expect((await call('POST', '/api/frame_library/add_brand', brand)).status).toBe(200)
    expect((await call('POST', '/api/frame_library/add_brand', brand)).body.code).toBe('brand-taken')
    expect((await call('PUT', `/api/frame_library/update_vendor/${body.vendor_id}`, { ...vendor, terms: 'Net 60' })).status).toBe(200)
    const { vendors } = (await call('GET', '/api/frame_library/vendor-brand')).body
    expect(vendors.find(({ vendor_id }: any) => vendor_id === body.vendor_id)).toMatchObject({
      account_no: '4711',
      terms: 'Net 60',
      ra_policy: null,
      brands: [{ name: 'Quillmoor', type: 'sun', products: 0 }],
    })
  })
})

describe('pieces and custom glasses', () => {
  const pieces = (more: Record<string, unknown>) => ({
    add_id: '0198c2f4-0000-7000-8000-0000000000a1',
    brand_id: 1,
    title_product: 'Stocked 1',
    title_variant: 'C1 Slate',
    size_lens_width: 52,
    size_bridge_width: 17.5,
    size_temple_length: 140,
    upc: null,
    item_list_cost: null,
    item_discount: null,
    pb_selling_price: 12_900,
    board_location: null,
    quantity: 2,
    ...more,
  })

  test('added pieces belong to the model with their name, color and size', async () => {
    const { id_product } = await addProduct('Stocked 1')
    const { body: model } = await addModel(id_product, { prices: costs })
    const { body } = await call('POST', '/api/inventory/add', pieces({ title_product: 'stocked 1' }), tokens.ben)
    const record = await call('GET', `/api/inventory/lookup?sku=${body.item.sku}`)
    // Ben may not see the cost, so it comes from the price book.
    expect(record.body).toMatchObject({ id_model: model.id_model, item_list_cost: 10_000, item_net: 9000 })
    expect((await modelsOf(id_product))[0]!.locations).toMatchObject([{ store_name: 'Downtown', quantity: 2 }])
  })

  test('a new model joins the library with its first pieces', async () => {
    const added = pieces({
      title_product: 'Unheard 9',
      add_id: '0198c2f4-0000-7000-8000-0000000000a2',
      upc: server.seed.frames.downtown[0]!.upc,
    })
    await call('POST', '/api/inventory/add', added, tokens.ben)
    const { products } = (await call('GET', '/api/frame_library/products?search=unheard')).body
    expect(products).toMatchObject([{ title: 'Unheard 9', brand_id: 1, in_stock: 2 }])
    // The UPC on its label belongs to another model.
    expect(await modelsOf(products[0].id_product)).toMatchObject([
      { title_variant: 'C1 Slate', upc: null, prices: { selling_price: 12_900 } },
    ])
  })

  test('custom glasses are made once, however often the call comes, and are never in stock', async () => {
    const { id_product } = await addProduct('Custom 1')
    const { body: model } = await addModel(id_product)
    const path = `/api/frame_library/custom_glasses/${model.id_model}`
    const glasses = {
      id_custom: '0198c2f4-0000-7000-8000-0000000000b1',
      kind: 'one-off',
      color: 'Two-tone',
      eye: 53,
      bridge: 18,
      temple: 145,
      selling_price: 41_000,
      note: ' Tray 12 ',
    }
    const made = await call('POST', path, glasses, tokens.ben)
    expect(made.body).toMatchObject({ kind: 'one-off', note: 'Tray 12', rep: 'Ben Halvorsen' })
    expect((await call('POST', path, glasses, tokens.ben)).body).toEqual(made.body)
    expect((await call('POST', path, { ...glasses, eye: 54 }, tokens.ben)).body.code).toBe('key-reused')
    expect((await call('GET', path)).body.glasses).toEqual([made.body])
    expect((await modelsOf(id_product))[0]!.locations).toEqual([])
    expect((await call('POST', '/api/frame_library/custom_glasses/99999', glasses)).body.code).toBe('model-unknown')
    expect((await call('POST', path, { ...glasses, kind: 'own' }, tokens.ana)).body.code).toBe('permission-missing')
  })
})

describe('the library that is built from existing frames', () => {
  test('every name, color and size becomes a model, priced as its newest piece; a UPC goes to the model with most of its pieces', async () => {
    const { db } = server
    await db.write(['chain'], async ({ trx, revision }) => {
      const last = revision('chain')
      await sql.raw(`alter table frames drop constraint frames_model`).execute(trx)
      await sql.raw('drop index frames_by_id_model').execute(trx)
      await sql
        .raw(
          'drop table model_photos, model_upcs, vendor_invoice_lines, price_change_items, model_prices, price_changes, custom_glasses, library_history, models, products',
        )
        .execute(trx)
      await sql.raw('alter table vendors drop account_no, drop terms, drop ra_policy').execute(trx)
      await sql.raw('alter table brands drop type').execute(trx)
      const piece = (id: number, more: object) => ({
        id_inventory: id,
        sku: `OLD-${id}`,
        serial: `OLDF${id}`,
        status: 'Ready for Sale' as const,
        store_id: 1,
        brand_id: 1,
        vendor_id: 1,
        id_model: 7,
        title_product: 'Elder 1',
        title_variant: 'Slate',
        size_lens_width: 52,
        item_list_cost: 5000,
        pb_selling_price: 9900,
        upc: '036000291452',
        gtin: '00036000291452',
        changed_at: '2026-01-01T00:00:00.000Z',
        version: 1,
        revision: last,
        ...more,
      })
      await trx
        .insertInto('frames')
        .values([
          piece(800_001, {}),
          piece(800_002, { title_product: ' elder 1', title_variant: 'SLATE ', pb_selling_price: 10_900 }),
          piece(800_003, { size_lens_width: 54 }),
          piece(800_004, { size_lens_width: null, upc: null, gtin: null }),
          piece(800_005, { title_product: ' ' }),
          piece(800_006, { brand_id: 2, vendor_id: 2 }),
        ])
        .execute()
      await frameLibrary.up(trx)
      // Lists need this migration.
      await modelPhotos.up(trx)
    })
    const modelOf = new Map(
      (
        await db.pool
          .selectFrom('frames')
          .select(['id_inventory', 'id_model'])
          .where('id_inventory', '>', 800_000)
          .where('sku', 'like', 'OLD-%')
          .execute()
      ).map((row) => [row.id_inventory, row.id_model]),
    )
    expect(modelOf.get(800_001)).toBe(modelOf.get(800_002))
    const theirs = [800_001, 800_003, 800_004, 800_006].map((id) => modelOf.get(id))
    expect(new Set(theirs).size).toBe(4)
    expect(modelOf.get(800_005)).toBeNull()
    const { products } = (await call('GET', '/api/frame_library/products?brand_id=1&search=elder')).body
    expect(products).toMatchObject([{ models: 3, in_stock: 4 }])
    const models = await modelsOf(products[0].id_product)
    expect(models.find(({ id_model }) => id_model === modelOf.get(800_001))).toMatchObject({
      upc: '036000291452',
      prices: { selling_price: 10_900 },
    })
    expect(models.find(({ id_model }) => id_model === modelOf.get(800_003))).toMatchObject({ upc: null, eye: 54 })
    const unlinked = await db.pool.selectFrom('frames').select('id_inventory').where('id_model', 'is', null).execute()
    expect(unlinked).toEqual([{ id_inventory: 800_005 }])
  })
})
