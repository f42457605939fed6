import { expect, test } from 'vitest'
import { emptyRx } from '#contract/rx/prescription.ts'
import { expiryProblem, expiryWarning, monthsByState, termOf } from '#contract/rx/rx-expiry.ts'
import { usStates } from '#contract/core/us-states.ts'

test('glasses last two years and contact lenses one, unless the law of the state says otherwise', () => {
  const both = (state: string | null) => [monthsByState('spectacle', state), monthsByState('contact_lens', state)]
  expect([null, 'NY', 'MN', 'SC', 'WA', 'CA', 'XX', '__proto__', 'constructor'].map(both)).toEqual([
    [24, 12],
    [24, 12],
    [24, 24],
    [12, 12],
    [24, 12],
    [24, 12],
    [24, 12],
    [24, 12],
    [24, 12],
  ])
})

test('no state lets a contact lens prescription expire in less than a year by default', () => {
  for (const [state] of usStates) expect(monthsByState('contact_lens', state)).toBeGreaterThanOrEqual(12)
  expect(termOf('contact_lens', null)?.law).toBe('16 CFR 315.6')
  expect(termOf('spectacle', 'NY')).toBeNull()
})

test("a store's choice against the law of its state is shown with the law", () => {
  expect(expiryProblem('spectacle', 12, 'CA')).toBe('The law requires at least 24 months for glasses (Cal. Bus. & Prof. Code § 2541.1(b))')
  expect(expiryProblem('spectacle', 36, 'CA')).toBeNull()
  expect(expiryProblem('contact_lens', 36, 'WA')).toBe('The law allows at most 24 months for contact lenses (RCW 18.195.040(3))')
  expect(expiryProblem('spectacle', 6, 'NY')).toBeNull()
})

test('a prescription that expires earlier or later than the law says is reported, to the day', () => {
  const glasses = (expiry_date: string | null) => ({ ...emptyRx('spectacle'), issue_date: '2026-11-20', expiry_date })
  expect(expiryWarning(glasses('2028-11-19'), 'CA')).toMatch(/^Expires early: .*at least 24 months.*medical reason$/)
  expect(expiryWarning(glasses('2028-11-20'), 'CA')).toBeNull()
  expect(expiryWarning(glasses('2027-11-20'), 'SC')).toBeNull()
  expect(expiryWarning(glasses('2027-11-21'), 'SC')).toMatch(/^Expires late: .*at most 12 months/)
  expect(expiryWarning(glasses(null), 'SC')).toBeNull()
  expect(expiryWarning(glasses('2026-12-01'), null)).toBeNull()
})
