import * as v from 'valibot'

/** A day of the calendar, `YYYY-MM-DD`. */
export const day = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\d$/, 'must be a date'),
  v.check((given) => {
    const at = new Date(`${given}T00:00:00Z`)
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(given) && given >= '1850-01-01'
  }, 'must be a date'),
)
