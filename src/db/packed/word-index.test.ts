import { expect, test } from 'vitest'
import { WordIndex } from '#src/db/packed/word-index.ts'

const rowsOf = (index: WordIndex, start: string) => [...index.rowsBeginning(start)].sort((a, b) => a - b)

test('rows are found by the beginning of any of their words', () => {
  const index = new WordIndex(['smith anna', 'smythe jose', '', 'van der berg ann', '李', 'smith'])
  expect(rowsOf(index, 'smith')).toEqual([0, 5])
  expect(rowsOf(index, 'sm')).toEqual([0, 1, 5])
  expect(rowsOf(index, 'ann')).toEqual([0, 3])
  expect(rowsOf(index, 'berg')).toEqual([3])
  expect(rowsOf(index, '李')).toEqual([4])
  expect(rowsOf(index, 'z')).toEqual([])
  expect(rowsOf(index, 'a')).toEqual([0, 3])
})

test('a row with two words of the same beginning appears twice, one without words not at all', () => {
  expect(rowsOf(new WordIndex(['ann anna', '']), 'ann')).toEqual([0, 0])
  expect(rowsOf(new WordIndex(['', '']), '')).toEqual([])
  expect(rowsOf(new WordIndex([]), 'a')).toEqual([])
})
