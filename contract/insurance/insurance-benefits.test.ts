import { describe, expect, test } from 'vitest'
import {
  benefitStates,
  type Benefits,
  frameOverage,
  nextEligible,
  noBenefits,
  type Order,
  patientShares,
  plusMonths,
  policyState,
} from '#contract/insurance/insurance-benefits.ts'

const nothing: Order = { exam: null, fit: null, frame: null, lens: null, cl: null }
const plan: Benefits = {
  ...noBenefits,
  exam_copay_cents: 1000,
  material_copay_cents: 2500,
  contact_fit_copay_cents: 4000,
  frame_allowance_cents: 14_000,
  frame_overage_discount_pct: 20,
  cl_allowance_cents: 13_000,
  lens_coverage: {
    sv: { kind: 'covered' },
    bi: { kind: 'covered' },
    tri: { kind: 'discount', discount_pct: 15 },
    prog: { kind: 'copay', copay_cents: 5500 },
  },
  frequency: { exam: 12, lens: 12, frame: 24, cl: 12 },
}
const used = { exam: '2026-03-02', lens: null, frame: '2025-06-30', cl: null }

describe('when a benefit may be used again', () => {
  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2025-12-15', 24, '2027-12-15'],
    ['2026-08-31', 6, '2027-02-28'],
  ])('used on %s, every %i months: %s', (day, months, next) => {
    expect(plusMonths(day, months)).toBe(next)
    expect(nextEligible(day, months)).toBe(next)
  })

  test('a benefit that was never used or has no limit is due at any time', () => {
    expect(nextEligible(null, 12)).toBeNull()
    expect(nextEligible('2026-01-01', null)).toBeNull()
  })

  test('a service is due on its very day, not the day before', () => {
    const frameOn = (today: string) => benefitStates(plan, used, today).find(({ service }) => service === 'frame')
    expect(frameOn('2027-06-29')).toEqual({ service: 'frame', months: 24, lastUsed: '2025-06-30', due: '2027-06-30' })
    expect(frameOn('2027-06-30')?.due).toBeNull()
  })

  test.each([
    ['2026-01-01', null, 'in force'],
    ['2026-11-23', null, 'upcoming'],
    [null, '2026-11-22', 'in force'],
    [null, '2026-11-21', 'ended'],
  ])('a policy from %s to %s is %s', (effective_date, term_date, state) => {
    expect(policyState({ effective_date, term_date }, '2026-11-22')).toBe(state)
  })
})

describe('what the patient pays', () => {
  const due = benefitStates(plan, used, '2027-07-01')

  test('a $200 frame with a $140 allowance and 20 % off the rest costs the patient $48', () => {
    const published = { ...noBenefits, frame_allowance_cents: 14_000, frame_overage_discount_pct: 20 }
    expect(frameOverage(20_000, published)).toBe(4800)
    expect(patientShares({ ...nothing, frame: 20_000 }, published, []).patient).toBe(4800)
  })

  test('frame and lenses share one material copay', () => {
    const shares = patientShares({ ...nothing, frame: 20_000, lens: { kind: 'prog', price: 30_000 } }, plan, due)
    expect(shares.lines.map(({ item, patient, plan: pays }) => [item, patient, pays])).toEqual([
      ['frame', 4800, 15_200],
      ['lens', 5500, 24_500],
      ['material copay', 2500, -2500],
    ])
    expect([shares.retail, shares.patient, shares.plan]).toEqual([50_000, 12_800, 37_200])
  })

  test('the patient never pays more than the price, even with a higher copay', () => {
    const cheap = patientShares({ exam: 500, fit: 900, frame: 1000, lens: null, cl: 400 }, plan, due)
    expect(cheap.patient).toBe(500 + 900 + 1000)
    expect(cheap.lines.every(({ item, patient, retail }) => item === 'material copay' || patient <= retail)).toBe(true)
  })

  test('the patient pays all that the plan does not cover and all that is not due yet', () => {
    expect(
      patientShares({ exam: 9000, fit: null, frame: 20_000, lens: { kind: 'sv', price: 8000 }, cl: 5000 }, noBenefits, []),
    ).toMatchObject({
      patient: 42_000,
      plan: 0,
    })
    const early = patientShares({ ...nothing, frame: 20_000 }, plan, benefitStates(plan, used, '2026-11-22'))
    expect(early.lines).toEqual([{ item: 'frame', retail: 20_000, patient: 20_000, plan: 0, notYet: '2027-06-30' }])
  })

  test('shares are whole cents, half a cent rounds up, and patient and plan add up to the price', () => {
    const odd = { ...noBenefits, frame_allowance_cents: 0, frame_overage_discount_pct: 50 }
    expect(frameOverage(101, odd)).toBe(51)
    for (let price = 0; price < 40_000; price += 733) {
      const {
        retail,
        patient,
        plan: pays,
      } = patientShares({ exam: price, fit: price, frame: price, lens: { kind: 'tri', price }, cl: price }, plan, due)
      expect(patient + pays).toBe(retail)
      expect(Number.isInteger(patient)).toBe(true)
    }
  })
})
