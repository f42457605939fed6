import { expect, test } from 'vitest'
import { actionWords } from './words.ts'

const id = '0199f0a0-0000-7000-8000-00000000dead'
test.each([
  ['file.upload', `insurance card ${id}`, 'Added: file, insurance card'],
  ['file.view', id, 'Opened: file'],
  ['file.edit', `category, note ${id}`, 'Changed: file, category, note'],
  ['patient.view', 'files', 'Opened: record, files'],
  ['rx.withdraw', 'entered_in_error', 'Taken back: prescription, entered in error'],
  ['rx.export', 'active', 'Exported: prescription, active'],
])('%s with %j is said as %j', (action, detail, words) => {
  expect(actionWords(action, detail)).toBe(words)
})
