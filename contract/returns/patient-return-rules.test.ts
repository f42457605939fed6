import { describe, expect, test } from 'vitest'
import { returnAmounts, shareOfPieces, usualPlace } from '#contract/returns/patient-return-rules.ts'

describe('amounts of a return', () => {
  test.each([
    ['all was paid', [100_00], 0, 0, [100_00, 100_00]],
    ['a fee is kept', [100_00], 15_00, 0, [85_00, 85_00]],
    ['nothing was paid', [100_00], 0, 100_00, [100_00, 0]],
    ['a part was paid', [100_00], 0, 70_00, [100_00, 30_00]],
    ['other things on the invoice are still owed', [40_00], 0, 60_00, [40_00, 0]],
    ['the patient had credit already', [40_00], 0, -10_00, [40_00, 40_00]],
    ['the fee is more than it is worth', [10_00], 15_00, 0, [0, 0]],
    ['an insurer paid for all of it', [0], 0, 0, [0, 0]],
    ['several came back', [10_00, 20_50], 5_00, 0, [25_50, 25_50]],
  ])('%s', (_, shares, fee, balance, [credit_cents, refund_cents]) => {
    expect(returnAmounts(shares, fee, balance)).toEqual({ credit_cents, refund_cents })
  })

  test('parts of a line round to a cent, and the whole line is exact', () => {
    expect([1, 2, 3].map((returned) => shareOfPieces(100_00, 3, returned))).toEqual([33_33, 66_67, 100_00])
  })
})

test('a defective frame goes to the defective ones, and every other one is for sale again', () => {
  expect([usualPlace('defect frame'), usualPlace('changed mind')]).toEqual(['defective', 'to_stock'])
})
