import { expect, test } from 'vitest'
import { isCloseName, isSlipOf } from './close-names.ts'

test.each([
  ['okafro', 'okafor', true],
  ['adaeeze', 'adaeze', true],
  ['smth', 'smith', true],
  ['jonson', 'johnson', true],
  ['garcis', 'garcia', true],
  ['garica', 'garcia', true],
  ['smyth', 'smith', true],
  ['ann', 'anna', false],
  ['smxyh', 'smith', false],
  ['nguyen', 'ngyuem', false],
  ['okafor', 'okafor', true],
])('%s is a slip of %s: %s', (word, name, isSlip) => {
  expect(isSlipOf(word, name)).toBe(isSlip)
})

test.each([
  ['van kirk maria', ['vankirk'], true],
  ['obryan tom', ['o', 'bryan'], true],
  ['smith jones ann', ['smithjones', 'ann'], true],
  ['van kirk maria', ['kirkmaria'], true],
  ['van kirk maria', ['maria', 'vankrik'], false],
  ['okafor adaeze', ['adaeeze', 'okafro'], true],
  ['okafor adaeze', ['ada', 'okafro'], true],
  ['okafor adaeze', ['bob', 'okafro'], false],
])('%s is close to %j: %s', (names, words, isClose) => {
  expect(isCloseName(names, words)).toBe(isClose)
})
