import * as v from 'valibot'

/**
 * The small shapes of every call. Names on the wire are the specification's (`id_inventory`, `size_lens_width`).
 * Neither side maps them to other names.
 */

/** An id from the device or server that made the thing: a UUID, version 7 where we make it. */
export const uuid = v.pipe(v.string(), v.uuid('must be a UUID'))

/** A row number from the server (stores, users, frames, brands, vendors). */
export const rowId = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_147_483_647))

/**
 * Every real birth date and plan is between these days. Days outside are typing mistakes, or numbers that the calendar,
 * the database or a later month cannot hold.
 */
export const earliestDay = '1850-01-01'
export const latestDay = '2199-12-31'

/**
 * A stored instant or the reading of a device's clock: UTC, ISO 8601 with `Z`. People see it in the store's time zone.
 * For answers and for clocks that may be wrong: a wrong clock must not lose work.
 */
export const instant = v.pipe(v.string(), v.isoTimestamp('must be an instant'))

/** An instant that a caller gives. */
export const givenInstant = v.pipe(
  v.string(),
  v.isoTimestamp('must be an instant'),
  v.check((given) => {
    const at = Date.parse(given)
    return at >= Date.parse(`${earliestDay}T00:00:00Z`) && at < Date.parse(`${latestDay}T00:00:00Z`) + 86_400_000
  }, 'must be an instant within this time'),
)

/** Whole cents, never a fraction of one. */
export const cents = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000_000_00))

/** A revision of a scope: a counter that every writing transaction raises once. */
export const revision = v.pipe(v.number(), v.integer(), v.minValue(0))

const noControlCharacters = v.check<string, string>(
  // PostgreSQL cannot store NUL, and nobody types the others.
  (text) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text),
  'contains characters that can’t be saved',
)

// JavaScript allows a lone surrogate in a string; it is no text anywhere else.
const wellFormed = v.check<string, string>((text) => !/\p{Surrogate}/u.test(text), 'is not a well-formed text')

/** Text that a person typed: at most `max` characters, and only those that the database can store. */
export function text(max: number) {
  return v.pipe(v.string(), v.maxLength(max, `must be at most ${max} characters`), noControlCharacters, wellFormed)
}

/** `text` that is not empty. The field shows `message` when it is. */
export function requiredText(max: number, message = 'This field is required') {
  return v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, message),
    v.maxLength(max, `must be at most ${max} characters`),
    noControlCharacters,
    wellFormed,
  )
}

/** A code from a scanner or the keyboard: one line, at most 128 characters. */
export const code = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'This field is required'),
  v.maxLength(128),
  noControlCharacters,
  wellFormed,
)

/** The answer of a call that returns nothing but success. */
export const done = v.object({ ok: v.literal(true) })
