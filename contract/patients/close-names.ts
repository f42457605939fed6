/**
 * Whether names are meant by the words of a search that found nobody: written together or apart, or with one slip of a
 * letter. Both are folded by `fold`.
 */
export function isCloseName(names: string, words: readonly string[]): boolean {
  const parts = names.split(' ')
  if (words.length > 1 && beginsJoined(parts, words.join(''))) return true
  return words.every((word) => parts.some((part) => part.startsWith(word) || isSlipOf(word, part)) || beginsJoined(parts, word))
}

/** Whether the names from some place on, without blanks, begin with the text. */
function beginsJoined(parts: readonly string[], text: string): boolean {
  return parts.some((_, at) => parts.slice(at).join('').startsWith(text))
}

/** Shorter words have too many neighbors. */
const shortest = 4

/** Whether a word differs from a name by one letter: another, a missing or an extra one, or two neighbors swapped. */
export function isSlipOf(word: string, name: string): boolean {
  if (word.length < shortest || Math.abs(word.length - name.length) > 1) return false
  let start = 0
  while (start < word.length && word[start] === name[start]) start += 1
  const rest = word.slice(start)
  const meant = name.slice(start)
  if (rest.length > meant.length) return rest.slice(1) === meant
  if (rest.length < meant.length) return rest === meant.slice(1)
  const isSwapped = rest[0] === meant[1] && rest[1] === meant[0] && rest.slice(2) === meant.slice(2)
  return isSwapped || rest.slice(1) === meant.slice(1)
}
