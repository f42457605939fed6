import { describe, expect, test } from 'vitest'
import { SortedList } from '#contract/sorted-list.ts'

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

  test('an entry that compares equal is replaced, not doubled', () => {
    const list = new SortedList<{ id: number; word: string }>((a, b) => a.id - b.id, [{ id: 2, word: 'old' }])
    list.put({ id: 2, word: 'new' })
    expect(list.toArray()).toEqual([{ id: 2, word: 'new' }])
    expect(list.placeOf({ id: 3, word: '' })).toEqual({ place: 1, found: false })
  })
})
