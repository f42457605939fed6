import { gtin14, normaliseCode } from '#contract/core/codes.ts'

/** The stored UPC of a frame: as printed on the label, and as 14 digits for comparing. */
export type KeptUpc = { upc: string; gtin: string }

/**
 * Reads a UPC that somebody typed or that a vendor's file holds. It puts back the zeros that a spreadsheet dropped. A
 * number with a wrong check digit is no UPC.
 */
export function keptUpc(typed: string): KeptUpc | null {
  const gtin = gtin14(typed)
  if (gtin === null) return null
  const digits = normaliseCode(typed).replace(/[\s-]/g, '')
  return { upc: digits.length < 12 && digits.length !== 8 ? gtin.slice(2) : digits, gtin }
}

export const notAUpc = 'Not a valid UPC or EAN. Check the digits'

const longestSerial = 12

/**
 * Returns every F# that a person can mean by their text. Labels say F00100002, and people leave out the F, the zeros
 * after it, or both. Empty when it is no F#. Only for searches, not for counting: any other number may read like an F#.
 */
export function serialSpellings(typed: string): string[] {
  const [, digits] = /^F?\s*0*([1-9]\d*)$/.exec(normaliseCode(typed)) ?? []
  if (digits === undefined || digits.length > longestSerial) return []
  return Array.from({ length: longestSerial - digits.length + 1 }, (_, zeros) => `F${'0'.repeat(zeros)}${digits}`)
}
