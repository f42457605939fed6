/**
 * How numbers, money, moments and durations are written: only here. Moments are ISO 8601 in UTC. They show in the given
 * time zone, which is the store's, not the tablet's.
 */

const locale = 'en-US'

/**
 * On a phone, loading the browser's formatters takes longer than a page. So the first texts on the screen do without
 * them.
 */
const numberFormats = new Map<string, Intl.NumberFormat>()

function numberFormat(currency: string | undefined): Intl.NumberFormat {
  const key = currency ?? ''
  let found = numberFormats.get(key)
  if (!found) {
    found = new Intl.NumberFormat(locale, currency === undefined ? {} : { style: 'currency', currency })
    numberFormats.set(key, found)
  }
  return found
}

/** `1,012` */
export function formatCount(value: number): string {
  const isPlain = Number.isInteger(value) && value >= 0 && value < 1_000_000
  if (!isPlain) return numberFormat(undefined).format(value)
  return value < 1000 ? String(value) : `${Math.floor(value / 1000)},${String(value % 1000).padStart(3, '0')}`
}

/** `1 scan`, `37 scans`; give the plural when it is not just an added s. */
export function formatNumberOf(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`
}

/** Cents as `$1,234.50`. */
export function formatMoney(cents: number, currency = 'USD'): string {
  return numberFormat(currency).format(cents / 100)
}

/** A fraction as `37%`. */
export function formatPercent(share: number): string {
  return `${Math.floor(share * 100)}%`
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(timeZone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone ?? ''} ${JSON.stringify(options)}`
  let found = formatters.get(key)
  if (!found) {
    found = new Intl.DateTimeFormat(locale, { ...options, ...(timeZone && { timeZone }) })
    formatters.set(key, found)
  }
  return found
}

type Moment = string | number | Date

/** `11/21/2026`. A day of the calendar, `YYYY-MM-DD`, is the same in every time zone. */
export function formatDate(moment: Moment, timeZone?: string): string {
  if (typeof moment === 'string' && moment.length === 10) return moment.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1')
  if (timeZone === undefined) {
    const at = new Date(moment)
    return `${twoDigits(at.getMonth() + 1)}/${twoDigits(at.getDate())}/${at.getFullYear()}`
  }
  return formatter(timeZone, { year: 'numeric', month: '2-digit', day: '2-digit' }).format(new Date(moment))
}

/** `11/16/2026 – 11/22/2026` */
export function formatDateRange(first: Moment, last: Moment, timeZone?: string): string {
  return `${formatDate(first, timeZone)} – ${formatDate(last, timeZone)}`
}

/** `Sat, 11/21/2026` */
export function formatDay(moment: Moment, timeZone?: string): string {
  // The clock of the login screen shows before the browser has loaded its formatter: `Sat Nov 21 2026`.
  const weekday =
    timeZone === undefined
      ? new Date(moment).toDateString().slice(0, 3)
      : formatter(timeZone, { weekday: 'short' }).format(new Date(moment))
  return `${weekday}, ${formatDate(moment, timeZone)}`
}

/** `2:05 PM` */
export function formatTime(moment: Moment, timeZone?: string): string {
  if (timeZone === undefined) {
    const at = new Date(moment)
    return `${at.getHours() % 12 || 12}:${twoDigits(at.getMinutes())} ${at.getHours() < 12 ? 'AM' : 'PM'}`
  }
  // Browsers put a narrow blank before AM and PM that not every font has.
  return formatter(timeZone, { hour: 'numeric', minute: '2-digit', hour12: true }).format(new Date(moment)).replace(/\s/g, ' ')
}

/** `11/21/2026, 2:05 PM` */
export function formatDateTime(moment: Moment, timeZone?: string): string {
  return `${formatDate(moment, timeZone)}, ${formatTime(moment, timeZone)}`
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Minutes as `7 h 32 min`, `32 min`, `7 h`. */
export function formatMinutes(minutes: number): string {
  const whole = Math.max(0, Math.floor(minutes))
  const hours = Math.floor(whole / 60)
  const rest = whole % 60
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${formatCount(hours)} h` : `${formatCount(hours)} h ${rest} min`
}

/** An age in its largest unit: `40 seconds`, `12 min`, `3 hr`, `2 days`. */
export function formatAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 60) return formatNumberOf(seconds, 'second')
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} hr`
  return formatNumberOf(Math.floor(seconds / 86_400), 'day')
}

/** A size in bytes: `1.4 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value >= 10 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}
