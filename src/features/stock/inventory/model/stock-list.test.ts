import { describe, expect, test } from 'vitest'
import type { Frame } from '#contract/stock/frame.ts'
import { inOneGo } from '#src/db/indexed/slices.ts'
import { testFrame } from '#tests/support/fixtures/frame.ts'
import { everything, needsServer, passing, priceProblems, queryOf, type StockFilters, stockOrders } from './filters.ts'
import { modelsOf, withPage, listOnDevice } from './stock-list.ts'
import { inOrder } from './stock-order.ts'

const now = Date.parse('2026-11-23T10:00:00.000Z')
const frameOf = (id: number, more: Partial<Frame> = {}): Frame =>
  testFrame(id, {
    sku: `DT-${100_000 + id}`,
    serial: `F${200_000 + id}`,
    title_product: 'Cove 12',
    last_seen_at: '2026-11-20T10:00:00.000Z',
    ...more,
  })
const passes = (more: Partial<StockFilters>, frame: Partial<Frame> = {}) => passing({ ...everything, ...more }, now)(frameOf(1, frame))
const stores = [
  { store_id: 1, store_name: 'Downtown', short_name: 'DT' },
  { store_id: 2, store_name: 'Eastside', short_name: 'ES' },
]

describe('the filters of a list', () => {
  test('no filter passes everything', () => {
    expect(passes({})).toBe(true)
    expect(queryOf(everything, now)).toEqual({})
  })

  test.each([
    ['a store', { store: '1' }, { store_id: 2 }],
    ['a brand', { brand: '3' }, { brand_id: 4 }],
    ['a vendor', { vendor: '7' }, { vendor_id: 8 }],
    ['a status', { status: 'Ready for Sale' }, { status: 'Sold' }],
    ['what is in stock', { status: 'in-stock' }, { status: 'Missing' }],
    ['the lowest price', { priceMin: '129' }, { pb_selling_price: 12_899 }],
    ['the lowest price, and none', { priceMin: '0' }, { pb_selling_price: null }],
    ['the highest price', { priceMax: '$129.00' }, { pb_selling_price: 12_901 }],
    ['a brand’s name', { search: 'aster' }, { brand_name: 'Berg' }],
    ['a part of a model', { search: 'VE 1' }, { title_product: 'Bay 2' }],
    ['a part of a color', { search: 'slat' }, { title_variant: 'Rose' }],
    ['a part of a store tag as a scanner sends it', { search: ']C1dt-100001' }, { sku: 'ES-1' }],
    ['an F#', { search: 'f200001' }, { serial: 'F1' }],
    ['a UPC', { search: '36000291' }, { upc: null }],
  ] as const)('%s', (_what, filters, other) => {
    expect(passes(filters)).toBe(true)
    expect(passes(filters, other)).toBe(false)
    expect(Object.keys(queryOf({ ...everything, ...filters }, now)).length).toBe(1)
  })

  test('“not seen for 30 days” includes pieces that nobody ever saw', () => {
    expect(passes({ unseenDays: '30' })).toBe(false)
    expect(passes({ unseenDays: '30' }, { last_seen_at: null })).toBe(true)
    expect(passes({ unseenDays: '30' }, { last_seen_at: '2026-10-24T09:59:59.999Z' })).toBe(true)
    expect(passes({ unseenDays: '30' }, { last_seen_at: '2026-10-24T10:00:00.000Z' })).toBe(false)
    expect(queryOf({ ...everything, unseenDays: '30' }, now)).toEqual({ not_seen_since: '2026-10-24T10:00:00.000Z' })
  })

  test('only the server filters by age', () => {
    expect(needsServer(everything, 'model')).toBe(false)
    expect(needsServer({ ...everything, ageDays: '180' }, 'model')).toBe(true)
    expect(needsServer(everything, 'oldest')).toBe(true)
    expect(queryOf({ ...everything, ageDays: '180', status: 'in-stock' }, now)).toEqual({
      received_before: '2026-05-27T10:00:00.000Z',
      status: 'Ready for Sale,Defective,On Hold',
    })
  })

  test('an unreadable price and a reversed range are reported', () => {
    expect(priceProblems({ ...everything, priceMin: '10', priceMax: '20' })).toEqual({})
    expect(Object.keys(priceProblems({ ...everything, priceMin: 'ten' }))).toEqual(['priceMin'])
    expect(Object.keys(priceProblems({ ...everything, priceMin: '20', priceMax: '10' }))).toEqual(['priceMax'])
  })
})

test('every order is complete, and an ascending one puts unknown values first', () => {
  const frames = [
    frameOf(3, { pb_selling_price: null, last_seen_at: null, store_id: 2 }),
    frameOf(1, { title_product: 'Bay 1', status: 'Missing' }),
    frameOf(2),
    frameOf(4, { pb_selling_price: 500 }),
  ]
  const ids = (key: keyof typeof stockOrders) =>
    inOneGo(inOrder(frames, stockOrders[key], (id) => stores[id - 1]!.store_name)).map(({ id_inventory }) => id_inventory)
  expect(ids('model')).toEqual([1, 2, 3, 4])
  expect(ids('cheapest')).toEqual([3, 4, 1, 2])
  expect(ids('dearest')).toEqual([2, 1, 4, 3])
  expect(ids('unseen')).toEqual([3, 1, 2, 4])
  expect(ids('status')).toEqual([1, 2, 3, 4])
  expect(ids('store')).toEqual([1, 2, 4, 3])
})

test.each([0, 1, 511, 512, 513, 5000])('%i frames are sorted step by step into the same order as in one go', (count) => {
  // Visits all numbers in a mixed order. Every seventh frame has no price, and other prices repeat.
  const frames = Array.from({ length: count }, (_, at) =>
    frameOf(((at * 7919) % count) + 1, { pb_selling_price: at % 7 === 0 ? null : ((at * 31) % 97) * 100 }),
  )
  const price = (frame: Frame) => frame.pb_selling_price ?? -1
  const wanted = frames.toSorted((a, b) => price(b) - price(a) || b.id_inventory - a.id_inventory)
  let steps = 0
  function* counted() {
    const sorting = inOrder(frames, stockOrders.dearest, () => '')
    for (;;) {
      const step = sorting.next()
      if (step.done) return step.value
      steps += 1
      yield
    }
  }
  expect(inOneGo(counted()).map(({ id_inventory }) => id_inventory)).toEqual(wanted.map(({ id_inventory }) => id_inventory))
  expect(steps).toBeGreaterThanOrEqual(Math.floor(count / 512))
})

test('models show the number of pieces in each store', () => {
  const frames = [frameOf(1), frameOf(2), frameOf(3, { store_id: 2 }), frameOf(4, { title_variant: 'Rose' }), frameOf(5, { store_id: 9 })]
  expect(inOneGo(modelsOf(frames, stores))).toMatchObject([
    { model: 'Cove 12', title_variant: 'Rose', locations: [{ store_name: 'Downtown', quantity: 1 }] },
    {
      title_variant: 'Slate',
      locations: [
        { store_name: 'Downtown', quantity: 2 },
        { store_name: 'Eastside', quantity: 1 },
        { store_name: 'Store 9', quantity: 1 },
      ],
    },
  ])
})

test('page 1 replaces, later pages append, and a piece that moved between pages appears once', () => {
  const page = (number: number, ids: number[]) => ({
    rows: { view: 'frames' as const, lines: ids.map((id) => ({ id, listed: null })) },
    total: 5,
    page: number,
  })
  const both = withPage(page(1, [1, 2]), page(2, [2, 3]))
  expect(both.rows.lines).toEqual([1, 2, 3].map((id) => ({ id, listed: null })))
  expect(withPage(both, page(1, [9])).rows.lines).toHaveLength(1)
})

test('this device filters and sorts a hundred thousand frames', async () => {
  const frames = Array.from({ length: 100_000 }, (_, at) =>
    frameOf(at + 1, { store_id: 1 + (at % 3), title_product: `Cove ${at % 900}`, status: at % 5 === 0 ? 'Sold' : 'Ready for Sale' }),
  )
  const device = { frames: { ready: () => Promise.resolve(), readStore: () => Promise.resolve(frames) } } as never
  const found = await listOnDevice(device, { view: 'frames', filters: { ...everything, status: 'in-stock' }, order: 'model', stores, now })
  expect(found.total).toBe(80_000)
  const models = await listOnDevice(device, { view: 'models', filters: everything, order: 'model', stores, now })
  expect(models.rows.lines.flatMap((line) => ('locations' in line ? line.locations : [])).reduce((sum, one) => sum + one.quantity, 0)).toBe(
    80_000,
  )
})
