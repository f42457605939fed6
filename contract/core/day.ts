import * as v from 'valibot'
import { earliestDay, latestDay } from '#contract/core/primitives.ts'

const written = v.regex<string, 'must be a date'>(/^\d{4}-\d\d-\d\d$/, 'must be a date')

/** A day of the calendar as it was kept, `YYYY-MM-DD`: former versions took days of any year. For answers. */
export const keptDay = v.pipe(v.string(), written)

/** A day of the calendar as people give it, `YYYY-MM-DD`. */
export const day = v.pipe(
  v.string(),
  written,
  v.check((given) => isDay(given) && given >= earliestDay && given <= latestDay, 'must be a date'),
)

/** What insurance companies write where nothing ends. */
export const endOfTime = '9999-12-31'

/** The last day of what may have no end. */
export const lastDay = v.pipe(
  v.string(),
  written,
  v.check((given) => given === endOfTime || v.is(day, given), 'must be a date'),
)

function isDay(given: string): boolean {
  const at = new Date(`${given}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(given)
}
