import { describe, expect, test } from 'vitest'
import { csv, type CsvColumn, csvHead, csvMoney, csvRows } from './csv.ts'

type Row = { name: string | null; price: number | null }
const columns: readonly CsvColumn<Row>[] = [
  ['name', (row) => row.name],
  ['price', (row) => csvMoney(row.price)],
]
const linesOf = (rows: readonly Row[]) => csv(columns, rows).split('\r\n').slice(1, -1)

describe('a file for a spreadsheet', () => {
  test('begins with a byte order mark and the names of the columns', () => {
    expect(csv(columns, [])).toBe('\ufeffname,price\r\n')
  })

  test('quotes commas, quotation marks and line breaks, and leaves out what is not known', () => {
    expect(
      linesOf([
        { name: 'Été "B", 12', price: 12_900 },
        { name: null, price: null },
      ]),
    ).toEqual(['"Été ""B"", 12",129.00', ','])
    expect(csvRows(columns, [{ name: 'two\nlines', price: 5 }])).toBe('"two\nlines",0.05\r\n')
  })

  test.each(['=', '+', '-', '@', '\t', '\uff1d', '\uff0b', '\uff0d', '\uff20'])('runs no formula that begins with %j', (sign) => {
    expect(linesOf([{ name: `${sign}1`, price: null }])).toEqual([`'${sign}1,`])
  })

  test('is the same in parts as in one piece', () => {
    const rows = [
      { name: 'A', price: 1 },
      { name: 'B', price: 2 },
    ]
    expect(csvHead(columns) + csvRows(columns, rows.slice(0, 1)) + csvRows(columns, rows.slice(1))).toBe(csv(columns, rows))
  })
})
