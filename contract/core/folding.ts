/**
 * How names are compared: by their letters, whatever accents, case, apostrophes and hyphens they were written with. Devices and the
 * server fold alike, so that both find the same people.
 */

/** Letters that Unicode does not take apart into a base letter and a mark. */
const whole: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  þ: 'th',
  ŋ: 'ng',
}
const marks = /\p{M}+/gu
const wholeLetters = /[ßæœøđðłħıþŋ]/g
/** Written or left out at will: O'Neil, O’Neil, ONeil; Fa‘asavalu. */
const silent = /['’‘ʻʼ`´.]/g
const between = /[^\p{L}\p{N}]+/gu
/** Most names are of these letters alone, and need none of the rest. */
const plain = /^(?:[a-z0-9]+(?: [a-z0-9]+)*)?$/

/** The words of a text, lower-case and without marks, with one blank between them; empty when there are none. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (plain.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(marks, '')
    .replace(wholeLetters, (letter) => whole[letter] ?? letter)
    .replace(silent, '')
    .replace(between, ' ')
    .trim()
}

/** The digits of a text, in their order. */
export function digitsOf(text: string): string {
  return text.replace(/\D+/g, '')
}

/** Whether two texts are one name: blanks, hyphens, apostrophes, case and accents never matter. */
export function isSameName(a: string, b: string): boolean {
  const folded = fold(a).replaceAll(' ', '')
  return folded !== '' && folded === fold(b).replaceAll(' ', '')
}
