/**
 * Folds names so that they compare by their letters. Accents, case, apostrophes and hyphens do not matter. Devices and
 * the server fold alike, so that both find the same people.
 */

/** Letters that Unicode does not split into a base letter and a mark. */
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
/** Optional marks in a name: O'Neil, O’Neil, ONeil; Fa‘asavalu. */
const silent = /['’‘ʻʼ`´.]/g
const between = /[^\p{L}\p{N}]+/gu
/** Most names have only these characters and skip the rest of the work. */
const plain = /^(?:[a-z0-9]+(?: [a-z0-9]+)*)?$/

/** Returns the words of a text in lower case, without marks and separated by one blank; empty when there are none. */
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

/** Returns true when two texts are one name: blanks, hyphens, apostrophes, case and accents never matter. */
export function isSameName(a: string, b: string): boolean {
  const folded = fold(a).replaceAll(' ', '')
  return folded !== '' && folded === fold(b).replaceAll(' ', '')
}
