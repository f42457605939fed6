import { describe, expect, test } from 'vitest'
import {
  afterStep,
  differencesOf,
  mayStep,
  outBy,
  statusNow,
  totalsCheck,
  type VendorInvoiceStatus,
  vendorInvoiceStatuses,
  vendorInvoiceSteps,
  whatToConfirm,
  whyPieceStays,
} from '#contract/receiving/vendor-invoice-rules.ts'

describe('the totals check', () => {
  const paper = { shipping_cents: 1250, tax_cents: 333, discount_cents: 500, total_cents: 31_083 }

  test('adds pieces, shipping and tax, less the discount, and compares with the paper', () => {
    expect(totalsCheck(paper, 30_000)).toEqual({ subtotal_cents: 30_000, computed_cents: 31_083, out_by_cents: 0 })
    expect(totalsCheck(paper, 30_001).out_by_cents).toBe(1)
    expect(totalsCheck(paper, 29_700).out_by_cents).toBe(-300)
  })

  test('compares nothing while the paper is not here', () => {
    expect(totalsCheck({ ...paper, total_cents: null }, 30_000).out_by_cents).toBeNull()
    expect(outBy({ out_by_cents: null })).toBeNull()
  })

  test.each([
    [0, null],
    [1, 'off by $0.01'],
    [-300, 'off by $3.00'],
    [123_456_789, 'off by $1,234,567.89'],
  ])('%i cents read as %s', (out_by_cents, words) => expect(outBy({ out_by_cents })).toBe(words))

  test('differences are shown in words, and money only to users who may see it', () => {
    const totals = { missing_costs: 2, total_cents: 1000, out_by_cents: -250 }
    const lines = ['1 line off', '2 frames have no cost', 'off by $2.50']
    expect(differencesOf({ pieces: 3, lines_off: 1, totals })).toEqual(lines)
    expect(differencesOf({ pieces: 3, lines_off: 1, totals: null })).toEqual(['1 line off'])
    expect(differencesOf({ pieces: 3, lines_off: 0, totals: { missing_costs: 0, total_cents: null, out_by_cents: null } })).toEqual([
      'No invoice total',
    ])
    expect(differencesOf({ pieces: 3, lines_off: 0, totals: { missing_costs: 0, total_cents: 9, out_by_cents: 0 } })).toEqual([])
  })
})

describe('the states', () => {
  test('each step starts only from its own states', () => {
    const ways = vendorInvoiceStatuses.map((status) => [status, ...vendorInvoiceSteps.filter((step) => mayStep(status, step))])
    expect(ways).toEqual([
      ['draft', 'void'],
      ['receiving', 'finish'],
      ['received', 'reopen', 'post'],
      ['discrepancy', 'reopen', 'post'],
      ['posted', 'pay'],
      ['paid'],
      ['void'],
    ])
    expect(vendorInvoiceSteps.map((step) => afterStep(step, true))).toEqual(['received', 'receiving', 'posted', 'paid', 'void'])
    expect(afterStep('finish', false)).toBe('discrepancy')
  })

  test.each<[VendorInvoiceStatus, number, boolean, VendorInvoiceStatus]>([
    ['draft', 1, false, 'receiving'],
    ['receiving', 0, true, 'draft'],
    ['receiving', 3, true, 'receiving'],
    ['received', 3, false, 'discrepancy'],
    ['discrepancy', 3, true, 'received'],
    ['received', 0, true, 'draft'],
    ['posted', 0, false, 'posted'],
    ['void', 0, true, 'void'],
  ])('%s with %i pieces, agreeing %s, is %s', (status, pieces, agrees, now) => expect(statusNow(status, pieces, agrees)).toBe(now))
})

test('a piece that was sold, moved or packed stays on its invoice', () => {
  const piece = { sku: 'DT-000001', status: 'Ready for Sale', store_id: 1, is_listed: false }
  expect(whyPieceStays(piece, { store_id: 1 })).toBeNull()
  expect(whyPieceStays({ ...piece, status: 'Sold' }, { store_id: 1 })).toBe('DT-000001 is Sold')
  expect(whyPieceStays(piece, { store_id: 2 })).toBe('DT-000001 has moved to another store')
  expect(whyPieceStays({ ...piece, is_listed: true }, { store_id: 1 })).toBe('DT-000001 is on a transfer')
})

describe('questions before pieces are received', () => {
  test.each([
    ['the last one of a line', { qty_invoiced: 2, here: 1, quantity: 1 }, null, []],
    ['one more than the line has', { qty_invoiced: 1, here: 1, quantity: 1 }, null, ['One more than the invoice: 2 of 1']],
    ['the next one after that', { qty_invoiced: 1, here: 2, quantity: 1 }, null, ['One more than the invoice: 3 of 1']],
    ['several at once, some of them too many', { qty_invoiced: 3, here: 1, quantity: 5 }, null, ['3 more than the invoice: 6 of 3']],
    ['a model that the paper does not have', { qty_invoiced: 0, here: 0, quantity: 1 }, null, ['Not on the invoice']],
    ['anything while no paper is entered', { qty_invoiced: null, here: 9, quantity: 1 }, null, []],
    ['a foreign brand without a paper', { qty_invoiced: null, here: 0, quantity: 1 }, 'Castamere', ['Castamere doesn’t carry this brand']],
    ['a foreign brand that the paper names', { qty_invoiced: 2, here: 0, quantity: 1 }, 'Castamere', []],
  ])('for %s', (_, arriving, foreignTo, asks) => {
    expect(whatToConfirm(arriving, foreignTo)).toEqual(asks)
  })
})
