import { describe, expect, test } from 'vitest'
import type { CountLine } from '#contract/counts/count-sheets.ts'
import { wholeStore } from '#contract/counts/count-sheets.ts'
import { CountLedger } from '#contract/counts/count-ledger.ts'
import { frameOf, itemOf } from '#tests/support/fake-count-device.ts'
import { emptyScope, readScope } from './form.ts'
import { paceOf } from './model/pace.ts'
import { scopeInWords } from './model/scope-words.ts'
import { sheetCsv } from './model/sheet-csv.ts'

describe('the scope of a new count', () => {
  test('the highest price may not be below the lowest', () => {
    expect(readScope({ ...emptyScope, kind: 'part', priceFrom: '200', priceTo: '100' })).toEqual({
      problem: { field: 'priceTo', message: 'The maximum price is below the minimum' },
    })
  })

  test('the whole store ignores earlier choices', () => {
    expect(readScope({ ...emptyScope, brands: new Set([3]), priceFrom: 'ten' })).toEqual({ scope: wholeStore })
  })

  test('a scope reads as words', () => {
    const brands = [{ id: 1, name: 'Ash' }]
    expect(scopeInWords(wholeStore, brands, [])).toBe('Whole store')
    expect(scopeInWords({ ...wholeStore, brand_ids: [1], price_min_cents: 12_000 }, brands, [])).toBe('Ash · from $120.00')
    expect(scopeInWords({ ...wholeStore, brand_ids: [1, 9] }, brands, [])).toBe('2 brands')
  })
})

describe('the file of a count', () => {
  const line = (more: Partial<CountLine>): CountLine => ({
    item_id: 1,
    id_scan: null,
    raw_code: null,
    sku: '000123',
    serial: 'F1',
    upc: null,
    brand_name: 'Ash',
    title_product: 'Model, round',
    title_variant: 'Black "matte"',
    size: '52-18-140',
    expected: true,
    expected_status: 'Ready for Sale',
    outcome: 'counted',
    effect: 'none',
    detail: null,
    counted_by: 'Ana',
    counted_at: null,
    decision: 'undecided',
    reason: '',
    price: 12_050,
    expected_store: 'Downtown',
    device: 'Tablet 3F2A',
    ...more,
  })

  test('quotes special characters, keeps leading zeros and writes money as money', () => {
    const row = sheetCsv([line({})], 'all').split('\r\n')[1]
    expect(row).toBe(
      '000123,F1,,Ash,"Model, round","Black ""matte""",52-18-140,,Downtown,yes,Ready for Sale,counted,,Ana,,Tablet 3F2A,undecided,,120.50',
    )
  })

  test('has costs only for those who may see them', () => {
    const header = (withCost: boolean) => sheetCsv([line({ cost: 4950 })], 'all', withCost).split('\r\n')
    expect(header(true).map((row) => row.split(',').at(-1))).toEqual(['cost', '49.50', ''])
    expect(header(false)[0]?.split(',').at(-1)).toBe('price')
  })

  test('a code that looks like a formula stays text', () => {
    expect(sheetCsv([line({ sku: '=HYPERLINK("x")' })], 'all')).toContain(`"'=HYPERLINK(""x"")"`)
  })

  test('differences leave out frames counted as expected, and Missing lists only missing frames', () => {
    const lines = [
      line({}),
      line({ outcome: 'missing', effect: 'missing' }),
      line({ effect: 'found' }),
      line({ outcome: 'unknown', effect: 'exception' }),
    ]
    const rows = (choice: 'all' | 'differences' | 'missing') => sheetCsv(lines, choice).trim().split('\r\n').length - 1
    expect([rows('all'), rows('differences'), rows('missing')]).toEqual([4, 3, 1])
  })
})

describe('the pace of a count', () => {
  test('covers the last five minutes, and says how long is left', () => {
    const ledger = new CountLedger()
    ledger.addItems(Array.from({ length: 100 }, (_, at) => itemOf(frameOf(at + 1))))
    const now = Date.parse('2026-11-21T10:00:00.000Z')
    expect(paceOf(ledger, now)).toBeNull()
    for (let id = 1; id <= 40; id++)
      ledger.add({
        id: `s${id}`,
        raw_code: '',
        id_inventory: id,
        finding: 'expected',
        finding_detail: null,
        via: 'scanner',
        negates: null,
        previous_scan: null,
        walk: 1,
        captured_at: new Date(now - id * 6000).toISOString(),
        author_id: 1,
        author_name: 'Ana',
        device_id: 'a',
      })
    expect(paceOf(ledger, now)).toEqual({ perMinute: 10, minutesLeft: 6 })
    expect(paceOf(ledger, now + 600_000)).toBeNull()
  })
})
