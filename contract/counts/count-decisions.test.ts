import { describe, expect, test } from 'vitest'
import { CountDecisions } from '#contract/counts/count-decisions.ts'
import type { CountDecision } from '#contract/counts/count-sheets.ts'
import { exceptionKey } from '#contract/counts/counting.ts'

describe('decisions on exceptions', () => {
  const row = (revision: number, decision: CountDecision['decision']): CountDecision => ({
    id_count_sheet: '01890000-0000-7000-8000-000000000001',
    key: 'frame:31',
    decision,
    reason: '',
    decided_by_name: 'Maya',
    decided_at: '2026-11-21T10:00:00.000Z',
    revision,
  })

  test("the server's later decision wins, in any order of arrival", () => {
    const decisions = new CountDecisions()
    decisions.add(row(9, 'skip'))
    decisions.add(row(4, 'apply'))
    expect(decisions.on('frame:31')).toBe('skip')
  })

  test("a decision of this device covers the server's until it is confirmed or discarded", () => {
    const decisions = new CountDecisions()
    decisions.add(row(9, 'skip'))
    decisions.addPending('command', row(0, 'apply'))
    expect(decisions.on('frame:31')).toBe('apply')
    decisions.removePending('command')
    expect(decisions.on('frame:31')).toBe('skip')
    expect(decisions.on('frame:32')).toBe('undecided')
  })

  test('of two waiting decisions the later one wins, and the earlier one returns when it is discarded', () => {
    const decisions = new CountDecisions()
    decisions.addPending('b', { ...row(0, 'skip'), decided_at: '2026-11-21T10:00:01.000Z' })
    decisions.addPending('a', row(0, 'apply'))
    expect(decisions.on('frame:31')).toBe('skip')
    decisions.removePending('b')
    expect(decisions.on('frame:31')).toBe('apply')
  })

  test("an exception's key is its piece, or its scan when there is no piece", () => {
    expect(exceptionKey({ id: 'x', id_inventory: 31 })).toBe('frame:31')
    expect(exceptionKey({ id: 'x', id_inventory: null })).toBe('scan:x')
  })
})
