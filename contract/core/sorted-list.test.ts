import { describe, expect, test } from 'vitest'
import { SortedList } from '#contract/core/sorted-list.ts'

describe('a list that is always in order', () => {
  test('any order of putting and deleting leaves what sorting would', () => {
    let seed = 20_261_121
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    const list = new SortedList<number>((a, b) => a - b)
    const model = new Set<number>()
    for (let step = 0; step < 5000; step++) {
      const value = random(600)
      if (random(3) === 0) expect(list.delete(value)).toBe(model.delete(value))
      else {
        list.put(value)
        model.add(value)
      }
    }
    expect(list.toArray()).toEqual([...model].sort((a, b) => a - b))
    expect(list.toReversed()).toEqual([...model].sort((a, b) => b - a))
    expect(list.length).toBe(model.size)
  })

  test('many entries at once stand as if they had come one by one', () => {
    const one = new SortedList<number>((a, b) => a - b, [5, 1])
    one.putAll([4, 9, 0])
    expect(one.toArray()).toEqual([0, 1, 4, 5, 9])
  })

  test('how many stand before a point is counted without looking at all of them', () => {
    const list = new SortedList<number>(
      (a, b) => a - b,
      Array.from({ length: 1000 }, (_, at) => at * 2),
    )
    let looked = 0
    const before = list.countWhile((value) => {
      looked += 1
      return value < 501
    })
    expect(before).toBe(251)
    expect(looked).toBeLessThan(15)
    expect(list.countWhile(() => false)).toBe(0)
    expect(list.countWhile(() => true)).toBe(1000)
  })

  test('who drew it learns of every change, and of nothing else', () => {
    const row = { id: 1 }
    const list = new SortedList<{ id: number }>((a, b) => a.id - b.id, [row])
    const drawn = list.changes
    list.put(row)
    list.delete({ id: 7 })
    expect(list.changes).toBe(drawn)
    list.put({ id: 1 })
    expect(list.changes).toBe(drawn + 1)
    list.delete(row)
    expect(list.changes).toBe(drawn + 2)
  })

  test('an entry that compares equal is replaced, not doubled', () => {
    const list = new SortedList<{ id: number; word: string }>((a, b) => a.id - b.id, [{ id: 2, word: 'old' }])
    list.put({ id: 2, word: 'new' })
    expect(list.toArray()).toEqual([{ id: 2, word: 'new' }])
    expect(list.placeOf({ id: 3, word: '' })).toEqual({ place: 1, found: false })
  })
})
