import type { Captured } from '#contract/sync/commands.ts'

/**
 * The rules of the time clock. Punches are only ever added. Both sides compute sessions from them here, so that a
 * tablet without a network shows the same hours as the server.
 */

/** The fields of a punch that the rules need. Punches of the mirror and of the outbox have them. */
export type ClockPunch = {
  id: string
  direction: 'in' | 'out' | 'void'
  at: string
  received_at: string
  supersedes: string | null
  in_review: boolean
}

/** A session of this length was forgotten, not worked: a manager looks at it. */
export const overlongHours = 16
/** The server does not trust a device whose clock is further off than this without a manager. */
export const skewLimitMs = 2 * 60_000
/** A punch that reaches the server later than this was captured without a connection. */
export const lateAfterMs = 5 * 60_000
/** Beyond this, a manager is shown the late punch even when it fits in. */
export const veryLateAfterMs = 24 * 3_600_000

const overlongMs = overlongHours * 3_600_000

export type ClockSession<P extends ClockPunch = ClockPunch> = {
  in: P
  /** Null while it is open, and forever when clocking out was forgotten. */
  out: P | null
  /** Clocked in now, or up to 16 hours ago. */
  open: boolean
  /** Longer than 16 hours: someone forgot to clock out. Without an `out` it counts as no time at all. */
  overlong: boolean
}

export type ClockTimeline<P extends ClockPunch = ClockPunch> = {
  /** In the order in which they began. */
  sessions: ClockSession<P>[]
  /** Punches that say what was so already: in while in, out while out. They change nothing. */
  doubles: P[]
}

function inOrder(a: ClockPunch, b: ClockPunch): number {
  return Date.parse(a.at) - Date.parse(b.at) || Date.parse(a.received_at) - Date.parse(b.received_at) || (a.id < b.id ? -1 : 1)
}

/**
 * The punches that count, in the order in which they happened: without those that wait for a manager, that were
 * superseded, or that make void. When two corrections supersede the same punch, the one received last counts.
 */
export function effectivePunches<P extends ClockPunch>(punches: readonly P[]): P[] {
  const accepted = punches.filter((punch) => !punch.in_review)
  const successor = new Map<string, P>()
  for (const punch of accepted) {
    if (punch.supersedes === null) continue
    const other = successor.get(punch.supersedes)
    if (!other || receivedLater(punch, other)) successor.set(punch.supersedes, punch)
  }
  return accepted
    .filter((punch) => !successor.has(punch.id))
    .filter((punch) => punch.supersedes === null || successor.get(punch.supersedes) === punch)
    .filter((punch) => punch.direction !== 'void')
    .sort(inOrder)
}

function receivedLater(a: ClockPunch, b: ClockPunch): boolean {
  return (Date.parse(a.received_at) - Date.parse(b.received_at) || (a.id < b.id ? -1 : 1)) > 0
}

/**
 * Reads sessions out of the punches of one person, which may come in any order. `now` is in ms, server time.
 * In while in changes nothing, unless 16 hours have passed: then the earlier session was forgotten and a new one begins.
 */
export function clockTimeline<P extends ClockPunch>(punches: readonly P[], now: number): ClockTimeline<P> {
  const sessions: ClockSession<P>[] = []
  const doubles: P[] = []
  let current: ClockSession<P> | null = null
  for (const punch of effectivePunches(punches)) {
    const at = Date.parse(punch.at)
    if (punch.direction === 'in') {
      if (current && at - Date.parse(current.in.at) <= overlongMs) {
        doubles.push(punch)
        continue
      }
      if (current) Object.assign(current, { open: false, overlong: true })
      current = { in: punch, out: null, open: true, overlong: false }
      sessions.push(current)
    } else if (current) {
      Object.assign(current, { out: punch, open: false, overlong: at - Date.parse(current.in.at) > overlongMs })
      current = null
    } else {
      doubles.push(punch)
    }
  }
  if (current && now - Date.parse(current.in.at) > overlongMs) Object.assign(current, { open: false, overlong: true })
  return { sessions, doubles }
}

/** Returns the open session, or null. A forgotten session is not open, so the person can clock in the next morning. */
export function openSession<P extends ClockPunch>(punches: readonly P[], now: number): ClockSession<P> | null {
  return clockTimeline(punches, now).sessions.find((session) => session.open) ?? null
}

/** Worked time of a session in ms, until `now` while it is open; 0 when clocking out was forgotten. */
export function sessionMs(session: ClockSession, now: number): number {
  if (session.out) return Date.parse(session.out.at) - Date.parse(session.in.at)
  return session.open ? Math.max(0, now - Date.parse(session.in.at)) : 0
}

/** Worked ms by calendar day (`YYYY-MM-DD`) of the time zone: a night shift is split at midnight. */
export function dayTotals(sessions: readonly ClockSession[], timeZone: string, now: number): Map<string, number> {
  const totals = new Map<string, number>()
  for (const session of sessions) {
    const end = Date.parse(session.in.at) + sessionMs(session, now)
    let from = Date.parse(session.in.at)
    while (from < end) {
      const day = dayOf(from, timeZone)
      const until = Math.min(end, startOfDay(addDays(day, 1), timeZone))
      totals.set(day, (totals.get(day) ?? 0) + (until - from))
      from = until
    }
  }
  return totals
}

/** The sum over the seven days of the week that holds `day`, in ms. */
export function weekTotal(totals: ReadonlyMap<string, number>, day: string): number {
  return weekOf(day).reduce((sum, one) => sum + (totals.get(one) ?? 0), 0)
}

/** The seven days of the week of `day`, Monday first. */
export function weekOf(day: string): string[] {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return Array.from({ length: 7 }, (_, index) => addDays(day, index - weekday))
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10)
}

/** Whole hours and the minutes beyond them; negative time is none. */
export function elapsed(ms: number): { hours: number; minutes: number } {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 }
}

/** `7 h 05 min`. */
export function elapsedWords(ms: number): string {
  const { hours, minutes } = elapsed(ms)
  return `${hours} h ${String(minutes).padStart(2, '0')} min`
}

/** When a punch happened by the server's clock, and by how much the device's was off (null: never measured). */
export function punchTime(captured: Captured): { at: string; skewMs: number | null } {
  return { at: storableInstant(Date.parse(captured.wall) + (captured.server_offset_ms ?? 0)), skewMs: captured.server_offset_ms }
}

/** A clock that lost its battery, or an offset that is nonsense, still gives an instant that can be kept and looked at. */
export function storableInstant(ms: number): string {
  return new Date(Math.min(Math.max(Number.isNaN(ms) ? 0 : ms, 0), Date.UTC(9999, 0, 1))).toISOString()
}

/** The device's clock can't be believed: never measured, or off by more than two minutes. */
export function isSkewed(skewMs: number | null): boolean {
  return skewMs === null || Math.abs(skewMs) > skewLimitMs
}

// --- time zones ---

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(timeZone: string): Intl.DateTimeFormat {
  let found = formatters.get(timeZone)
  if (!found) {
    found = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formatters.set(timeZone, found)
  }
  return found
}

type WallParts = { year: string; month: string; day: string; hour: string; minute: string; second: string }

function wallParts(ms: number, timeZone: string): WallParts {
  const parts: WallParts = { year: '', month: '', day: '', hour: '', minute: '', second: '' }
  for (const { type, value } of formatter(timeZone).formatToParts(ms)) {
    if (type in parts) parts[type as keyof WallParts] = value
  }
  parts.year = parts.year.padStart(4, '0')
  return parts
}

function toMs(instant: string | number): number {
  return typeof instant === 'number' ? instant : Date.parse(instant)
}

/** `HH:MM DD-MM-YYYY` on the clocks of the time zone: the form of the time-card calls. */
export function clockTime(instant: string | number, timeZone: string): string {
  const { year, month, day, hour, minute } = wallParts(toMs(instant), timeZone)
  return `${hour}:${minute} ${day}-${month}-${year}`
}

/** The calendar day of an instant, `YYYY-MM-DD`. */
export function dayOf(instant: string | number, timeZone: string): string {
  const { year, month, day } = wallParts(toMs(instant), timeZone)
  return `${year}-${month}-${day}`
}

/** `YYYY-MM-DDTHH:MM`, as a date-and-time field holds it. */
export function localDateTime(instant: string | number, timeZone: string): string {
  const { hour, minute } = wallParts(toMs(instant), timeZone)
  return `${dayOf(instant, timeZone)}T${hour}:${minute}`
}

/** Local time minus UTC at this instant, in ms. */
function offsetAt(ms: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = wallParts(ms, timeZone)
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return local - Math.floor(ms / 1000) * 1000
}

/** The offsets that hold around a local time: two when clocks change that day. Later instants come last. */
function candidates(localMs: number, timeZone: string): number[] {
  const before = localMs - offsetAt(localMs - 86_400_000, timeZone)
  const after = localMs - offsetAt(localMs + 86_400_000, timeZone)
  return [before, after].sort((a, b) => a - b)
}

/** The first instant (ms) of a calendar day; where clocks skip midnight, the moment to which they skip. */
export function startOfDay(day: string, timeZone: string): number {
  const options = candidates(Date.parse(`${day}T00:00:00Z`), timeZone)
  return options.find((ms) => dayOf(ms, timeZone) >= day && dayOf(ms - 1, timeZone) < day) ?? options[0]!
}

/**
 * The instant (ms) at which clocks of the time zone show `YYYY-MM-DDTHH:MM`; NaN when it is not one. An hour that
 * comes twice means its first coming; an hour that is skipped means the same time after the skip.
 */
export function instantOfLocal(local: string, timeZone: string): number {
  const localMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local) ? Date.parse(`${local}:00Z`) : Number.NaN
  if (Number.isNaN(localMs)) return Number.NaN
  const options = candidates(localMs, timeZone)
  return options.find((ms) => localDateTime(ms, timeZone) === local) ?? options[1]!
}
