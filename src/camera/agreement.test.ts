import { expect, test } from 'vitest'
import { createAgreement } from './agreement.ts'

const never = () => false

test('an unknown code counts when two pictures agree', () => {
  const agreement = createAgreement(never)
  expect(agreement.take(['F-1'], 0)).toEqual([])
  expect(agreement.take([], 100)).toEqual([])
  expect(agreement.take(['F-1'], 200)).toEqual(['F-1'])
})

test('two readings that disagree do not count, and a first reading expires', () => {
  const agreement = createAgreement(never)
  expect(agreement.take(['9074932437075'], 0)).toEqual([])
  expect(agreement.take(['023942431015'], 100)).toEqual([])
  expect(agreement.take(['9074932437075'], 2101)).toEqual([])
})

test('a code of the catalog counts at once', () => {
  expect(createAgreement((code) => code === '100012').take(['100012', 'X-1'], 0)).toEqual(['100012'])
})

test('a label held before the camera is one scan, and a label that comes back is another', () => {
  const agreement = createAgreement(() => true)
  expect(agreement.take(['100012', '100012'], 0)).toEqual(['100012'])
  for (let at = 100; at < 10_000; at += 100) expect(agreement.take(['100012'], at)).toEqual([])
  expect(agreement.take([], 11_000)).toEqual([])
  expect(agreement.take(['100012'], 11_150)).toEqual(['100012'])
})

test('a label does not wait for the label before it', () => {
  const agreement = createAgreement(() => true)
  expect(agreement.take(['100012'], 0)).toEqual(['100012'])
  expect(agreement.take(['100013'], 100)).toEqual(['100013'])
  // Two labels beside each other count once each, in any order of pictures.
  expect(agreement.take(['100012', '100013'], 200)).toEqual([])
})
