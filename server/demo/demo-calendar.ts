const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Counts days back from the day of the demo clinic's first start. The same day makes the same clinic. */
export class DemoCalendar {
  readonly #today: number

  constructor(now: number) {
    this.#today = Math.floor(now / dayMs) * dayMs
  }

  /** An instant `days` before today at this hour of the day (fractions are minutes), in UTC, as ISO text. */
  daysAgo(days: number, hour = 15): string {
    return this.plus(new Date(this.#today - days * dayMs).toISOString(), hour * 60)
  }

  /** The same hour by the wall clock of a time zone. */
  localDaysAgo(days: number, hour: number, timeZone: string): string {
    const asIfUtc = Date.parse(this.daysAgo(days, hour))
    return new Date(asIfUtc - offsetMinutes(asIfUtc, timeZone) * minuteMs).toISOString()
  }

  /** 0 is Sunday. */
  weekday(daysAgo: number): number {
    return new Date(this.#today - daysAgo * dayMs).getUTCDay()
  }

  plus(at: string, minutes: number): string {
    return new Date(Date.parse(at) + Math.round(minutes * minuteMs)).toISOString()
  }
}

/** Minutes by which the time zone is ahead of UTC at about that time: -300 or -240 in New York. */
function offsetMinutes(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
  const match = /^GMT([+-])(\d\d):(\d\d)$/.exec(name)
  if (!match) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]))
}
