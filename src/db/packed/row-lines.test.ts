import { expect, test } from 'vitest'
import { cutLines, joinLines, lineAt, type RowLines, startsOf, textOf } from '#src/db/packed/row-lines.ts'

const lines = ['["a",1]', '', '["ü","李"]', '["👩🏽‍⚕️"]', '["last"]']
const text = lines.join('\n')

test.each<[string, RowLines]>([
  ['a text', text],
  ['bytes', joinLines('["keys","ễ"]', text).rows],
])('the start of each line of %s is found', (_, rows) => {
  const starts = startsOf(rows, lines.length)
  expect(lines.map((_line, at) => lineAt(rows, starts, at))).toEqual(lines)
  expect(textOf(rows)).toBe(text)
})

test('a joined page is split after its keys', () => {
  const long = '["ễ"]'.repeat(100_000)
  for (const [keys, rows] of [
    ['[]', '["one"]'],
    ['["ễ"]', long],
    [long, text],
  ] as const) {
    const { joined, rows: part } = joinLines(keys, rows)
    const cut = cutLines(joined.slice())
    expect(cut.keys).toBe(keys)
    expect(textOf(cut.rows)).toBe(rows)
    expect(textOf(part)).toBe(rows)
  }
})
