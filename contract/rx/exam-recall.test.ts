import { expect, test } from 'vitest'
import { datesAfterExam, monthsAfter } from './exam-recall.ts'

const nothing = { last_exam_date: null, recall_due_date: null, recall_reason: null }

test('months later is the same day, or the last of a month that is shorter', () => {
  expect(monthsAfter('2026-11-20', 12)).toBe('2027-11-20')
  expect(monthsAfter('2024-02-29', 12)).toBe('2025-02-28')
  expect(monthsAfter('2026-01-31', 1)).toBe('2026-02-28')
  expect(monthsAfter('2026-12-31', 24)).toBe('2028-12-31')
  expect(monthsAfter('2026-02-28', -24)).toBe('2024-02-28')
  expect(monthsAfter('2026-08-31', 6)).toBe('2027-02-28')
})

test('an exam moves the last exam and the recall twelve months after it', () => {
  const after = { last_exam_date: '2026-11-20', recall_due_date: '2027-11-20', recall_reason: 'Comprehensive exam' }
  expect(datesAfterExam(nothing, '2026-11-20')).toEqual(after)
  expect(
    datesAfterExam({ last_exam_date: '2025-10-01', recall_due_date: '2026-10-01', recall_reason: 'Comprehensive exam' }, '2026-11-20'),
  ).toEqual(after)
  // A recall without a reason, or one that the exam came after, is done.
  expect(datesAfterExam({ ...nothing, recall_due_date: '2027-01-01' }, '2026-11-20')).toEqual(after)
  expect(datesAfterExam({ ...nothing, recall_due_date: '2026-11-20', recall_reason: 'Pressure' }, '2026-11-20')).toEqual(after)
})

test('a later exam, or the same day, is not moved back', () => {
  expect(datesAfterExam({ ...nothing, last_exam_date: '2026-11-20' }, '2026-11-20')).toBeNull()
  expect(datesAfterExam({ ...nothing, last_exam_date: '2026-11-21' }, '2026-11-20')).toBeNull()
})

test('a recall for a reason of its own stays while it lies ahead', () => {
  const own = { last_exam_date: '2025-10-01', recall_due_date: '2027-02-01', recall_reason: 'Pressure in 3 months' }
  expect(datesAfterExam(own, '2026-11-20')).toEqual({ ...own, last_exam_date: '2026-11-20' })
})
