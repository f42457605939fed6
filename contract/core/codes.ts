/**
 * What scanners and hands make of a label, and what the label says. One rule for both sides.
 */

/**
 * AIM symbology identifier that some scanners put in front: `]C1`, `]E0`, `]d2`. However often it stands there: both
 * sides clean the same code, and cleaning twice must give what cleaning once gave.
 */
const aimIdentifier = /^(?:\][A-Za-z][0-9A-Za-z]\s*)+/

/** Control characters, zero-width and direction marks, halves of a character: no label means them. */
const unprintable = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffd]|\p{Surrogate}/gu

/** What nothing can be taken off, and that is nearly every code: a hundred thousand are cleaned at once when a chain arrives. */
const isClean = /^[0-9A-Z-]*$/

/** Everything a scanner may add is taken off; letters become capitals. Leading zeros stay. */
export function normaliseCode(raw: string): string {
  if (isClean.test(raw)) return raw
  return raw.replace(unprintable, '').trim().replace(aimIdentifier, '').trim().toUpperCase()
}

const zero = '0'.charCodeAt(0)

/** The check digit of a GTIN without it (7, 11, 12 or 13 digits): weights 3 and 1 from the right. */
export function gtinCheckDigit(digits: string): number {
  let sum = 0
  for (let position = 0; position < digits.length; position++) {
    const weight = position % 2 === 0 ? 3 : 1
    sum += weight * (digits.charCodeAt(digits.length - 1 - position) - zero)
  }
  return (10 - (sum % 10)) % 10
}

export function isGtin(digits: string): boolean {
  return /^(\d{8}|\d{12,14})$/.test(digits) && gtinCheckDigit(digits.slice(0, -1)) === Number(digits.at(-1))
}

/**
 * A UPC, EAN or GTIN as 14 digits, so that the same number compares equal however many leading zeros the label,
 * the vendor's file or the scanner kept. Null when it is none.
 */
export function gtin14(raw: string): string | null {
  const digits = normaliseCode(raw).replace(/[\s-]/g, '')
  if (isGtin(digits)) return digits.padStart(14, '0')
  // A spreadsheet ate the leading zeros of a UPC-A: 9 to 11 digits that are right once padded to 12.
  if (/^\d{9,11}$/.test(digits) && isGtin(digits.padStart(12, '0'))) return digits.padStart(14, '0')
  return null
}

/** Codes on the card beside the stockroom's door: they act, they are never counted. */
export const commandCodes = { 'CMD:UNDO': 'undo', 'CMD:PAUSE': 'pause' } as const
export type CommandCode = (typeof commandCodes)[keyof typeof commandCodes]

export function commandOf(code: string): CommandCode | null {
  return commandCodes[normaliseCode(code) as keyof typeof commandCodes] ?? null
}
