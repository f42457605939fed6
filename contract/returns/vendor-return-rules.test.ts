import { describe, expect, test } from 'vitest'
import {
  afterStep,
  creditDifference,
  isOpen,
  isOverdue,
  nextSteps,
  takesPieces,
  vendorReturnStatuses,
  vendorReturnSteps,
} from './vendor-return-rules.ts'

describe('a return to a vendor', () => {
  test('goes from the draft to the credit by the steps of its timeline', () => {
    const usual = ['request', 'approve', 'ship', 'credit', 'close'] as const
    let status: (typeof vendorReturnStatuses)[number] | null = 'draft'
    const seen = usual.map((step) => (status = status && afterStep(status, step)))
    expect(seen).toEqual(['ra_requested', 'ra_approved', 'shipped', 'credited', 'closed'])
  })

  test.each([
    ['draft', ['request', 'approve']],
    ['ra_requested', ['approve', 'deny']],
    ['ra_approved', ['deny', 'ship']],
    ['shipped', ['deny', 'credit']],
    ['credited', ['close']],
    ['closed', []],
    ['ra_denied', []],
  ] as const)('%s may be followed by %j', (status, steps) => {
    expect(nextSteps(status)).toEqual(steps)
    for (const step of vendorReturnSteps) expect(afterStep(status, step) !== null).toBe(nextSteps(status).includes(step))
  })

  test('takes pieces until it is shipped, and holds them until it is over', () => {
    expect(vendorReturnStatuses.filter(takesPieces)).toEqual(['draft', 'ra_requested', 'ra_approved'])
    expect(vendorReturnStatuses.filter((status) => !isOpen(status))).toEqual(['closed', 'ra_denied'])
  })

  test.each([
    [10_000, 9_500, -500],
    [10_000, 10_000, 0],
    [10_000, 12_000, 2_000],
    [null, 12_000, null],
    [10_000, null, null],
  ])('a credit of %j expected and %j received differs by %j', (expected, received, difference) => {
    expect(creditDifference(expected, received)).toBe(difference)
  })

  test('is overdue when its vendor is silent for more than 30 days', () => {
    const now = Date.parse('2026-11-23T10:00:00.000Z')
    expect(isOverdue('ra_requested', '2026-10-24T10:00:00.000Z', now)).toBe(false)
    expect(isOverdue('ra_requested', '2026-10-24T09:59:59.000Z', now)).toBe(true)
    expect(isOverdue('shipped', '2026-10-01T00:00:00.000Z', now)).toBe(true)
    expect(isOverdue('ra_approved', '2026-01-01T00:00:00.000Z', now)).toBe(false)
  })
})
