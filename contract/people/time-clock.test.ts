import { describe, expect, test } from 'vitest'
import {
  clockTime,
  clockTimeline,
  dayTotals,
  dayOf,
  effectivePunches,
  elapsed,
  elapsedWords,
  instantOfLocal,
  isSkewed,
  localDateTime,
  openSession,
  punchTime,
  sessionMs,
  startOfDay,
  weekOf,
  weekTotal,
  type ClockPunch,
} from '#contract/people/time-clock.ts'

const hour = 3_600_000
let made = 0

function punch(direction: ClockPunch['direction'], at: string, more: Partial<ClockPunch> = {}): ClockPunch {
  made++
  return { id: `p${String(made).padStart(4, '0')}`, direction, at, received_at: at, supersedes: null, in_review: false, ...more }
}

const monday = (time: string): string => `2026-11-16T${time}:00.000Z`
const now = Date.parse(monday('20:00'))

describe('sessions', () => {
  test('in and out make one session with its worked time', () => {
    const { sessions, doubles } = clockTimeline([punch('in', monday('08:00')), punch('out', monday('16:30'))], now)
    expect(sessions).toHaveLength(1)
    expect(sessionMs(sessions[0]!, now)).toBe(8.5 * hour)
    expect(doubles).toEqual([])
  })

  test('punches that arrive late and out of order are put where they happened', () => {
    const { sessions } = clockTimeline(
      [
        punch('out', monday('17:00')),
        punch('in', monday('13:00')),
        punch('out', monday('12:00'), { received_at: monday('19:00') }),
        punch('in', monday('08:00'), { received_at: monday('19:00') }),
      ],
      now,
    )
    expect(sessions.map((session) => sessionMs(session, now) / hour)).toEqual([4, 4])
  })

  test('clocking in twice keeps the first time, clocking out twice as well', () => {
    const { sessions, doubles } = clockTimeline(
      [punch('in', monday('08:00')), punch('in', monday('08:02')), punch('out', monday('12:00')), punch('out', monday('12:01'))],
      now,
    )
    expect(sessions.map((session) => [session.in.at, session.out?.at])).toEqual([[monday('08:00'), monday('12:00')]])
    expect(doubles.map((one) => one.at)).toEqual([monday('08:02'), monday('12:01')])
  })

  test('an open session counts until now and is the one someone is in', () => {
    const punches = [punch('in', monday('18:00'))]
    expect(sessionMs(openSession(punches, now)!, now)).toBe(2 * hour)
  })

  test('after 16 hours a session was forgotten: it is not open, counts nothing, and the next clock-in begins a new one', () => {
    const forgotten = punch('in', '2026-11-15T08:00:00.000Z')
    expect(openSession([forgotten], Date.parse('2026-11-16T00:00:00.000Z'))).not.toBeNull()
    expect(openSession([forgotten], Date.parse('2026-11-16T00:00:00.001Z'))).toBeNull()
    const { sessions, doubles } = clockTimeline([forgotten, punch('in', monday('08:00'))], now)
    expect(sessions.map((one) => [one.open, one.overlong, sessionMs(one, now) / hour])).toEqual([
      [false, true, 0],
      [true, false, 12],
    ])
    expect(doubles).toEqual([])
  })

  test('a session of more than 16 hours that was clocked out keeps its time and is marked', () => {
    const { sessions } = clockTimeline([punch('in', '2026-11-15T08:00:00.000Z'), punch('out', monday('08:00'))], now)
    expect(sessions[0]).toMatchObject({ overlong: true, open: false })
    expect(sessionMs(sessions[0]!, now)).toBe(24 * hour)
  })

  test('a punch that waits for a manager is not part of a session', () => {
    expect(clockTimeline([punch('in', monday('08:00'), { in_review: true })], now).sessions).toEqual([])
  })
})

describe('corrections', () => {
  test('a correction takes the place of the punch it supersedes, and a correction of it takes its place in turn', () => {
    const raw = punch('in', monday('09:00'))
    const first = punch('in', monday('08:30'), { supersedes: raw.id })
    const second = punch('in', monday('08:15'), { supersedes: first.id })
    expect(effectivePunches([second, raw, first])).toEqual([second])
  })

  test('of two corrections of the same punch the one received last counts', () => {
    const raw = punch('in', monday('09:00'))
    const late = punch('in', monday('08:00'), { supersedes: raw.id, received_at: monday('19:00') })
    const early = punch('in', monday('08:30'), { supersedes: raw.id, received_at: monday('18:00') })
    expect(effectivePunches([late, early, raw])).toEqual([late])
  })

  test('a void takes a punch away', () => {
    const raw = punch('out', monday('12:00'))
    const inAt = punch('in', monday('08:00'))
    expect(effectivePunches([inAt, raw, punch('void', monday('12:00'), { supersedes: raw.id })])).toEqual([inAt])
  })
})

describe('totals', () => {
  test('a night shift is split at midnight of the store', () => {
    const { sessions } = clockTimeline([punch('in', '2026-11-17T03:00:00.000Z'), punch('out', '2026-11-17T09:00:00.000Z')], now + 48 * hour)
    expect([...dayTotals(sessions, 'America/New_York', now)]).toEqual([
      ['2026-11-16', 2 * hour],
      ['2026-11-17', 4 * hour],
    ])
  })

  test('the night the clocks go back is worked an hour longer, the night they go forward an hour shorter', () => {
    // 22:00 to 06:00 on the wall, both times.
    const back = clockTimeline([punch('in', '2026-11-01T02:00:00.000Z'), punch('out', '2026-11-01T11:00:00.000Z')], now).sessions
    expect([...dayTotals(back, 'America/New_York', now)]).toEqual([
      ['2026-10-31', 2 * hour],
      ['2026-11-01', 7 * hour],
    ])
    const forward = clockTimeline([punch('in', '2026-03-08T03:00:00.000Z'), punch('out', '2026-03-08T10:00:00.000Z')], now).sessions
    expect([...dayTotals(forward, 'America/New_York', now)]).toEqual([
      ['2026-03-07', 2 * hour],
      ['2026-03-08', 5 * hour],
    ])
  })

  test('a week runs from Monday to Sunday, across the end of the year', () => {
    expect(weekOf('2027-01-01')).toEqual(['2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02', '2027-01-03'])
    expect(
      weekTotal(
        new Map([
          ['2026-12-28', 1],
          ['2027-01-03', 2],
          ['2027-01-04', 4],
        ]),
        '2027-01-01',
      ),
    ).toBe(3)
  })

  test('elapsed time is whole minutes, never rounded up and never negative', () => {
    expect(elapsed(2 * hour + 59_999)).toEqual({ hours: 2, minutes: 0 })
    expect(elapsed(-5)).toEqual({ hours: 0, minutes: 0 })
    expect(elapsedWords(7 * hour + 5 * 60_000)).toBe('7 h 05 min')
  })
})

describe('clocks of a store', () => {
  test('times are written HH:MM DD-MM-YYYY as the store sees them', () => {
    expect(clockTime('2026-11-16T05:07:59.000Z', 'America/New_York')).toBe('00:07 16-11-2026')
    expect(clockTime('2026-07-16T04:07:59.000Z', 'America/New_York')).toBe('00:07 16-07-2026')
    expect(clockTime('2026-11-16T18:45:00.000Z', 'Asia/Kolkata')).toBe('00:15 17-11-2026')
  })

  test('a day begins at its first moment, also where midnight is skipped or comes twice', () => {
    expect(new Date(startOfDay('2026-11-01', 'America/New_York')).toISOString()).toBe('2026-11-01T04:00:00.000Z')
    expect(new Date(startOfDay('2026-11-02', 'America/New_York')).toISOString()).toBe('2026-11-02T05:00:00.000Z')
    // São Paulo skipped midnight on 4 November 2018, and had 23:00 twice on 17 February 2018.
    expect(new Date(startOfDay('2018-11-04', 'America/Sao_Paulo')).toISOString()).toBe('2018-11-04T03:00:00.000Z')
    expect(new Date(startOfDay('2018-02-18', 'America/Sao_Paulo')).toISOString()).toBe('2018-02-18T03:00:00.000Z')
    // Havana has midnight twice on 1 November 2026: the day begins at the first.
    const havana = startOfDay('2026-11-01', 'America/Havana')
    expect(dayOf(havana - 1, 'America/Havana')).toBe('2026-10-31')
    expect(new Date(havana).toISOString()).toBe('2026-11-01T04:00:00.000Z')
  })

  test('a typed local time becomes its instant and reads back the same, all year round', () => {
    for (let day = 0; day < 365; day++) {
      const local = `${new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)}T07:30`
      expect(localDateTime(instantOfLocal(local, 'America/Chicago'), 'America/Chicago')).toBe(local)
    }
    // 02:30 does not exist on 8 March 2026, and 01:30 comes twice on 1 November.
    expect(localDateTime(instantOfLocal('2026-03-08T02:30', 'America/New_York'), 'America/New_York')).toBe('2026-03-08T03:30')
    expect(new Date(instantOfLocal('2026-11-01T01:30', 'America/New_York')).toISOString()).toBe('2026-11-01T05:30:00.000Z')
    expect(instantOfLocal('yesterday', 'America/New_York')).toBeNaN()
  })
})

describe('the clock of a device', () => {
  test('a punch is timed by the server’s clock', () => {
    const captured = { wall: monday('08:00'), time_zone: 'UTC', server_offset_ms: 30_000, monotonic_ms: 1 }
    expect(punchTime(captured)).toEqual({ at: '2026-11-16T08:00:30.000Z', skewMs: 30_000 })
  })

  test('a clock off by more than two minutes, or never compared, is not believed', () => {
    expect([0, 120_000, -120_000, 120_001, -120_001, null].map(isSkewed)).toEqual([false, false, false, true, true, true])
  })
})
