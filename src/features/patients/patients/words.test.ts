import { expect, test } from 'vitest'
import { actionWords } from './words.ts'

const id = '0199f0a0-0000-7000-8000-00000000dead'
test.each([
  ['file.upload', `insurance card ${id}`, 'Added a file: insurance card'],
  ['file.view', id, 'Opened a file'],
  ['file.edit', `category, note ${id}`, 'Changed a file: category, note'],
  ['patient.view', 'files', 'Opened the record: files'],
  ['rx.withdraw', 'entered_in_error', 'Withdrew a prescription: entered in error'],
  ['rx.export', 'active', 'Exported a prescription: active'],
  ['patient.view', 'record', 'Opened the record'],
  ['message.view', 'sms', 'Opened the texts'],
  ['message.view', 'call', 'Opened the calls'],
  ['message.send', 'email', 'Sent an email'],
  ['call.log', 'call', 'Logged a call'],
  ['portal.invite', '', 'Invited to the portal'],
  ['letter.view', '', 'Opened the letters to the primary care provider'],
  ['letter.record', id, 'Logged a letter to the primary care provider'],
  ['pcp.merge', 'letters', 'Merged the primary care provider with another: letters'],
])('%s with %j is shown as %j', (action, detail, words) => {
  expect(actionWords(action, detail)).toBe(words)
})
