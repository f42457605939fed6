import * as v from 'valibot'

/**
 * The small shapes every call is made of. Names on the wire are the specification's own
 * (`id_inventory`, `size_lens_width`); nothing maps them to other names on either side.
 */

/** An id minted where the thing was made, device or server: UUID, version 7 where we mint it. */
export const uuid = v.pipe(v.string(), v.uuid('must be a UUID'))

/** A row number given by the server (stores, users, frames, brands, vendors). */
export const rowId = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_147_483_647))

/**
 * Every birth date and plan falls between these days. Beyond them are typing mistakes, and numbers that the calendar, the database
 * or the next month after them cannot hold.
 */
export const earliestDay = '1850-01-01'
export const latestDay = '2199-12-31'

/**
 * An instant as it was kept or as a device's clock stood, UTC, ISO 8601 with `Z`. People see it in the time zone of the store. For answers, and
 * for clocks that may be wrong: nothing is lost for them.
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

/** A revision of a scope: a counter that the server raises once in every writing transaction. */
export const revision = v.pipe(v.number(), v.integer(), v.minValue(0))

const noControlCharacters = v.check<string, string>(
  // NUL cannot be stored by PostgreSQL, and the others never come from a person's hand.
  (text) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text),
  'contains characters that can’t be saved',
)

// A lone surrogate is a string in JavaScript and not a text anywhere else.
const wellFormed = v.check<string, string>((text) => !/\p{Surrogate}/u.test(text), 'is not a well-formed text')

/** A text a person typed: at most `max` characters, storable as it is. */
export function text(max: number) {
  return v.pipe(v.string(), v.maxLength(max, `must be at most ${max} characters`), noControlCharacters, wellFormed)
}

/** `text`, and not empty. `message` is what the field shows when it is. */
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

/** What a scanner or a hand typed as a code: one line, at most 128 characters. */
export const code = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'This field is required'),
  v.maxLength(128),
  noControlCharacters,
  wellFormed,
)

/** The answer of a call that has nothing to say but that it was done. */
export const done = v.object({ ok: v.literal(true) })
