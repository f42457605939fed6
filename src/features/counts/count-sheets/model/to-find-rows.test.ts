import { describe, expect, test } from 'vitest'
import { CountLedger } from '#contract/counts/count-ledger.ts'
import type { CountItem } from '#contract/counts/count-sheets.ts'
import type { LedgerScan } from '#contract/counts/scan-lists.ts'
import { frameOf, itemOf } from '#tests/support/fake-count-device.ts'
import { type ToFindOrder, toFindOrders, ToFindRows } from './to-find-rows.ts'

const item = (id: number, brand: string, board: string | null, price: number) =>
  itemOf(frameOf(id, { brand_name: brand, board_location: board, pb_selling_price: price }))
const items = [item(1, 'Ash', 'Wall A', 100), item(2, 'Ash', 'Wall A', 300), item(3, 'Ash', 'Wall B', 200), item(4, 'Birch', 'Wall A', 50)]
const nothing = new Map<number, string>()

function ledgerOf(expected: CountItem[]): CountLedger {
  const ledger = new CountLedger()
  ledger.addItems(expected)
  return ledger
}

function rowsOf(order: ToFindOrder, words = '', moved: ReadonlyMap<number, string> = nothing, expected = items): ToFindRows {
  return new ToFindRows(ledgerOf(expected), order, words, moved)
}

const all = (list: ToFindRows) => Array.from({ length: list.length }, (_, place) => ({ item: list.at(place)!, head: list.headAt(place) }))
const heads = (list: ToFindRows) => all(list).map((row) => row.head)
const ids = (list: ToFindRows) => all(list).map((row) => row.item.id_inventory)

function scanOf(piece: number, more: Partial<LedgerScan> = {}): LedgerScan {
  return {
    id: `scan-${piece}`,
    raw_code: `LG${100_000 + piece}`,
    id_inventory: piece,
    finding: 'expected',
    finding_detail: null,
    via: 'scanner',
    negates: null,
    previous_scan: null,
    walk: 1,
    captured_at: '2026-11-21T09:00:00.000Z',
    author_id: 1,
    author_name: 'Ana Reyes',
    device_id: 'tablet-a',
    ...more,
  }
}

describe('the list To find', () => {
  test('is grouped by brand and board, in walking order', () => {
    expect(heads(rowsOf('shelf'))).toEqual(['Ash · Wall A', null, 'Ash · Wall B', 'Birch · Wall A'])
  })

  test('or by board alone, with frames without a board last', () => {
    const list = rowsOf('place', '', nothing, [item(9, 'Ash', null, 1), ...items])
    expect(heads(list)).toEqual(['Wall A', null, null, 'Wall B', 'No board'])
    expect(ids(list).at(-1)).toBe(9)
  })

  test('or by value, without groups', () => {
    const list = rowsOf('value')
    expect(ids(list)).toEqual([2, 3, 1, 4])
    expect(heads(list)).toEqual([null, null, null, null])
  })

  test('puts frames that were sold or moved meanwhile at the end, with the reason', () => {
    const list = rowsOf('shelf', '', new Map([[1, 'Sold']]))
    expect(ids(list)).toEqual([2, 3, 4, 1])
    expect(list.headAt(3)).toBe('Moved or sold during the count (1)')
    expect(list.explanationOf(items[0]!)).toBe('Sold')
    expect(list.explanationOf(items[1]!)).toBeNull()
    expect(list.at(4)).toBeUndefined()
  })

  test('typing filters it by name, tag and board', () => {
    expect(ids(rowsOf('shelf', ' wall b '))).toEqual([3])
    expect(ids(rowsOf('shelf', 'LG100004'))).toEqual([4])
  })

  test('counting the first of a group moves its head to the next frame, and an undo moves it back', () => {
    const ledger = ledgerOf(items)
    const list = new ToFindRows(ledger, 'shelf', '', nothing)
    const [first] = ids(list)
    const drawn = list.changes
    ledger.add(scanOf(first!))
    expect(list.changes).toBeGreaterThan(drawn)
    expect(heads(list)).toEqual(['Ash · Wall A', 'Ash · Wall B', 'Birch · Wall A'])
    ledger.add(scanOf(first!, { id: 'undo', negates: `scan-${first}`, captured_at: '2026-11-21T09:01:00.000Z' }))
    expect(heads(list)).toEqual(['Ash · Wall A', null, 'Ash · Wall B', 'Birch · Wall A'])
  })

  test('an unknown code or a repeated scan does not change it', () => {
    const ledger = ledgerOf(items)
    const list = new ToFindRows(ledger, 'shelf', '', nothing)
    ledger.add(scanOf(1))
    const drawn = list.changes
    ledger.add(scanOf(1, { id: 'again', captured_at: '2026-11-21T09:01:00.000Z' }))
    ledger.add(scanOf(0, { id: 'unknown', id_inventory: null, finding: 'unknown' }))
    expect(list.changes).toBe(drawn)
  })

  test('after a day of scans, undos and a recount, a kept list equals a new one', () => {
    let seed = 20_261_121
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    const expected = Array.from({ length: 60 }, (_, at) => item(at + 1, ['Ash', 'Birch'][random(2)]!, `Wall ${random(3)}`, random(5)))
    const moved = new Map([
      [7, 'Sold'],
      [30, 'Moved'],
    ])
    const ledger = ledgerOf(expected.slice(0, 50))
    const orders = Object.keys(toFindOrders) as ToFindOrder[]
    const kept = orders.flatMap((order) =>
      ['', 'wall 1'].map((words) => ({ order, words, list: new ToFindRows(ledger, order, words, moved) })),
    )
    for (let step = 0; step < 300; step++) {
      const at = { id: `event-${step}`, captured_at: new Date(Date.UTC(2026, 10, 21) + step).toISOString(), walk: ledger.walk }
      if (step === 100) ledger.addItems(expected)
      if (step === 200) ledger.startWalk(2)
      if (random(4) > 0) ledger.add(scanOf(1 + random(60), at))
      else ledger.add(scanOf(1, { ...at, negates: `event-${random(step + 1)}` }))
      if (step % 10 > 0) continue
      for (const { order, words, list } of kept)
        expect(all(list), `${order} ${words} after ${step}`).toEqual(all(new ToFindRows(ledger, order, words, moved)))
    }
  })
})
