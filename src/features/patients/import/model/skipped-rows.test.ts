import { expect, test } from 'vitest'
import { readTable } from './read-file.ts'
import { skippedRows } from './skipped-rows.ts'

const file = 'Name,"ZIP, or code",Note\nAda,12345,"a, b"\nBo,x,=1+1\nCleo,y,\n'

test('the skipped rows are a file with the same columns and the reasons, which can be read again', () => {
  const table = { ...readTable(file), encoding: 'utf-8' }
  const written = skippedRows(table, [
    { line: 3, why: 'ZIP: must be 12345 or 12345-6789' },
    { line: 3, why: 'Name: too short' },
    { line: 4, why: 'ZIP: must be 12345 or 12345-6789' },
  ])
  const again = readTable(written)
  expect(again.headers).toEqual(['Name', 'ZIP, or code', 'Note', 'Problem'])
  expect(again.lines.map(({ cells }) => cells[0])).toEqual(['Bo', 'Cleo'])
  expect(again.lines[0]?.cells[3]).toBe('ZIP: must be 12345 or 12345-6789; Name: too short')
})

test('a formula in a skipped row is defused', () => {
  const table = { ...readTable(file), encoding: 'utf-8' }
  expect(skippedRows(table, [{ line: 3, why: 'ZIP: wrong' }])).not.toMatch(/(^|,)=1/m)
})
