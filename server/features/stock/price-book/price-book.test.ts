import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { applyDuePrices } from '#server/features/stock/price-book/apply-prices.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
const tokens = { maya: '', ben: '' }
const start = '2026-11-20T14:00:00.000Z'

beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
})
beforeEach(() => server.clock.set(start))
afterAll(() => server.close())

async function call(method: string, path: string, body?: unknown, token = tokens.maya) {
  const answer = await server.request(method, path, { token, ...(body !== undefined && { body }) })
  return { status: answer.status, body: await answer.json() }
}

type Line = {
  id_model: number
  version: number
  prices: Record<string, any>
  in_stock: number
  planned_on: string | null
  priced_by: string | null
}
const linesOf = async (brand: number) => (await call('GET', `/api/price_book/models?brand_id=${brand}`)).body.models as Line[]
const chosen = (lines: readonly Line[]) => lines.map(({ id_model, version }) => ({ id_model, version }))

let plans = 0
function plan(lines: readonly Line[], more: Record<string, unknown> = {}) {
  plans += 1
  return {
    id_price_change: `0198c2f4-0000-7000-8000-${String(plans).padStart(12, '0')}`,
    effective_on: '2026-11-20',
    reprice_stock: false,
    models: chosen(lines),
    change: { kind: 'percent', percent: 10, ending: '.00' },
    ...more,
  }
}
const send = (body: unknown, token = tokens.maya) => call('POST', '/api/price_book/changes', body, token)
const piecesOf = async (idModel: number) =>
  await server.db.pool
    .selectFrom('frames')
    .select(['id_inventory', 'status', 'store_id', 'pb_selling_price', 'version'])
    .where('id_model', '=', idModel)
    .orderBy('id_inventory')
    .execute()

describe('the book', () => {
  test('shows brands, products and models, with costs and margin for users who may see them', async () => {
    const tree = await call('GET', '/api/price_book/vendor_brand')
    expect(tree.body.vendors.flatMap(({ brands }: any) => brands)).toContainEqual({ brand_id: 1, name: 'Alder', models: 5, unpriced: 0 })
    const products = await call('GET', '/api/price_book/products?brand_id=1&search=alder%20600')
    expect(products.body).toMatchObject({ total: 1, products: [{ title: 'Alder 600', models: 1, lowest: 9900, highest: 9900 }] })
    const [line] = await linesOf(1)
    expect(line!.prices).toMatchObject({ list_cost: 4950, discount_pct: 10, net_cost: 4455, selling_price: 9900, margin_pct: 55 })
    expect(line!.in_stock).toBeGreaterThan(1)
    const bens = (await call('GET', '/api/price_book/models?brand_id=1', undefined, tokens.ben)).body.models[0]
    expect(bens.prices).toMatchObject({ list_cost: null, net_cost: null, rule: null, margin_pct: null, selling_price: 9900 })
  })
})

describe('many prices', () => {
  test('the preview shows the new prices and changes nothing, and the change equals the preview', async () => {
    const lines = await linesOf(1)
    const change = { kind: 'percent', percent: 10, ending: '.95' }
    const preview = await call('POST', '/api/price_book/preview', { models: chosen(lines), change })
    expect(preview.status).toBe(200)
    expect(await linesOf(1)).toEqual(lines)
    const made = await send(plan(lines, { change }))
    expect(made.body).toMatchObject({ models: lines.length, skipped: 0, applied_at: start, rep: 'Maya Okonjo' })
    const after = await linesOf(1)
    expect(after.map(({ prices }) => prices)).toEqual(preview.body.rows.map((row: any) => row.after))
    expect(after[0]).toMatchObject({ version: lines[0]!.version + 1, priced_by: 'Maya Okonjo', prices: { selling_price: 10_895 } })
    const [first] = (await call('GET', `/api/price_book/history/${after[0]!.id_model}`)).body.history
    expect(first).toMatchObject({ at: start, rep: 'Maya Okonjo', planned: true, prices: { selling_price: 10_895 } })
  })

  test('a call that comes twice, even at once, is done once, and other content with its id is refused', async () => {
    const lines = await linesOf(2)
    const body = plan(lines)
    const answers = await Promise.all([send(body), send(body)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0].body).toEqual(answers[1].body)
    expect((await linesOf(2))[0]!.version).toBe(lines[0]!.version + 1)
    expect((await send({ ...body, reprice_stock: true })).body.code).toBe('key-reused')
  })

  test('nothing happens when a model has changed or is unknown, or when no price would change', async () => {
    const lines = await linesOf(2)
    const stale = [{ ...lines[0]!, version: 99 }, ...lines.slice(1)]
    const refused = await send(plan(stale))
    expect([refused.status, refused.body.code, refused.body.details.ids]).toEqual([409, 'model-changed', [lines[0]!.id_model]])
    expect((await send(plan([{ ...lines[0]!, id_model: 99_999 }]))).body.code).toBe('model-unknown')
    expect((await send(plan(lines, { change: { kind: 'percent', percent: 0, ending: 'exact' } }))).body.fields[0].path).toBe('body.change')
    expect((await send(plan(lines, { effective_on: '2026-11-19' }))).body.fields[0].path).toBe('body.effective_on')
    expect((await send(plan(lines), tokens.ben)).body.code).toBe('permission-missing')
    expect(await linesOf(2)).toEqual(lines)
  })

  test('a later day waits for the store’s calendar, and is then applied exactly once', async () => {
    const lines = await linesOf(3)
    const zone = await server.db.pool.selectFrom('stores').select('time_zone').where('store_id', '=', 1).executeTakeFirstOrThrow()
    expect(zone.time_zone).toBe('America/New_York')
    const made = await send(plan(lines, { effective_on: '2026-12-01' }))
    expect(made.body).toMatchObject({ applied_at: null, effective_on: '2026-12-01' })
    expect((await linesOf(3)).map(({ prices, planned_on }) => [prices, planned_on])).toEqual(
      lines.map(({ prices }) => [prices, '2026-12-01']),
    )
    // In London it is already December 1.
    server.clock.set('2026-12-01T04:59:00.000Z')
    expect(await applyDuePrices(server.services)).toBe(0)
    server.clock.set('2026-12-01T05:00:00.000Z')
    const rounds = await Promise.all([applyDuePrices(server.services), applyDuePrices(server.services)])
    expect(rounds.reduce((sum, one) => sum + one)).toBe(1)
    expect(await applyDuePrices(server.services)).toBe(0)
    server.clock.set(start)
    const after = await linesOf(3)
    expect(after.map(({ version }) => version)).toEqual(lines.map(({ version }) => version + 1))
    expect(after[0]!.planned_on).toBeNull()
    const { history } = (await call('GET', `/api/price_book/history/${after[0]!.id_model}`)).body
    expect(history.filter(({ at }: any) => at === '2026-12-01T05:00:00.000Z')).toHaveLength(1)
  })

  test('a model that somebody priced in the meantime keeps that price, and the change names it as left out', async () => {
    const lines = (await linesOf(4)).slice(0, 2)
    const made = await send(plan(lines, { effective_on: '2026-12-05' }))
    const [mine] = await linesOf(4)
    await send(plan([mine!], { change: { kind: 'set', cents: 7700 } }))
    server.clock.set('2026-12-06T12:00:00.000Z')
    await applyDuePrices(server.services)
    server.clock.set(start)
    const after = await linesOf(4)
    expect(after[0]!.prices['selling_price']).toBe(7700)
    expect(after[1]!.version).toBe(lines[1]!.version + 1)
    const { changes } = (await call('GET', '/api/price_book/changes')).body
    expect(changes.find(({ id_price_change }: any) => id_price_change === made.body.id_price_change)).toMatchObject({
      models: 2,
      skipped: 1,
    })
  })

  test('a waiting change can be canceled once, and an applied one cannot', async () => {
    const lines = (await linesOf(4)).slice(2, 3)
    const waiting = await send(plan(lines, { effective_on: '2026-12-24' }))
    const path = `/api/price_book/changes/${waiting.body.id_price_change}/cancel`
    expect((await call('POST', path)).body).toMatchObject({ cancelled_by: 'Maya Okonjo', cancelled_at: start })
    expect((await call('POST', path)).body.code).toBe('price-change-settled')
    server.clock.set('2026-12-25T12:00:00.000Z')
    expect(await applyDuePrices(server.services)).toBe(0)
    server.clock.set(start)
    expect((await linesOf(4))[2]!.version).toBe(lines[0]!.version)
    expect((await call('POST', '/api/price_book/changes/0198c2f4-0000-7000-8000-999999999999/cancel')).body.code).toBe(
      'price-change-unknown',
    )
  })

  test('frames in stock change too on request: not marked down ones, sold ones, or ones in another user’s store', async () => {
    // Maya belongs to two of the three stores.
    await server.db.pool.deleteFrom('user_stores').where('id_user', '=', 1).where('store_id', '=', 3).execute()
    const line = (await linesOf(4)).find(({ id_model }) => id_model === 403)!
    const was = line.prices['selling_price'] as number
    await server.db.pool.updateTable('frames').set({ pb_selling_price: was }).where('id_model', '=', line.id_model).execute()
    const before = await piecesOf(line.id_model)
    const marked = before.find(({ store_id, status }) => store_id === 1 && status === 'Ready for Sale')!
    await server.db.pool.updateTable('frames').set({ pb_selling_price: 100 }).where('id_inventory', '=', marked.id_inventory).execute()
    const sold = before.find(({ id_inventory, store_id }) => store_id === 2 && id_inventory !== marked.id_inventory)!
    await server.db.pool.updateTable('frames').set({ status: 'Sold' }).where('id_inventory', '=', sold.id_inventory).execute()
    await send(plan([line], { change: { kind: 'set', cents: 55_500 }, reprice_stock: true }))
    const after = await piecesOf(line.id_model)
    for (const piece of after) {
      const follows = piece.store_id !== 3 && piece.id_inventory !== marked.id_inventory && piece.id_inventory !== sold.id_inventory
      const isLying = ['Ready for Sale', 'Defective', 'On Hold'].includes(piece.status)
      const expected = piece.id_inventory === marked.id_inventory ? 100 : follows && isLying ? 55_500 : was
      expect([piece.id_inventory, piece.pb_selling_price]).toEqual([piece.id_inventory, expected])
    }
    expect(after.some(({ pb_selling_price }) => pb_selling_price === 55_500)).toBe(true)
    expect(after.some(({ store_id, pb_selling_price }) => store_id === 3 && pb_selling_price === was)).toBe(true)
    const follower = after.find(({ pb_selling_price }) => pb_selling_price === 55_500)!
    const [last] = await server.db.pool
      .selectFrom('frame_history')
      .select(['action', 'rep'])
      .where('id_inventory', '=', follower.id_inventory)
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    expect(last).toEqual({ action: 'Price', rep: 'Maya Okonjo' })
  })
})
