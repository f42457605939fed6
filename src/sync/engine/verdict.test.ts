import { describe, expect, test } from 'vitest'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { afterVerdict, isOn, judgeFailure, longestWaitMs, noWait, type Verdict } from '#src/sync/engine/verdict.ts'

const minute = 60_000
const start = Date.parse('2026-11-20T14:00:00.000Z')
const command: OutboxCommand = {
  id: '0199d0f0-0000-7000-8000-000000000001',
  lane: 'count:0199d0f0-0000-7000-8000-000000000002',
  lane_seq: 1,
  kind: 'count.scan',
  version: 1,
  body: {},
  store_id: 1,
  author: { id_user: 2, name: 'Ben Halvorsen' },
  capture_token: null,
  device_id: '0199d0f0-0000-7000-8000-000000000003',
  captured: { wall: '2026-11-20T14:00:00.000Z', time_zone: 'America/New_York', server_offset_ms: 0, monotonic_ms: 1 },
  state: 'retry-wait',
  body_hash: 'hash',
  attempts: 0,
  failing_since: null,
  not_before: 0,
  last_error: null,
  created_at: '2026-11-20T14:00:00.000Z',
  title: 'Scan A',
}
const problem = { code: 'server-failed', message: 'Something went wrong', status: 500, retryAfterS: null }
const failing: Exclude<Verdict, { kind: 'applied' }> = { kind: 'failing', problem }

/** The command after failures at these minutes. */
function after(...minutes: number[]): OutboxCommand {
  return minutes.reduce((now, at) => afterVerdict(now, failing, start + at * minute, () => 0.5), command)
}

describe('work that fails at the server', () => {
  test('is set aside after eight tries, and only when they took half an hour', () => {
    expect(after(0, 1, 2, 3, 4, 5, 6, 7).state).toBe('retry-wait')
    expect(after(0, 5, 10, 15, 20, 25, 26, 27, 29).state).toBe('retry-wait')
    expect(after(0, 5, 10, 15, 20, 25, 30).state).toBe('retry-wait')
    expect(after(0, 5, 10, 15, 20, 25, 29, 30)).toMatchObject({ state: 'needs-attention', last_error: { code: 'server-failed' } })
  })

  test('is not set aside for hours without a try', () => {
    expect(after(0, 1, 2, 3, 4, 5, 6, 600).state).toBe('retry-wait')
  })

  test('is not set aside because a clock that was months behind was corrected', () => {
    const behind = -90 * 24 * 60
    expect(after(behind, behind + 0.5, behind + 1, behind + 1.5, behind + 2, behind + 2.5, behind + 3, 0, 0.5).state).toBe('retry-wait')
  })

  test('waits that the server asks for do not count as failures', () => {
    const wait = { kind: 'wait', problem: { ...problem, status: 503, retryAfterS: 1800 } } as const
    const waiting = afterVerdict(after(0, 1, 2, 3, 4, 5, 6), wait, start + 60 * minute, () => 0.5)
    expect(afterVerdict(waiting, failing, start + 61 * minute, () => 0.5).state).toBe('retry-wait')
  })

  test('is set aside in time although the clock was set back by years', () => {
    const back = -2 * 365 * 24 * 60
    const tries = [0, 5, 10, 15, 20, 25, 30].map((minutes) => back + minutes)
    expect(after(0, ...tries.slice(0, -1)).state).toBe('retry-wait')
    expect(after(0, ...tries).state).toBe('needs-attention')
  })

  test('waits longer each time, and never for more than five minutes', () => {
    const waits = [1, 2, 3, 6, 12].map((tries) => {
      const failed = after(...Array.from({ length: tries }, () => 0))
      return failed.not_before - start
    })
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    expect(Math.max(...waits)).toBeLessThanOrEqual(5 * minute)
  })

  test('a wait that the server asks for is no try, and has a limit', () => {
    const wait = { kind: 'wait', problem: { ...problem, status: 429, retryAfterS: 10 ** 9 } } as const
    const waiting = afterVerdict(command, wait, start, () => 0.5)
    expect(waiting).toMatchObject({ state: 'retry-wait', attempts: 0, failing_since: null })
    expect(waiting.not_before - start).toBe(longestWaitMs)
  })
})

describe('a wait', () => {
  const wait = { since: start, until: start + 5 * minute }

  test('is on from its beginning to its end', () => {
    expect([start - 1, start, start + 5 * minute - 1, start + 5 * minute].map((now) => isOn(wait, now))).toEqual([false, true, true, false])
    expect(isOn(noWait, start)).toBe(false)
  })

  test('is over when the clock was set back before its start, by years or by half an hour', () => {
    expect(isOn(wait, start - 30 * minute)).toBe(false)
    expect(isOn({ since: start, until: start + longestWaitMs + 1 }, start)).toBe(false)
  })
})

describe('a whole request that failed', () => {
  const refused = (status: number, code = 'x') => ({
    kind: 'refused' as const,
    status,
    code,
    message: 'no',
    fields: [],
    retryAfterS: null,
    details: {},
  })

  test.each([
    [401, 'token-expired', 'renew'],
    [401, 'token-revoked', 'session-over'],
    [426, 'app-outdated', 'update'],
    [408, 'x', 'pause'],
    [425, 'x', 'pause'],
    [429, 'x', 'pause'],
    [503, 'x', 'pause'],
    [413, 'request-too-large', 'halve'],
    [422, 'request-invalid', 'halve'],
    [500, 'server-failed', 'halve'],
    [404, 'call-unknown', 'pause'],
  ])('%i %s of a batch means %s', (status, code, kind) => {
    expect(judgeFailure(refused(status, code), 10).kind).toBe(kind)
  })

  test.each([
    [400, 'attention'],
    [403, 'attention'],
    [404, 'attention'],
    [409, 'attention'],
    [410, 'attention'],
    [413, 'attention'],
    [422, 'attention'],
    [500, 'failing'],
    [502, 'failing'],
  ])('%i of one command alone means %s', (status, kind) => {
    expect(judgeFailure(refused(status), 1)).toMatchObject({ kind: 'judge', verdict: { kind } })
  })

  test('no answer says nothing about the work', () => {
    expect(judgeFailure({ kind: 'unreachable', message: 'no network' }, 1)).toEqual({ kind: 'pause', ms: null })
  })
})
