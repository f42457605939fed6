import { expect, test } from 'vitest'
import { usDate } from '#contract/core/us-date.ts'
import {
  formatAge,
  formatBytes,
  formatCount,
  formatDate,
  formatDateRange,
  formatDateTime,
  formatDay,
  formatMinutes,
  formatMoney,
  formatNumberOf,
  formatPercent,
  formatTime,
} from './format.ts'

test('a moment is shown in the time zone of the store', () => {
  expect(formatDateTime('2026-11-21T03:05:00Z', 'America/New_York')).toBe('11/20/2026, 10:05 PM')
  expect(formatDateTime('2026-11-21T03:05:00Z', 'Asia/Kolkata')).toBe('11/21/2026, 8:35 AM')
})

test('a day of the calendar is the same in every time zone', () => {
  expect(formatDate('1941-02-26', 'America/Los_Angeles')).toBe('02/26/1941')
  expect(formatDate('1941-02-26', 'Pacific/Tongatapu')).toBe('02/26/1941')
  expect(formatDate('1941-02-26')).toBe('02/26/1941')
  expect(usDate('1941-02-26')).toBe('02/26/1941')
})

test('noon is 12:00 PM, midnight is 12:00 AM', () => {
  expect(formatTime('2026-03-07T12:00:00Z', 'UTC')).toBe('12:00 PM')
  expect(formatTime('2026-11-21T05:00:00Z', 'America/New_York')).toBe('12:00 AM')
})

test('a week names both of its days', () => {
  expect(formatDateRange('2026-12-28T00:00:00Z', '2027-01-03T00:00:00Z', 'UTC')).toBe('12/28/2026 – 01/03/2027')
})

test('a number is written the same with and without the browser’s formatter', () => {
  const intl = new Intl.NumberFormat('en-US')
  for (const value of [0, 7, 999, 1000, 1012, 20_050, 999_999, 1_000_000, 12_345_678, -5, -1234, 2.5, 1234.56]) {
    expect(formatCount(value)).toBe(intl.format(value))
  }
})

test('in the device’s own time zone, days and times are written as the browser writes them', () => {
  const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  for (let at = Date.parse('2026-01-01T00:07:00Z'), n = 0; n < 400; n += 1, at += 23 * 3_600_000 + 41 * 60_000) {
    expect(formatDay(at)).toBe(formatDay(at, timeZone))
    expect(formatTime(at)).toBe(formatTime(at, timeZone))
  }
})

test('money is cents, written with its separators', () => {
  expect(formatMoney(123_450)).toBe('$1,234.50')
  expect(formatMoney(5)).toBe('$0.05')
})

test('durations name hours and minutes, and leave out zeros', () => {
  expect(formatMinutes(452)).toBe('7 h 32 min')
  expect(formatMinutes(59.9)).toBe('59 min')
  expect(formatMinutes(120)).toBe('2 h')
  expect(formatMinutes(-3)).toBe('0 min')
})

test('ages use their largest unit', () => {
  expect(formatAge(40_000)).toBe('40 seconds')
  expect(formatAge(12 * 60_000)).toBe('12 min')
  expect(formatAge(25 * 3_600_000)).toBe('1 day')
})

test('a share is never rounded up to done', () => {
  expect(formatPercent(0.9999)).toBe('99%')
})

test('counts have their noun in the right number', () => {
  expect(formatNumberOf(1, 'scan')).toBe('1 scan')
  expect(formatNumberOf(1012, 'entry', 'entries')).toBe('1,012 entries')
})

test('bytes are written in the most readable unit', () => {
  expect(formatBytes(999)).toBe('999 B')
  expect(formatBytes(1_440_000)).toBe('1.4 MB')
})
