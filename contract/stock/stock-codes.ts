import { gtin14, normaliseCode } from '#contract/core/codes.ts'

/** A UPC as it is kept with a frame: as it stands on the label, and as 14 digits, by which it is compared. */
export type KeptUpc = { upc: string; gtin: string }

/**
 * What somebody typed or a vendor's file holds as a UPC. Zeros that a spreadsheet took from the front are put back; a number whose
 * check digit is wrong is no UPC.
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
 * Every F# that a person can mean by what they type: labels say F00100002, and people leave out the F, the zeros after it, or
 * both. Empty when it is no F#. Only for what is looked up, not for what is counted: any other number may read like an F#.
 */
export function serialSpellings(typed: string): string[] {
  const [, digits] = /^F?\s*0*([1-9]\d*)$/.exec(normaliseCode(typed)) ?? []
  if (digits === undefined || digits.length > longestSerial) return []
  return Array.from({ length: longestSerial - digits.length + 1 }, (_, zeros) => `F${'0'.repeat(zeros)}${digits}`)
}
