import { describe, expect, test } from 'vitest'
import { frameOf, itemOf } from '#tests/support/fake-count-device.ts'
import { toFindRows } from './to-find-rows.ts'

const item = (id: number, brand: string, board: string | null, price: number) =>
  itemOf(frameOf(id, { brand_name: brand, board_location: board, pb_selling_price: price }))
const items = [item(1, 'Ash', 'Wall A', 100), item(2, 'Ash', 'Wall A', 300), item(3, 'Ash', 'Wall B', 200), item(4, 'Birch', 'Wall A', 50)]
const nothing = () => null
const heads = (list: ReturnType<typeof toFindRows>) => list.rows.map((row) => row.head)
const ids = (list: ReturnType<typeof toFindRows>) => list.rows.map((row) => row.item.id_inventory)

describe('the list of what is to be found', () => {
  test('is grouped by brand and board, as one walks', () => {
    expect(heads(toFindRows(items, 'shelf', '', nothing))).toEqual(['Ash · Wall A', null, 'Ash · Wall B', 'Birch · Wall A'])
  })

  test('or by board alone, what has no board last', () => {
    const list = toFindRows([item(9, 'Ash', null, 1), ...items], 'place', '', nothing)
    expect(heads(list)).toEqual(['Wall A', null, null, 'Wall B', 'No board known'])
    expect(ids(list).at(-1)).toBe(9)
  })

  test('or by value, in one piece', () => {
    const list = toFindRows(items, 'value', '', nothing)
    expect(ids(list)).toEqual([2, 3, 1, 4])
    expect(heads(list)).toEqual([null, null, null, null])
  })

  test('what was sold or moved meanwhile stands at the end, with why', () => {
    const list = toFindRows(items, 'shelf', '', ({ id_inventory }) => (id_inventory === 1 ? 'Sold' : null))
    expect(ids(list)).toEqual([2, 3, 4, 1])
    expect(list.rows.at(-1)).toMatchObject({ head: 'Explained by movement (1)', explanation: 'Sold' })
    expect(list.explained).toBe(1)
  })

  test('typing narrows it by name, tag and board', () => {
    expect(ids(toFindRows(items, 'shelf', ' wall b ', nothing))).toEqual([3])
    expect(ids(toFindRows(items, 'shelf', 'LG100004', nothing))).toEqual([4])
  })
})
